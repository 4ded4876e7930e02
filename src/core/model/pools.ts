import { type Address, bothFamilies, type Family } from '../net/address.ts';
import { type AddressRange, rangeHas, rangeSize } from '../net/range.ts';
import type { RangeSet } from '../net/range-set.ts';
import type { HttpOptions } from './lease.ts';
import type { Cilium, MetalLB, Plane } from './planes.ts';
import type { Position } from './problem.ts';

/** The longest retention of a pool or of hostnames, in whole days. */
export const longestPoolRetention = 365;

/** The names of objects: those of a running Akash provider, or readable ones. */
export type Naming = 'akash' | 'readable';

/** A field of the plane of a cluster, as the pool file has it for this cluster alone. */
export function planeField({ name, plane }: Cluster, field: keyof MetalLB | keyof Cilium): string {
  const { kind, atCluster } = plane;
  return atCluster?.includes(field) ? `clusters[${name}].${kind}.${field}` : `${kind}.${field}`;
}

/** The number of folders of a cluster, each with an Application or Kustomization of its own. */
export const shardCounts = [1, 16, 256] as const;
export type Shards = (typeof shardCounts)[number];

/**
 * The folders below `dist/<cluster>/` that Argo CD or Flux watches, in order: the folder itself, as
 * an empty text, or one for each value of the first hex digits of the hash of a holder's id.
 */
export function shardFolders(shards: Shards): readonly string[] {
  const digits = shardDigits(shards);
  if (digits === 0) return [''];
  return Array.from({ length: shards }, (_, index) => index.toString(16).padStart(digits, '0'));
}

/** The number of hex digits in the name of a shard. */
export function shardDigits(shards: Shards): 0 | 1 | 2 {
  if (shards === 1) return 0;
  return shards === 16 ? 1 : 2;
}

/** A Service, by its namespace and name. */
interface ServiceRef {
  readonly namespace: string;
  readonly name: string;
}

/** A controller of Gateways or Ingresses that can apply HTTP options. */
interface RouteController {
  /** The kind of its routes. */
  readonly kind: 'HTTPRoute' | 'Ingress';
  /** The options that it applies. */
  readonly applies: readonly (keyof HttpOptions)[];
}

/**
 * The controllers that can apply HTTP options, by `controllerName` of their GatewayClass, or
 * `controller` of their IngressClass. NGINX Gateway Fabric: the fields of its ClientSettingsPolicy
 * and ProxySettingsPolicy, v1alpha1.
 */
export const routeControllers = {
  'gateway.nginx.org/nginx-gateway-controller': {
    kind: 'HTTPRoute',
    applies: ['maxBodySize', 'readTimeout', 'sendTimeout'],
  },
  'k8s.io/ingress-nginx': {
    kind: 'Ingress',
    applies: [
      ...(['maxBodySize', 'readTimeout', 'sendTimeout'] as const),
      ...(['nextTries', 'nextTimeout', 'nextCases'] as const),
    ],
  },
} as const satisfies Readonly<Record<string, RouteController>>;

export type RouteControllerName = keyof typeof routeControllers;

/** NGINX Gateway Fabric, whose policies are objects of their own. */
export const nginxGateway: RouteControllerName = 'gateway.nginx.org/nginx-gateway-controller';

/** The names of the controllers whose routes are of a kind. */
export function controllersOf(kind: RouteController['kind']): readonly RouteControllerName[] {
  const names = Object.keys(routeControllers) as RouteControllerName[];
  return names.filter((name) => routeControllers[name].kind === kind);
}

/** The routes of a cluster's hostnames: HTTPRoutes of a Gateway, or Ingresses of a class. */
export type Routes =
  | {
      readonly kind: 'HTTPRoute';
      readonly gateway: ServiceRef;
      /** The controller that applies HTTP options; undefined for none. */
      readonly controller: RouteControllerName | undefined;
      readonly service: ServiceRef | undefined;
    }
  | {
      readonly kind: 'Ingress';
      readonly className: string;
      readonly controller: RouteControllerName | undefined;
      /** The Service of the controller: its DNS names may be those of hostnames. */
      readonly service: ServiceRef | undefined;
    };

/** A cluster. Its manifests are in `dist/<name>/`. */
export interface Cluster {
  readonly name: string;
  /** Its id in other tools, such as the UID of its namespace kube-system. */
  readonly id: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /**
   * The zone of a claim in this cluster without a zone and a pool; undefined for the default zone
   * of the pool file.
   */
  readonly defaultZone: string | undefined;
  /** The provider's bech32 address, a part of every Akash lease id in this cluster. */
  readonly provider: string | undefined;
  readonly plane: Plane;
  readonly naming: Naming;
  readonly shards: Shards;
  /** Undefined when it has no hostnames. */
  readonly routes: Routes | undefined;
}

