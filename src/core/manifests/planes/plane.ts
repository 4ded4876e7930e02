import type { Holder, Placement } from '../../model/holder.ts';
import type { Plane } from '../../model/planes.ts';
import type { ClusterOn, LabelSelector, Pool } from '../../model/pools.ts';
import { InternalError, type Problem } from '../../model/problem.ts';
import type { Address, Family } from '../../net/address.ts';
import type { Manifest } from '../manifest.ts';

/** What pins a Service to its addresses. */
export interface Pinned {
  readonly addresses: readonly Address[];
  readonly sharingKey: string;
  /** The name of the declared pool of the addresses. */
  readonly pool: string;
  /** Where a plane has both ways, a single address is pinned by a field unless it is `annotation`. */
  readonly way?: 'field' | 'annotation';
}

/** Addresses of a holder, in the order of a Placement, and their declared pool. */
export interface PlacedAddresses {
  readonly addresses: readonly Address[];
  readonly pool: Pick<Pool, 'name'>;
}

/** The labels, annotations and fields that pin a Service to its addresses. */
export interface Pinning {
  /** Those by which the objects of the plane select the Service. */
  readonly labels: { readonly [key: string]: string };
  readonly annotations: { readonly [key: string]: string };
  readonly spec: {
    readonly ipFamilyPolicy: 'SingleStack' | 'RequireDualStack';
    readonly ipFamilies: readonly ('IPv4' | 'IPv6')[];
    /** Absent when the Service is pinned by an annotation. */
    readonly loadBalancerIP?: string;
    /** Present when the plane serves Services of one class only. */
    readonly loadBalancerClass?: string;
  };
}

/**
 * The fields that decide whether a Service can share an address. MetalLB: allocator.go sharingOK.
 * Cilium: service_store.go isCompatible.
 */
export interface LiveSharer {
  readonly pins: readonly string[];
  readonly sharingKey: string | undefined;
  /** The prefix of the annotation with the sharing key. */
  readonly prefix?: string | undefined;
  /** Such as `443/TCP`. */
  readonly ports: readonly string[];
  /**
   * The selector when `externalTrafficPolicy` is Local, as the manifest has it; empty when it is
   * Cluster.
   */
  readonly backend: string;
}

/** By the path of a manifest, its Services with an address: `namespace/name` to the Service. */
export type SharersByPath = ReadonlyMap<
  string,
  { readonly sharers: ReadonlyMap<string, LiveSharer> }
>;

/** The manifests to be replaced, and those to be written. */
export interface ReplacedSharers {
  readonly before: SharersByPath;
  readonly after: SharersByPath;
}

/** The check of the objects of one cluster by the rules of its plane. Each fault is an InternalError. */
export interface PlaneCheck {
  /** Checks one object by itself. A pool is added before its advertisement. */
  add(manifest: Manifest, holder: Holder | undefined): void;
  /** Checks all objects together. */
  finish(): void;
}

/**
 * What leasehold writes for a data plane, and checks by its rules: what gives Services their
 * addresses and announces them. One object for each kind of `Cluster.plane`, in a folder of its own.
 */
export interface PlaneManifests<Kind extends Plane['kind'] = Plane['kind']> {
  /** The kind of its pools. */
  readonly poolKind: string;
  /** How Services ask for a pool or for addresses, in every supported version. */
  readonly requests: {
    /** The keys of labels, with any value, that open a pool to a Service. */
    readonly labels: readonly string[];
    /** The keys of annotations with the name of a pool. */
    readonly pool: readonly string[];
    /** The keys of annotations with addresses, separated by commas. */
    readonly addresses: readonly string[];
  };
  /** What pins a Service, in the order of its addresses. */
  pinning(plane: ClusterOn<Kind>['plane'], pinned: Pinned): Pinning;
  /** The pool of a declared pool and its advertisements. They do not change with leases. */
  declaredPool(
    cluster: ClusterOn<Kind>,
    pool: Pool,
    isFencedByNamespace: boolean,
  ): readonly Manifest[];
  /** The pool of the addresses of one holder and its advertisements. */
  heldPool(cluster: ClusterOn<Kind>, placement: Placement): readonly Manifest[];
  /** What the plane cannot give to the holders of a cluster, among all placements. */
  placementProblems(cluster: ClusterOn<Kind>, placements: readonly Placement[]): readonly Problem[];
  /** The changes of live Services that would cost them an address. */
  sharingProblems(replaced: ReplacedSharers, cluster: ClusterOn<Kind>): readonly Problem[];
  /**
   * What must be done before or after the declared plane of a cluster changes, as sentences. `live`
   * are the Services whose manifests change.
   */
  changeSteps(
    was: Plane,
    next: ClusterOn<Kind>['plane'],
    live: readonly string[],
  ): readonly string[];
  /** `pools` are the declared ones of the cluster. */
  check(cluster: ClusterOn<Kind>, pools: readonly Pick<Pool, 'name' | 'fence'>[]): PlaneCheck;
}

/** Returns the addresses of a holder in some families, in the order of the families. */
export function pinsOf(
  families: readonly Family[],
  addresses: readonly Address[],
  holder: string,
): readonly Address[] {
  return families.map((family) => {
    const address = addresses.find((one) => one.family === family);
    if (!address) throw new InternalError(`${holder} was placed without its ${family} address`);
    return address;
  });
}

/** A label selector as it is written. */
export function writtenSelector({ matchLabels, matchExpressions }: LabelSelector) {
  return {
    ...(matchLabels ? { matchLabels: { ...matchLabels } } : {}),
    ...(matchExpressions
      ? {
          matchExpressions: matchExpressions.map(({ key, operator, values }) => ({
            key,
            operator,
            ...(values ? { values: [...values] } : {}),
          })),
        }
      : {}),
  };
}

/** A list as a field of a manifest; an empty one is left out. */
export function filled<Key extends string, Item>(key: Key, list: readonly Item[]) {
  return (list.length > 0 ? { [key]: [...list] } : {}) as { [Name in Key]?: Item[] };
}
