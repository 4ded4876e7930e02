import type { Holder, Placement } from '../../model/holder.ts';
import type { Cluster, Plane, Pool } from '../../model/pools.ts';
import { InternalError, type Problem } from '../../model/problem.ts';
import type { Address, Family } from '../../net/address.ts';
import type { Manifest } from '../manifest.ts';

/** The annotations and fields that pin a Service to its addresses. */
export interface Pinning {
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
export interface PlaneManifests {
  /** The annotations of a Service that ask for a pool or for addresses, in every supported version. */
  readonly requests: { readonly pool: readonly string[]; readonly addresses: readonly string[] };
  /**
   * The fields that pin a Service, in the order of `pins`: a single address by
   * `spec.loadBalancerIP` unless `way` is `annotation`.
   */
  pinning(
    plane: Plane,
    pins: readonly Address[],
    sharingKey: string,
    way?: 'field' | 'annotation',
  ): Pinning;
  /** The pool of a declared pool and its advertisements. They do not change with leases. */
  declaredPool(cluster: Cluster, pool: Pool, isFencedByNamespace: boolean): readonly Manifest[];
  /** The pool of the addresses of one holder and its advertisements. */
  heldPool(cluster: Cluster, placement: Placement): readonly Manifest[];
  /** The changes of live Services that would cost them an address. */
  sharingProblems(replaced: ReplacedSharers, cluster: Cluster): readonly Problem[];
  /**
   * What must be done before or after the declared plane of a cluster changes, as sentences. `live`
   * are the Services whose manifests change.
   */
  changeSteps(was: Plane, next: Plane, live: readonly string[]): readonly string[];
  /** `pools` are the declared ones of the cluster. */
  check(cluster: Cluster, pools: readonly Pick<Pool, 'name' | 'fence'>[]): PlaneCheck;
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