/** A cluster with a plane of one kind. */
export type ClusterOn<Kind extends Plane['kind']> = Cluster & {
  readonly plane: Extract<Plane, { readonly kind: Kind }>;
};

/** True for a cluster with a plane of a kind. */
export function isOn<Kind extends Plane['kind']>(
  cluster: Cluster,
  kind: Kind,
): cluster is ClusterOn<Kind> {
  return cluster.plane.kind === kind;
}

/** A label selector of Kubernetes (`LabelSelector` of apimachinery). */
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

/** How addresses are announced. */
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
 * An advertisement of a pool. It has the name of its object with `layout: pool`: that of the pool,
 * unless the pool file gives another.
 */
export type PoolAdvertisement = Advertise & { readonly name: string };

/**
 * How a claim wants its address announced. The fields that are undefined are those of the pool of the
 * address, which is announced the same way, by L2 or BGP.
 */
export type Advertisement = {
  readonly name: string;
  readonly at: Position;
} & (
  | ({ readonly kind: 'l2' } & Changes<Extract<Advertise, { readonly kind: 'l2' }>>)
  | ({ readonly kind: 'bgp' } & Changes<Extract<Advertise, { readonly kind: 'bgp' }>>)
);

/** The fields that an advertisement may set. With a single address there is nothing to aggregate. */
type Changes<Kind extends Advertise> = {
  readonly [Field in Exclude<keyof Kind, 'kind' | 'aggregationLength' | 'aggregationLengthV6'>]:
    | Kind[Field]
    | undefined;
};

/**
 * How an address of a pool is announced for a holder with this advertisement, if any, which
 * changes those of the pool that are of its kind.
 */
export function advertiseFor(
  { advertise }: Pick<Pool, 'advertise'>,
  own: Advertisement | undefined,
): readonly PoolAdvertisement[] {
  return own ? advertise.map((one) => changedBy(one, own)) : advertise;
}

function changedBy(advertise: PoolAdvertisement, own: Advertisement): PoolAdvertisement {
  const nodeSelectors = own.nodeSelectors ?? advertise.nodeSelectors;
  if (own.kind === 'l2' && advertise.kind === 'l2') {
    return { ...advertise, nodeSelectors, interfaces: own.interfaces ?? advertise.interfaces };
  }
  if (own.kind === 'bgp' && advertise.kind === 'bgp') {
    return {
      ...advertise,
      nodeSelectors,
      localPref: own.localPref ?? advertise.localPref,
      communities: own.communities ?? advertise.communities,
      peers: own.peers ?? advertise.peers,
    };
  }
  return advertise;
}

/**
 * Which Services can get addresses of a pool from the plane: `closed` for declared Services, `open`
 * for any Service that requests or has one, while a live pool is taken over. Only `layout: pool`
 * allows `open`.
 */
export type Fence = 'open' | 'closed';

/**
 * A static translation (NAT). `outside` has the family of `inside` and as many addresses, each for
 * the one at its place; or one address for all, whose ports are forwarded.
 */
export interface NatRule {
  readonly inside: AddressRange;
  readonly outside: AddressRange;
}

/** A named set of addresses that the plane of a cluster announces. A pool is in exactly one zone. */
export interface Pool {
  readonly name: string;
  readonly zone: string;
  /** The clusters that announce the pool; undefined for all. */
  readonly clusters: readonly string[] | undefined;
  /**
   * The declared addresses, in canonical form and numeric order, IPv4 first; they never overlap.
   */
  readonly ranges: readonly AddressRange[];
  /** Addresses that are never allocated, such as gateways. */
  readonly reserved: RangeSet;
  /** The NAT in front of the pool, by inside addresses; no two rules have one in common. */
  readonly nat: readonly NatRule[];
  /**
   * True when IPv4 addresses that end in .0 or .255 are not allocated (MetalLB's `avoidBuggyIPs`).
   */
  readonly avoidBuggyIPs: boolean;
  /** A draining pool keeps its allocations and gets no new ones. */
  readonly state: 'active' | 'draining';
  /** Whole days after release in which no other holder can get an address. */
  readonly retentionDays: number;
  /**
   * `spread` tries candidates in an order seeded by the holder, `lowest` tries the lowest first.
   */
  readonly strategy: 'spread' | 'lowest';
  readonly fence: Fence;
  /** At least one. The plane follows each of them. */
  readonly advertise: readonly PoolAdvertisement[];
  readonly at: Position;
}

/** Optional objects, beside pools, advertisements and Services. */
export interface Emit {
  readonly namespaces: boolean;
  readonly providerLeasedIP: boolean;
  readonly providerHost: boolean;
  readonly networkPolicies: boolean;
  readonly addressConfigMaps: boolean;
  readonly addressNames: boolean;
  readonly dnsEndpoints: boolean;
}

