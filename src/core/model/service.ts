import type { Family } from '../net/address.ts';
import type { DeclaredDnsName, IPFamily, Pin } from './lease.ts';
import { compareText } from './order.ts';
import type { Position } from './problem.ts';

/** Transport protocol of a Service's port. */
export type ServiceProtocol = 'TCP' | 'UDP' | 'SCTP';

/** One port of a Service. */
export interface ServicePort {
  /** The port on the address, 1 to 65535. */
  readonly port: number;
  /** The pods' port; undefined when it is named or not declared. */
  readonly targetPort: number | undefined;
  readonly protocol: ServiceProtocol;
}

/** A port that a Service uses on every node: `nodePort` of a port, or `healthCheckNodePort`. */
export interface NodePort {
  readonly port: number;
  readonly at: Position;
}

/** The requests of a Service or a Reservation for its address. */
export interface ServiceTerms {
  readonly zone: string | undefined;
  readonly pool: string | undefined;
  /** The name of an advertisement of the pool file; undefined for that of the pool. */
  readonly advertisement: string | undefined;
  readonly ipFamily: IPFamily;
  /** At most one of a family. */
  readonly pins: readonly Pin[];
  /** Whole days the address is kept after release, 0 to 30. */
  readonly retentionDays: number;
  /**
   * The key in the declaration: Services of one namespace with the same key share an address.
   * Undefined for an address of its own.
   */
  readonly sharingKey: string | undefined;
  /**
   * The key that MetalLB compares, when it was given before leasehold had the Service. Undefined for
   * leasehold's own.
   */
  readonly liveSharingKey: string | undefined;
  readonly dns: readonly DeclaredDnsName[];
  /** The name of the ownership key, a file below `leases/keys/<namespace>/`. */
  readonly secret: { readonly name: string; readonly at: Position } | undefined;
  /** A proof of ownership, as `leasehold key sign` prints it. */
  readonly signature: { readonly text: string; readonly at: Position } | undefined;
  /** True when `leasehold release --cluster` must not end the lease. */
  readonly denyExternalCleanup: boolean;
}

interface NamedService extends ServiceTerms {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly ports: readonly ServicePort[];
  /**
   * The selector in one canonical text when `externalTrafficPolicy` is Local; undefined when it is
   * Cluster.
   */
  readonly localBackend: string | undefined;
  readonly at: Position;
}

/**
 * The text of a selector that MetalLB compares for Services with `externalTrafficPolicy: Local`.
 * MetalLB: internal/allocator/k8salloc, BackendKey.
 */
export function backendText(selector: Readonly<Record<string, string>>): string {
  return Object.entries(selector)
    .sort(([left], [right]) => compareText(left, right))
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

/** A declared Service. Its manifest has everything that the declaration has. */
export interface DeclaredService extends NamedService {
  readonly kind: 'Service';
  /** False for a type other than LoadBalancer. Such a Service gets a manifest, but no address. */
  readonly isLeased: boolean;
  /** The families in the order of `spec.ipFamilies`, the primary one first. */
  readonly familyOrder: readonly Family[];
  /**
   * True when it is pinned by MetalLB's own annotation. MetalLB rejects `spec.loadBalancerIP`
   * beside it.
   */
  readonly isPinnedByAnnotation: boolean;
  /** The declared node ports. The API server chooses the others. */
  readonly nodePorts: readonly NodePort[];
  /** The declaration without the fields that leasehold adds. */
  readonly written: WrittenService;
}

/** The parts of a declared Service that go into its manifest. */
export interface WrittenService {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: Readonly<Record<string, unknown>>;
}

/** A reserved address for a Service that is rendered elsewhere, such as by a Helm chart. */
export interface Reservation extends NamedService {
  readonly kind: 'Reservation';
  /** The Gateway whose controller makes the Service; undefined for a Service without one. */
  readonly gateway: GatewayRef | undefined;
}

/** A Gateway of the Gateway API. */
export interface GatewayRef {
  readonly namespace: string;
  readonly name: string;
}

/** True when two Services or Reservations are equal, apart from their places. */
export function isSameService(
  left: DeclaredService | Reservation,
  right: DeclaredService | Reservation,
): boolean {
  return comparable(left) === comparable(right);
}

/** A value as a text, without places, in an order that does not depend on the author's. */
function comparable(service: object): string {
  return JSON.stringify(service, (key, value: unknown) => {
    if (key === 'at') return undefined;
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const entries = Object.entries(value).sort(([one], [other]) => compareText(one, other));
    return Object.fromEntries(entries);
  });
}

/** The text of a Service or a Reservation: `service/<namespace>/<name>`. */
export function serviceIdText({
  namespace,
  name,
}: {
  readonly namespace: string;
  readonly name: string;
}): string {
  return `service/${namespace}/${name}`;
}

/** The declared Services that get no address. */
export function withoutAddress(
  services: readonly (DeclaredService | Reservation)[],
): readonly DeclaredService[] {
  return services.filter((one): one is DeclaredService => one.kind === 'Service' && !one.isLeased);
}

/** The reason why a declared Service gets no address. */
export function withoutAddressText({ namespace, name, written }: DeclaredService): string {
  return `Service ${namespace}/${name} gets no address: its type is ${written.spec.type}, not LoadBalancer`;
}
