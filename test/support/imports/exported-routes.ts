import { leaseNamespace } from '../../../src/core/manifests/names.ts';
import { provider, tenant } from './exported-cluster.ts';

/** What a test says of a live HTTPRoute or Ingress. */
export interface ExportedRoute {
  readonly name: string;
  readonly namespace?: string;
  readonly hostnames: readonly string[];
  readonly service?: string;
  readonly port?: number;
  readonly metadata?: object;
  /** Further fields of the spec, or others than usual. */
  readonly spec?: object;
}

/** The `routes` of a cluster whose routes are those of {@link exportedRoute}. */
export const gatewayRoutes = '{ kind: HTTPRoute, gateway: { namespace: gateways, name: public } }';

/** The usual rule of an HTTPRoute: all requests to one Service. */
export function ruleTo(service = 'web', port = 8080): object {
  return {
    matches: [{ path: { type: 'PathPrefix', value: '/' } }],
    backendRefs: [{ group: '', kind: 'Service', name: service, port, weight: 1 }],
  };
}

/** An HTTPRoute as the API server gives it. */
export function exportedRoute(route: ExportedRoute): object {
  const { name, namespace = 'shop', hostnames, service, port, metadata, spec } = route;
  const gateway = { group: 'gateway.networking.k8s.io', kind: 'Gateway' };
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name, namespace, resourceVersion: '77', ...metadata },
    spec: {
      parentRefs: [{ ...gateway, namespace: 'gateways', name: 'public' }],
      hostnames,
      rules: [ruleTo(service, port)],
      ...spec,
    },
  };
}

/** A path of an Ingress: all requests to one Service. */
export function pathTo(service = 'web', port: object = { number: 8080 }): object {
  return { path: '/', pathType: 'Prefix', backend: { service: { name: service, port } } };
}

/** An Ingress as the API server gives it. */
export function exportedIngress(route: ExportedRoute): object {
  const { name, namespace = 'shop', hostnames, service, port = 8080, metadata, spec } = route;
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, namespace, resourceVersion: '78', ...metadata },
    spec: {
      ingressClassName: 'nginx',
      rules: hostnames.map((host) => ({
        host,
        http: { paths: [pathTo(service, { number: port })] },
      })),
      ...spec,
    },
    status: { loadBalancer: {} },
  };
}

/** What a test says of a hostname of a lease. */
export interface ExportedHost {
  readonly hostname: string;
  readonly dseq?: number;
  readonly owner?: string;
  readonly service?: string;
  readonly externalPort?: number;
  /** The annotations of its route, in the domain that the operator uses. */
  readonly annotations?: object;
}

const akashLabels = (dseq: number, owner: string): object => ({
  'akash.network': 'true',
  'akash.network/lease.id.dseq': String(dseq),
  'akash.network/lease.id.gseq': '1',
  'akash.network/lease.id.oseq': '1',
  'akash.network/lease.id.owner': owner,
  'akash.network/lease.id.provider': provider,
});

/** A `ProviderHost` as the Akash provider writes it. */
export function exportedHost(host: ExportedHost): object {
  const { hostname, dseq = 18500001, owner = tenant, service = 'web', externalPort = 80 } = host;
  return {
    apiVersion: 'akash.network/v2beta2',
    kind: 'ProviderHost',
    metadata: {
      name: hostname,
      namespace: 'lease',
      labels: akashLabels(dseq, owner),
      annotations: { 'akash.network/lease.updated_at': '2026-10-01T10:00:00Z' },
    },
    spec: {
      dseq,
      external_port: externalPort,
      gseq: 1,
      hostname,
      oseq: 1,
      owner,
      provider,
      service_name: service,
    },
  };
}

/** The same, and the HTTPRoute that the hostname operator made of it. */
export function exportedHostRoute(host: ExportedHost): readonly [host: object, route: object] {
  return [exportedHost(host), exportedRoute({ ...routeOf(host), port: 80 })];
}

/** The same, and the Ingress that the hostname operator made of it. */
export function exportedHostIngress(host: ExportedHost): readonly [host: object, route: object] {
  return [exportedHost(host), exportedIngress({ ...routeOf(host), port: 80 })];
}

function routeOf(host: ExportedHost): ExportedRoute {
  const { hostname, dseq = 18500001, owner = tenant, service = 'web', annotations = {} } = host;
  const lease = { owner, dseq: String(dseq), gseq: 1, oseq: 1, provider };
  return {
    name: hostname,
    namespace: leaseNamespace('akash', lease),
    hostnames: [hostname],
    service,
    metadata: { labels: akashLabels(dseq, owner), annotations },
  };
}
