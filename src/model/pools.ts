import type { Family } from '../net/address.ts';
import type { AddressRange } from '../net/range.ts';
import type { RangeSet } from '../net/range-set.ts';
import type { Position } from './problem.ts';

/** How MetalLB's objects are laid out: one pool per held address set, or one per declared pool. */
export type Layout = 'lease' | 'pool';

/** The most whole days that a pool may keep a released address from everybody else. */
export const longestCooldown = 365;

/** Which names objects take: a running Akash provider's, or those of the published documents. */
export type Naming = 'akash' | 'readable';

/** The MetalLB of one cluster. */
export interface MetalLB {
  /** `major.minor.patch`, 0.13.9 or later. */
  readonly version: string;
  /** The namespace MetalLB runs in; it reads its objects from no other. */
  readonly namespace: string;
  readonly layout: Layout;
  /** `--lb-class` of its controller and speakers: it serves Services of that class only. Undefined for those without one. */
  readonly loadBalancerClass?: string | undefined;
}

/** In how many folders, each with an engine's object of its own, the manifests of a cluster are. */
export type Shards = 1 | 16 | 256;

/**
 * The folders below `dist/<cluster>/` that an engine's objects watch, in order: that folder itself, as an empty text, or
 * one for each first hex digit, or for each first two, of the hash of a holder's id.
 */
export function shardFolders(shards: Shards): readonly string[] {
  const digits = shardDigits(shards);
  if (digits === 0) return [''];
  return Array.from({ length: shards }, (_, index) => index.toString(16).padStart(digits, '0'));
}

/** How many hex digits name a shard. */
export function shardDigits(shards: Shards): 0 | 1 | 2 {
  if (shards === 1) return 0;
  return shards === 16 ? 1 : 2;
}

/** A cluster that `dist/<name>/` is for. */
export interface Cluster {
  readonly name: string;
  /** What its own tools call it, such as the UID of its namespace kube-system. */
  readonly id: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /** The zone of a claim in this cluster that names neither zone nor pool; undefined for that of the pool file. */
  readonly defaultZone: string | undefined;
  /** The provider's bech32 address: part of every Akash lease id in this cluster. */
  readonly provider: string | undefined;
  readonly metallb: MetalLB;
  readonly naming: Naming;
  readonly shards: Shards;
}

/** A label selector as Kubernetes writes it (`LabelSelector` of apimachinery). */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  readonly matchExpressions?:
    | readonly {
        readonly key: string;
        readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
        readonly values?: readonly string[] | undefined;
      }[]
    | undefined;
}

/** How MetalLB announces a pool. */
export type Advertise =
  | {
      readonly kind: 'l2';
      readonly interfaces: readonly string[];
      readonly nodeSelectors: readonly LabelSelector[];
    }
  | {
      readonly kind: 'bgp';
      /** Prefix length IPv4 addresses are aggregated to, 1 to 32. */
      readonly aggregationLength: number;
      /** Prefix length IPv6 addresses are aggregated to, 1 to 128. */
      readonly aggregationLengthV6: number;
      readonly localPref: number | undefined;
      readonly communities: readonly string[];
      readonly peers: readonly string[];
      readonly nodeSelectors: readonly LabelSelector[];
    };

/**
 * Whom MetalLB gives the addresses of a declared pool: `closed` to what is declared here, `open` to any Service that
 * asks for one or has one, as while a live pool is taken over. Only `layout: pool` knows an open one.
 */
export type Fence = 'open' | 'closed';

/** A named set of addresses that MetalLB announces. A pool lies in exactly one zone. */
export interface Pool {
  readonly name: string;
  readonly zone: string;
  /** The clusters that announce the pool; undefined for all. */
  readonly clusters: readonly string[] | undefined;
  /** The declared addresses, in canonical form and numeric order, IPv4 first; they never overlap. */
  readonly ranges: readonly AddressRange[];
  /** Addresses of the pool that are never given out: gateways and the like. */
  readonly reserved: RangeSet;
  /** IPv4 addresses that end in .0 or .255 are never given out (MetalLB's `avoidBuggyIPs`). */
  readonly avoidBuggyIPs: boolean;
  /** A draining pool keeps what it gave and gives nothing new. */
  readonly state: 'active' | 'draining';
  /** Whole days in which a released address is given to nobody else. */
  readonly cooldownDays: number;
  /** `spread` tries candidates in an order seeded by the holder, `lowest` the lowest first. */
  readonly strategy: 'spread' | 'lowest';
  readonly fence: Fence;
  readonly advertise: Advertise;
  readonly at: Position;
}

/** Which objects are written, beside pools, advertisements and Services. */
export interface Emit {
  readonly namespaces: boolean;
  readonly providerLeasedIP: boolean;
  readonly networkPolicies: boolean;
}

/** The declared pool file, `leases/pools.yaml`, normalized. */
export interface Pools {
  readonly clusters: readonly Cluster[];
  /** Where the pool file says its clusters; its beginning when it does not. */
  readonly clustersAt: Position;
  /** The cluster of a declaration that names none. */
  readonly defaultCluster: string;
  /** The zone of a claim that names neither zone nor pool. */
  readonly defaultZone: string;
  readonly emit: Emit;
  /** In the order of the file: claims on a zone try its pools in this order. */
  readonly pools: readonly Pool[];
  readonly quotas: Quotas;
  /** The branches that engines apply beside the default one, by their short names. */
  readonly branches: readonly string[];
  /** Groups of Services that share one address over clusters or namespaces. */
  readonly anycast: readonly AnycastGroup[];
}

/** How many addresses an owner may have, held or retained: a dual-stack holder has two, a shared address is one. */
export interface Quotas {
  /** Of an owner that is not named; undefined for as many as there are. */
  readonly default: number | undefined;
  /** Akash accounts, and `<cluster>/<namespace>` of Services. */
  readonly owners: ReadonlyMap<string, number>;
}

/** A declared group of Services that stand on one address. */
export interface AnycastGroup {
  readonly name: string;
  readonly members: readonly AnycastMember[];
  readonly at: Position;
}

/** A Service that belongs to a group. */
export interface AnycastMember {
  readonly cluster: string;
  readonly namespace: string;
  readonly service: string;
}

/** True when a cluster announces a pool, so that what stands in that cluster may have its addresses. */
export function isOpenIn({ clusters }: Pick<Pool, 'clusters'>, cluster: string): boolean {
  return clusters?.includes(cluster) ?? true;
}

/** The pools that a cluster announces, in the order of the file. */
export function poolsIn({ pools }: Pick<Pools, 'pools'>, cluster: string): readonly Pool[] {
  return pools.filter((pool) => isOpenIn(pool, cluster));
}

/** The families that a pool has addresses of, IPv4 first. */
export function familiesOf({ ranges }: Pool): readonly Family[] {
  return (['ipv4', 'ipv6'] as const).filter((family) =>
    ranges.some(({ from }) => from.family === family),
  );
}

/** True when a version of MetalLB, `major.minor.patch`, is `first` or a later one. */
export function isSince(version: string, first: string): boolean {
  const parts = version.split('.').map(Number);
  const others = first.split('.').map(Number);
  const index = parts.findIndex((part, at) => part !== others[at]);
  return index < 0 || (parts[index] ?? 0) > (others[index] ?? 0);
}
