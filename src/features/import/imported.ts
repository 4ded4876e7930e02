import type { HttpOptions, Protocol } from '../../core/model/lease.ts';
import type { Plane } from '../../core/model/planes.ts';
import type {
  Advertise,
  PoolAdvertisement,
  RouteControllerName,
  Routes,
} from '../../core/model/pools.ts';
import type { Position } from '../../core/model/problem.ts';
import type { GatewayRef, ServiceProtocol } from '../../core/model/service.ts';
import type { Address } from '../../core/net/address.ts';
import type { AddressRange } from '../../core/net/range.ts';
import type { ImportNote } from '../../lib/foreign/source-reader.ts';

/** One entry of the addresses of an imported pool. */
export interface ImportedRange {
  readonly range: AddressRange;
  readonly at: Position;
}

/** Addresses of an imported pool that must not be allocated. */
export interface ImportedReserve {
  readonly range: AddressRange;
  /** The owner or purpose, as one phrase for a person. */
  readonly why: string;
  readonly at: Position;
  /** True for what leasehold's own export wrote for a range of a pool, maybe of another repository. */
  readonly isExported?: true;
}

/** A pool of a source, reduced to what `leases/pools.yaml` can express. */
export interface ImportedPool {
  /** An RFC 1123 label. */
  readonly name: string;
  /**
   * True when the name was made up by the import. A declared pool with the same addresses is then
   * the same pool, even under another name.
   */
  readonly isNamedHere?: boolean;
  /**
   * True when it lists only the addresses in use of a zone. A declared pool of that name contains
   * them, or is extended by those that it lacks.
   */
  readonly isInUse?: boolean;
  /** True when it does not serve every Service: `serviceAllocation` of MetalLB, the label of leasehold on Cilium. */
  readonly isFenced?: boolean;
  /**
   * True for `autoAssign: false` of MetalLB: a Service must request the pool by name. False when
   * MetalLB gives its addresses to any Service; undefined when the source does not say.
   */
  readonly isAsked?: boolean | undefined;
  /** An RFC 1123 label; undefined when the source names no zone. */
  readonly zone?: string | undefined;
  /** At least one, in the order of the source. */
  readonly ranges: readonly ImportedRange[];
  /** All within `ranges`, in any order; they may overlap. */
  readonly reserved?: readonly ImportedReserve[];
  readonly avoidBuggyIPs: boolean;
  /** At least one. */
  readonly advertise: readonly PoolAdvertisement[];
  /** Position of its name in the source. */
  readonly at: Position;
}

/** An object with announcements that leasehold does not write. */
export interface KeptObject {
  readonly kind: Advertise['kind'];
  readonly name: string;
  /** Its name in notes. */
  readonly subject: string;
  readonly at: Position;
}

/** The objects of a live cluster that have addresses or hostnames, in the order of the source. */
export interface ImportedLive {
  readonly services: readonly LiveService[];
  readonly leasedIPs: readonly LiveLeasedIP[];
  readonly providerHosts: readonly LiveProviderHost[];
  readonly routes: readonly LiveRoute[];
  /** Addresses used by objects that cannot be declared. */
  readonly taken: readonly TakenAddress[];
}

/** The content of a source, without guesses. The notes list what could not be imported. */
export interface Imported {
  /** In the order of the source. */
  readonly pools: readonly ImportedPool[];
  /** The live objects; undefined when the source does not list any. */
  readonly live?: ImportedLive;
  readonly notes: readonly ImportNote[];
  /** The objects that must stay, by `advertisementKey`. */
  readonly kept?: ReadonlyMap<string, KeptObject>;
  /** The default zone for a new pool file, if the source knows one. */
  readonly defaultZone?: string;
  /** True when live objects use the pools, although the source does not list them. */
  readonly isServing?: boolean;
  /** The data plane of its cluster; MetalLB when undefined. */
  readonly plane?: Plane['kind'];
  /** The namespace of the data plane; undefined when the source names none, or two. */
  readonly namespace: string | undefined;
  /** The version of the running data plane, if known. */
  readonly version?: string | undefined;
  /** Its load balancer class; undefined when it has none, or the source does not say. */
  readonly loadBalancerClass?: string | undefined;
}

