import type { k8s } from 'cdk8s-plus-28';
import type { ProviderHostSpec } from '../../../../imports/akash.network.ts';
import type { Hostname, LeaseHostname } from '../../model/hostname.ts';
import type { HttpOptions } from '../../model/lease.ts';
import { type Naming, nginxGateway, type Routes } from '../../model/pools.ts';
import { akashManaged, leaseLabels, type Manifest, managedBy, wave } from '../manifest.ts';
import { hostnameNamespace, leasedIPNamespace, routeName } from '../names.ts';
import type { Written } from '../written-fields.ts';
import { ingressNginxAnnotations, nginxPolicies } from './http-options.ts';

/**
 * Returns the route of a hostname, of the kind that its cluster has, and the policies of its
 * controller.
 */
export function routeManifests(
  naming: Naming,
  routes: Routes,
  declared: Hostname,
): readonly Manifest[] {
  const route = { ...declared, namespace: hostnameNamespace(naming, declared) };
  if (routes.kind === 'Ingress') return [ingressManifest(routes, route)];
  const object = httpRoute(routes.gateway, route);
  return declared.lease && routes.controller === nginxGateway
    ? [object, ...nginxPolicies(object.metadata, declared.http)]
    : [object];
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
  return lease ? Object.assign(leaseLabels(lease), akashManaged) : { ...managedBy };
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
    } satisfies { readonly [Field in keyof Written<ProviderHostSpec>]: unknown },
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

/** Returns the Ingress of a hostname, without TLS. */
function ingressManifest({ className, controller }: IngressRoutes, route: Route): Manifest {
  const { namespace, service, port, hostname, http } = route;
  const backend = { service: { name: service, port: { number: port } } };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      name: routeName(hostname),
      namespace,
      labels: labelsOf(route),
      annotations: wave('ingress', http && controller ? ingressNginxAnnotations(http) : {}),
    },
    spec: {
      ingressClassName: className,
      rules: [{ host: hostname, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
    } satisfies Written<k8s.IngressSpec>,
  };
}
