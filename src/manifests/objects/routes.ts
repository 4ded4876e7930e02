import { k8s } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import type { Hostname } from '../../model/hostname.ts';
import type { Routes } from '../../model/pools.ts';
import { PlainObject, staticObject } from '../dist-app.ts';
import { type Manifest, managedBy, wave } from '../manifest.ts';
import { routeName } from '../names.ts';

/** Adds the route of a hostname, of the kind that its cluster has. */
export function addRoute(chart: Construct, routes: Routes, declared: Hostname): void {
  if (routes.kind === 'Ingress') {
    new HostnameIngress(chart, 'route', routes.className, declared);
  } else {
    new PlainObject(chart, 'route', httpRoute(routes.gateway, declared));
  }
}

/**
 * The HTTPRoute of a hostname, with the defaults of the API server: it is live as it is committed.
 * cdk8s-plus-28 has no class for it.
 */
function httpRoute(
  gateway: { readonly namespace: string; readonly name: string },
  { namespace, service, port, hostname }: Hostname,
): Manifest {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: {
      name: routeName(hostname),
      namespace,
      labels: { ...managedBy },
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

/** The Ingress of a hostname, without TLS. */
class HostnameIngress extends staticObject(k8s.KubeIngress) {
  constructor(
    scope: Construct,
    id: string,
    className: string,
    { namespace, service, port, hostname }: Hostname,
  ) {
    super(scope, id, {
      metadata: {
        name: routeName(hostname),
        namespace,
        labels: { ...managedBy },
        annotations: wave('ingress'),
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
