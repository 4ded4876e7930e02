import type { IPFamily, Pin } from './lease.ts';
import type { Position } from './problem.ts';

/** Transport protocol of a Service's port. */
export type ServiceProtocol = 'TCP' | 'UDP' | 'SCTP';

/** One port of a Service. */
export interface ServicePort {
  /** The port on the address, 1 to 65535. */
  readonly port: number;
  /** The pods' port; undefined where they name it, or where nobody says. */
  readonly targetPort: number | undefined;
  readonly protocol: ServiceProtocol;
}

/** A port that a Service takes on every node: `nodePort` of a port, or `healthCheckNodePort`. */
export interface NodePort {
  readonly port: number;
  readonly at: Position;
}

/** What a Service or a Reservation asks of its address, whichever way it is written. */
export interface ServiceTerms {
  readonly zone: string | undefined;
  readonly pool: string | undefined;
  readonly ipFamily: IPFamily;
  /** At most one of a family. */
  readonly pins: readonly Pin[];
  /** Whole days the address is kept after release, 0 to 30. */
  readonly retentionPeriodDays: number;
  /** Services of one namespace and one key share an address; undefined stands alone. As its author wrote it. */
  readonly sharingKey: string | undefined;
  /** The name of the ownership key, a file below `leases/keys/<namespace>/`; undefined for none. */
  readonly secret: { readonly name: string; readonly at: Position } | undefined;
  /** A proof of ownership, as `leasehold key sign` prints it. */
  readonly signature: { readonly text: string; readonly at: Position } | undefined;
  /** True when `leasehold cleanup` must leave the lease alone. */
  readonly denyExternalCleanup: boolean;
}

interface NamedService extends ServiceTerms {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly ports: readonly ServicePort[];
  readonly at: Position;
}

/** A declared Service, which comes out whole, as its author wrote it. */
export interface DeclaredService extends NamedService {
  readonly kind: 'Service';
  /** False for one of another type than LoadBalancer: it comes out too, and has no address. */
  readonly isLeased: boolean;
  /** The families in the order that `spec.ipFamilies` gives them, the first being the primary one. */
  readonly familyOrder: readonly ('ipv4' | 'ipv6')[];
  /** The selector in one canonical text when `externalTrafficPolicy` is Local; undefined when it is Cluster. */
  readonly localBackend: string | undefined;
  /** True when its author pins it by MetalLB's own annotation, beside which MetalLB refuses `spec.loadBalancerIP`. */
  readonly isPinnedByAnnotation: boolean;
  /** The node ports that it names; the API server picks others. */
  readonly nodePorts: readonly NodePort[];
  /** What its author wrote, without what leasehold fills in. */
  readonly written: WrittenService;
}

/** The parts of a declared Service that are passed on. */
export interface WrittenService {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: Readonly<Record<string, unknown>>;
}

/** An address for a Service that something else renders, such as a Helm chart. */
export interface Reservation extends NamedService {
  readonly kind: 'Reservation';
}

/** What names a Service or a Reservation: `service/<namespace>/<name>`. */
export function serviceIdText({
  namespace,
  name,
}: {
  readonly namespace: string;
  readonly name: string;
}): string {
  return `service/${namespace}/${name}`;
}
