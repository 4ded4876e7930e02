import { k8s } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import type { Hostname, LeaseHostname } from '../../model/hostname.ts';
import type { HttpOptions } from '../../model/lease.ts';
import type { Naming, Routes } from '../../model/pools.ts';
import { PlainObject, staticObject } from '../dist-app.ts';
import { akashManaged, leaseLabels, type Manifest, managedBy, wave } from '../manifest.ts';
import { hostnameNamespace, leasedIPNamespace, routeName } from '../names.ts';
import { ingressNginxAnnotations, nginxGateway, nginxPolicies } from './http-options.ts';

/** Adds the route of a hostname, of the kind that its cluster has. */
export function addRoute(
  chart: Construct,
  naming: Naming,
  routes: Routes,
  declared: Hostname,
): void {
  const route = { ...declared, namespace: hostnameNamespace(naming, declared) };
  if (routes.kind === 'Ingress') {
    new HostnameIngress(chart, 'route', routes, route);
    return;
  }
  const object = httpRoute(routes.gateway, route);
  new PlainObject(chart, 'route', object);
  if (!declared.lease || routes.controller !== nginxGateway) return;
  for (const policy of nginxPolicies(object.metadata, declared.http)) {
    new PlainObject(chart, policy.kind, policy);
  }
}

/** A hostname with the namespace of its Service and route. */
type Route = Pick<Hostname, 'service' | 'port' | 'hostname' | 'lease'> & {
  readonly namespace: string;
  /** Undefined for a hostname without a lease. */
  readonly http?: HttpOptions;
};

/**
 * The labels of an object of a hostname. The Akash operator does not start when an object with the
 * label of the provider lacks one of the lease.
 */
function labelsOf({ lease }: Pick<Hostname, 'lease'>) {
  return lease ? { ...leaseLabels(lease), ...akashManaged } : { ...managedBy };
}

/**
 * The `ProviderHost` of a hostname of a lease, without the time of its last change. Akash provider:
 * cluster/kube/client_hostname_connections.go DeclareHostname. Its dseq is a number, and a large
 * one has more digits than a number of JavaScript.
 */
export function providerHostManifest(declared: LeaseHostname): Manifest {
  const { lease, hostname, service, port } = declared;
  return {
    apiVersion: 'akash.network/v2beta2',
    kind: 'ProviderHost',
    metadata: {
      name: routeName(hostname),
      namespace: leasedIPNamespace,
      labels: labelsOf(declared),
      annotations: wave('providerHost'),
    },
    spec: {
      owner: lease.owner,
      provider: lease.provider,
      hostname,
      dseq: BigInt(lease.dseq),
      gseq: lease.gseq,
      oseq: lease.oseq,
      service_name: service,
      external_port: port,
    },
  };
}

/**
 * The HTTPRoute of a hostname, with the defaults of the API server: it is live as it is committed.
 * cdk8s-plus-28 has no class for it.
 */
function httpRoute(
  gateway: { readonly namespace: string; readonly name: string },
  route: Route,
): Manifest {
  const { namespace, service, port, hostname } = route;
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: {
      name: routeName(hostname),
      namespace,
      labels: labelsOf(route),
      annotations: wave('httpRoute'),
    },
    spec: {
      parentRefs: [
        {
          group: 'gateway.networking.k8s.io',
          kind: 'Gateway',
          namespace: gateway.namespace,
          name: gateway.name,
        },
      ],
      hostnames: [hostname],
      rules: [
        {
          matches: [{ path: { type: 'PathPrefix', value: '/' } }],
          backendRefs: [{ group: '', kind: 'Service', name: service, port, weight: 1 }],
        },
      ],
    },
  };
}

type IngressRoutes = Extract<Routes, { kind: 'Ingress' }>;

/** The Ingress of a hostname, without TLS. */
class HostnameIngress extends staticObject(k8s.KubeIngress) {
  constructor(
    scope: Construct,
    id: string,
    { className, controller }: IngressRoutes,
    route: Route,
  ) {
    const { namespace, service, port, hostname, http } = route;
    const options = http && controller ? ingressNginxAnnotations(http) : {};
    super(scope, id, {
      metadata: {
        name: routeName(hostname),
        namespace,
        labels: labelsOf(route),
        annotations: { ...wave('ingress'), ...options },
      },
      spec: {
        ingressClassName: className,
        rules: [
          {
            host: hostname,
            http: {
              paths: [
                {
                  path: '/',
                  pathType: 'Prefix',
                  backend: { service: { name: service, port: { number: port } } },
                },
              ],
            },
          },
        ],
      },
    });
  }
}