/** A live Service of type LoadBalancer, and the declaration that describes it. */
export interface LiveService {
  readonly namespace: string;
  readonly name: string;
  /** At least one. */
  readonly ports: readonly { readonly port: number; readonly protocol: ServiceProtocol }[];
  /** The addresses from its load balancer, IPv4 first; at least one. */
  readonly addresses: readonly Address[];
  /** True when it only asks for these addresses: no load balancer has given it one. */
  readonly isPending: boolean;
  /** True when it asks its plane for addresses, and not only for any. */
  readonly isPinned: boolean;
  /** The sharing key that the data plane reads; undefined for none. */
  readonly sharingKey: string | undefined;
  /** The pool requested by MetalLB's annotation; undefined for none. */
  readonly asksPool: string | undefined;
  /** The tool that manages the object, such as `Helm`; undefined when no tool is known to. */
  readonly manager: string | undefined;
  /** The Gateway whose controller makes it; undefined when it is not known to be of one. */
  readonly gateway: GatewayRef | undefined;
  /** The reason why it cannot be declared as it is; undefined when there is none. */
  readonly obstacle: string | undefined;
  /** True when the Akash provider's operator created it for a `ProviderLeasedIP`. */
  readonly isOfLease: boolean;
  /** Its labels as they are, for selectors. */
  readonly labels: ReadonlyMap<string, string>;
  /** True when it has the label that closed pools of leasehold select. */
  readonly isLabelled: boolean;
  /** True when it is being deleted. */
  readonly isGoing: boolean;
  /**
   * The author's fields, without those filled in by the API server or the data plane, and with its
   * addresses as a pin.
   */
  readonly written: WrittenLive;
  /** Further settings of its author, from the annotations of the source. */
  readonly terms?: LiveTerms;
  readonly at: Position;
}

/** Settings of the author besides an address. Defaults are undefined, 0 or false. */
export interface LiveTerms {
  readonly zone: LiveTerm | undefined;
  /** Only when it agrees with the addresses. */
  readonly ipFamily: 'ipv6' | 'dual' | undefined;
  readonly retentionDays: number;
  readonly denyExternalCleanup: boolean;
  /** The name of a secret, never its value. */
  readonly secret: LiveTerm | undefined;
  /** The key by which other Services may share its address. */
  readonly sharingKey: LiveTerm | undefined;
  /** Settings that cannot be declared, or not in the same way. */
  readonly notes: readonly LiveTermNote[];
}

/** A note about one setting. */
export interface LiveTermNote {
  readonly effect: 'changed' | 'left';
  readonly subject: string;
  readonly message: string;
  readonly at: Position;
}

/** The value of a setting, and its position. */
export interface LiveTerm {
  readonly text: string;
  readonly at: Position;
}

/** The parts of a live Service that a declaration contains. */
export interface WrittenLive {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: Readonly<Record<string, unknown>>;
}

/** The fields of every live object of an Akash lease. */
interface LiveOfLease {
  readonly name: string;
  readonly owner: string;
  /** As text: a number would lose digits. */
  readonly dseq: string;
  readonly gseq: number;
  readonly oseq: number;
  readonly provider: string;
  readonly service: string;
  readonly externalPort: number;
  /** True when it is being deleted. */
  readonly isGoing: boolean;
  readonly at: Position;
}

/** A live `ProviderLeasedIP`: one port of one lease. */
export interface LiveLeasedIP extends LiveOfLease {
  readonly port: number;
  readonly protocol: Protocol;
  readonly sharingKey: string;
}

/** A live `ProviderHost`: one hostname of one lease. */
export interface LiveProviderHost extends LiveOfLease {
  readonly namespace: string;
  readonly hostname: string;
}

/** The Gateway or IngressClass of a route, as `routes` of a cluster names it. */
export type RoutePlace =
  | Pick<Extract<Routes, { kind: 'HTTPRoute' }>, 'kind' | 'gateway'>
  | Pick<Extract<Routes, { kind: 'Ingress' }>, 'kind' | 'className'>;

/** A live HTTPRoute or Ingress, and what prevents that its hostnames are declared. */
export interface LiveRoute {
  readonly kind: Routes['kind'];
  readonly namespace: string;
  readonly name: string;
  /** Undefined when it is attached to nothing, or to several Gateways. */
  readonly place: RoutePlace | undefined;
  readonly hosts: readonly LiveRouteHost[];
  /** The controller that leasehold knows, if the object names it. */
  readonly controller: RouteControllerName | undefined;
  /** Its HTTP options, as far as its annotations and policies have them. */
  readonly http: Partial<HttpOptions>;
  /** The options that its controller applies. NGINX Gateway Fabric reads policies only. */
  readonly applied: ReadonlySet<string>;
  /** The reason why none of its hostnames can be declared; undefined when there is none. */
  readonly obstacle: string | undefined;
  /** Sentences about its parts that the route of leasehold does not have. */
  readonly lost: readonly string[];
  /** The tool that manages the object, such as `Helm`; undefined when no tool is known to. */
  readonly manager: string | undefined;
  /** True when the Akash provider's operator created it for a `ProviderHost`. */
  readonly isOfLease: boolean;
  /** False when it is being deleted, or when its Gateway has refused it. */
  readonly isServed: boolean;
  readonly at: Position;
}

/** A hostname of a live route. */
export interface LiveRouteHost {
  readonly hostname: string;
  /** Where it is routed to, or the reason why that cannot be declared. */
  readonly target: RouteTarget | string;
  readonly at: Position;
}

/** A port of a Service in the namespace of the route. */
export interface RouteTarget {
  readonly service: string;
  readonly port: number;
}

/** An address in use by an object that cannot be declared. */
export interface TakenAddress {
  readonly address: Address;
  readonly by: string;
  /** A sentence about `by`. */
  readonly why: string;
  readonly at: Position;
}
