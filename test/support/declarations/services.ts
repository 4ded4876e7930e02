import { claimsOfService } from '../../../src/core/declarations/claims.ts';
import type { AnycastGroup } from '../../../src/core/model/pools.ts';
import { startOf } from '../../../src/core/model/problem.ts';
import type {
  DeclaredService,
  Reservation,
  ServicePort,
  WrittenService,
} from '../../../src/core/model/service.ts';
import { aPlacement } from './pools-and-claims.ts';

const port: ServicePort = { port: 80, targetPort: 8080, protocol: 'TCP' };

/** What a test says about a Service; `spec`, `labels` and `annotations` are what its author wrote beside the rest. */
export type ServiceWords = Partial<Omit<DeclaredService, 'written'>> & Partial<WrittenService>;

/** The Service `shop/web` on 80/TCP that wants an IPv4 address. What it has written follows from the rest. */
export function aService(words: ServiceWords = {}): DeclaredService {
  const { labels = {}, annotations = {}, spec = {}, ...changes } = words;
  const name = changes.name ?? 'web';
  const namespace = changes.namespace ?? 'shop';
  const ports = changes.ports ?? [port];
  return {
    kind: 'Service',
    cluster: 'default',
    namespace,
    name,
    ports,
    isLeased: true,
    zone: undefined,
    pool: undefined,
    advertisement: undefined,
    ipFamily: 'ipv4',
    familyOrder: changes.ipFamily === 'dual' ? ['ipv4', 'ipv6'] : [changes.ipFamily ?? 'ipv4'],
    pins: [],
    dns: [],
    retentionDays: 0,
    sharingKey: undefined,
    liveSharingKey: undefined,
    secret: undefined,
    signature: undefined,
    denyExternalCleanup: false,
    localBackend: undefined,
    isPinnedByAnnotation: false,
    nodePorts: [],
    at: startOf(`leases/${namespace}/${name}.yaml`),
    ...changes,
    written: {
      labels,
      annotations,
      spec: {
        type: changes.isLeased === false ? 'ClusterIP' : 'LoadBalancer',
        allocateLoadBalancerNodePorts: false,
        externalTrafficPolicy: 'Cluster',
        ports: ports.map(({ port, targetPort, protocol }) => ({
          name: `${port}-${protocol.toLowerCase()}`,
          port,
          targetPort: targetPort ?? port,
          protocol,
        })),
        selector: { app: name },
        ...spec,
      },
    },
  };
}

/** An address for the Service `shop/web`, which something else renders, on 80/TCP. */
export function aReservation(changes: Partial<Reservation> = {}): Reservation {
  const name = changes.name ?? 'web';
  const namespace = changes.namespace ?? 'shop';
  return {
    kind: 'Reservation',
    gateway: undefined,
    cluster: 'default',
    namespace,
    name,
    ports: [{ ...port, targetPort: undefined }],
    zone: undefined,
    pool: undefined,
    advertisement: undefined,
    ipFamily: 'ipv4',
    pins: [],
    dns: [],
    retentionDays: 0,
    sharingKey: undefined,
    liveSharingKey: undefined,
    secret: undefined,
    signature: undefined,
    denyExternalCleanup: false,
    localBackend: undefined,
    at: startOf(`leases/${namespace}/${name}.yaml`),
    ...changes,
  };
}

/** The holder of some Services on addresses: without more, {@link aService} on 203.0.113.7. */
export function aServicePlacement(
  services: readonly (DeclaredService | Reservation)[] = [aService()],
  addresses: readonly string[] = ['203.0.113.7'],
  anycast: readonly AnycastGroup[] = [],
) {
  const claims = services.flatMap((service) => claimsOfService(service, anycast));
  return aPlacement({ claims, addresses });
}
