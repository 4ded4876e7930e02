import { hostnameText, leaseHostText } from '../declarations/hostname-text.ts';
import { provider } from '../declarations/pools-and-claims.ts';
import { poolsText } from '../declarations/pools-text.ts';
import { declared, service } from './declared.ts';
import type { KubeObject } from './kube.ts';
import { traefikGateway } from './machines/traefik.ts';
import { httpPort } from './wire/wire.ts';

const gateway = { namespace: 'gateways', name: 'public' } as const;
/** The Gateway of all hostnames, which its owner applies. */
export const publicGateway = traefikGateway(gateway.namespace, gateway.name);
/** Where Traefik listens on the first node. */
export const traefikPort = 8000;

/** How the cluster routes, as a field of it in the pool file. */
export const byGateway = `{ kind: HTTPRoute, gateway: { namespace: gateways, name: public }, service: { namespace: gateways, name: traefik } }`;
export const byIngress = `{ kind: Ingress, className: traefik, service: { namespace: gateways, name: traefik } }`;

/** A pool file of one cluster that routes hostnames so. */
export function poolsWith(routes: string): string {
  return poolsText(`provider: ${provider}
metallb: { version: 0.16.1 }
clusters: [{ name: default, routes: ${routes} }]
emit: { dnsEndpoints: true }
defaultZone: lan
pools: [{ name: lan, zone: lan, addresses: [192.168.77.128/28, 'fd77::80/124'] }]
`);
}

/** The leased address of Traefik, and the hostnames of two tenants. */
export const routedNames = {
  'leases/pools.yaml': poolsWith(byGateway),
  'leases/gateways/traefik.yaml': declared('gateways', 'traefik', {
    annotations: {
      'ipam.vitistack.io/ip-family': 'dual',
      'leasehold.dev/dns': 'gateway.example.net,*.gateway.example.net',
    },
    spec: { ports: [{ port: 80, targetPort: traefikPort }] },
  }),
  'leases/shop/shop.yaml': hostnameText('shop.example.com', { port: httpPort }),
  'leases/shop/apps.yaml': hostnameText('*.apps.example.com', { port: httpPort, service: 'api' }),
  'leases/tenant/1.yaml': leaseHostText('1', 'blog.example.com'),
};

/** A Service that its owner applies, and which a hostname routes to. */
export const backend = (namespace: string, name: string, port: number) =>
  service(namespace, name, {
    spec: { type: 'ClusterIP', ports: [{ port, targetPort: httpPort }] },
  });

/** The namespace of a tenant who leases nothing. */
export const thief: KubeObject = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'thief' },
};

/** A route that somebody made without leasehold. */
export const strangersRoute: KubeObject = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata: { namespace: 'thief', name: 'stranger' },
  spec: {
    parentRefs: [gateway],
    hostnames: ['shop.example.com'],
    rules: [
      {
        matches: [{ path: { type: 'PathPrefix', value: '/login' } }],
        backendRefs: [{ name: 'web', port: httpPort }],
      },
    ],
  },
};

/** A policy of TLS to a Service that hostnames lead to, whose authority is missing. */
export const brokenPolicy: KubeObject = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'BackendTLSPolicy',
  metadata: { namespace: 'shop', name: 'broken' },
  spec: {
    targetRefs: [{ group: '', kind: 'Service', name: 'api' }],
    validation: {
      hostname: 'shop.example.com',
      caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: 'nowhere' }],
    },
  },
};