/** The rules of the DNS names that declarations request, and their records. */
export interface DnsRules {
  /** The time to live of all records, in seconds. */
  readonly ttl: number;
  /** The domains that names must be in; undefined for any. */
  readonly allowed: readonly string[] | undefined;
  /** The domains that no name may be in. */
  readonly blocked: readonly string[];
}

/** The rules of hostnames that are routed. */
export interface HostnameRules {
  /** Whole days after release in which no other namespace can get a hostname. */
  readonly retentionDays: number;
  /** Whether a hostname is given only to a holder that has proven its domain. */
  readonly proof: 'optional' | 'required';
  /** The domains whose hostnames need no proof. */
  readonly exempt: readonly string[];
}

/** The declared pool file, `leases/pools.yaml`, normalized. */
export interface Pools {
  readonly clusters: readonly Cluster[];
  /** The place of `clusters` in the pool file; its first line when there is none. */
  readonly clustersAt: Position;
  /** The cluster of a declaration without one. */
  readonly defaultCluster: string;
  /** The zone of a claim without a zone and a pool. */
  readonly defaultZone: string;
  readonly emit: Emit;
  /** In the order of the file. Claims on a zone try its pools in this order. */
  readonly pools: readonly Pool[];
  readonly quotas: Quotas;
  readonly dns: DnsRules;
  readonly hostnames: HostnameRules;
  /** Short names of the branches that Argo CD or Flux applies beside the default one. */
  readonly branches: readonly string[];
  /** The advertisements that claims can name, in the order of the file. */
  readonly advertisements: readonly Advertisement[];
  /** Groups of Services that share an address across clusters or namespaces. */
  readonly anycast: readonly AnycastGroup[];
}

/**
 * The number of addresses that an owner may have, held or kept after release. A dual-stack holder
 * has two, and a shared address counts once.
 */
export interface Quotas {
  /** For owners that are not listed; undefined for no limit. */
  readonly default: number | undefined;
  /** By Akash account, or by `<cluster>/<namespace>` of Services. */
  readonly owners: ReadonlyMap<string, number>;
}

/** A declared group of Services that share an address. */
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

/** True when a cluster announces a pool, so that Services in it can have its addresses. */
export function isOpenIn({ clusters }: Pick<Pool, 'clusters'>, cluster: string): boolean {
  return clusters?.includes(cluster) ?? true;
}

/** The pools that a cluster announces, in the order of the file. */
export function poolsIn({ pools }: Pick<Pools, 'pools'>, cluster: string): readonly Pool[] {
  return pools.filter((pool) => isOpenIn(pool, cluster));
}

/** The families that a pool has addresses of, IPv4 first. */
export function familiesOf({ ranges }: Pool): readonly Family[] {
  return bothFamilies.filter((family) => ranges.some(({ from }) => from.family === family));
}

/**
 * The address by which clients beyond the NAT of a pool reach one of its addresses: the address
 * itself when no rule has it.
 */
export function publicAddress({ nat }: Pick<Pool, 'nat'>, address: Address): Address {
  const rule = nat.find(({ inside }) => rangeHas(inside, address));
  if (!rule) return address;
  const { inside, outside } = rule;
  const place = rangeSize(outside) === 1n ? 0n : address.value - inside.from.value;
  return { family: address.family, value: outside.from.value + place };
}

/** The addresses of a pool that a public address is for, as ranges: none, one, or all of a rule. */
export function insideRanges(
  { nat }: Pick<Pool, 'nat'>,
  address: Address,
): readonly AddressRange[] {
  return nat
    .filter(({ outside }) => rangeHas(outside, address))
    .map(({ inside, outside }) => {
      if (rangeSize(outside) === 1n) return inside;
      const value = inside.from.value + (address.value - outside.from.value);
      const one = { family: address.family, value };
      return { from: one, to: one };
    });
}

/** How close a pool is to its last free address, the best level first. */
export type FillLevel = 'ample' | 'filling' | 'nearly full' | 'full';

/**
 * The levels before `full`: at least `percent` of the usable addresses are in use, or fewer than
 * `days` are left until none is free. The plan, the page, the terminal, the alerts and the
 * dashboard share them.
 */
export const fillThresholds = {
  filling: { percent: 80, days: 60 },
  'nearly full': { percent: 90, days: 14 },
} as const;

/** The level of a pool; `daysLeft` is the forecast, when there is one. */
export function fillLevelOf(percent: number, daysLeft = Number.POSITIVE_INFINITY): FillLevel {
  const isPast = (level: keyof typeof fillThresholds) =>
    percent >= fillThresholds[level].percent || daysLeft < fillThresholds[level].days;
  if (percent >= 100) return 'full';
  if (isPast('nearly full')) return 'nearly full';
  return isPast('filling') ? 'filling' : 'ample';
}
