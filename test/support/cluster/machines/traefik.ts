import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { KubeObject } from '../kube.ts';
import { objectsBelow } from '../manifests.ts';
import { programFolder } from '../programs/programs.ts';
import type { Keeper, Running } from './keeper.ts';

/** The definitions of the Gateway API. */
export function gatewayDefinitions(): readonly KubeObject[] {
  return objectsBelow(join(programFolder('gateway-api'), 'standard')).filter(
    ({ kind }) => kind === 'CustomResourceDefinition',
  );
}

/** The classes by which a Gateway and an Ingress choose Traefik. */
export const traefikClasses: readonly KubeObject[] = [
  {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'GatewayClass',
    metadata: { name: 'traefik' },
    spec: { controllerName: 'traefik.io/gateway-controller' },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name: 'traefik' },
    spec: { controller: 'traefik.io/ingress-controller' },
  },
];

/** A Gateway of Traefik with one listener for HTTP, for routes of all namespaces. */
export function traefikGateway(namespace: string, name: string): KubeObject {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { namespace, name },
    spec: {
      gatewayClassName: 'traefik',
      listeners: [
        {
          name: 'web',
          port: 80,
          protocol: 'HTTP',
          allowedRoutes: { namespaces: { from: 'All' } },
        },
      ],
    },
  };
}

/** Where Traefik runs. */
interface TraefikPlace {
  readonly keeper: Pick<Keeper, 'start'>;
  readonly kubeconfig: string;
  readonly port: number;
}

/** Starts Traefik on all addresses of a network. It takes the routes of {@link traefikClasses}. */
export function startTraefik({ keeper, kubeconfig, port }: TraefikPlace): Promise<Running> {
  return keeper.start({
    name: 'traefik',
    command: join(programFolder('traefik'), 'traefik'),
    args: [String(port)],
    env: { KUBECONFIG: kubeconfig },
  });
}

/** What came of a request for a host. */
interface Response {
  readonly status: number;
  /** The server that Traefik chose, as Traefik names it; empty for none. */
  readonly routedTo: string;
  readonly body: string;
}

/** Asks an address for a page of a host, as a browser does that found the address in DNS. */
export function askHost(address: string, host: string, path = '/'): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: address, port: 80, path, headers: { host }, agent: false },
      (answer) => {
        const { statusCode = 0, headers } = answer;
        const routedTo = String(headers['routed-to'] ?? '');
        text(answer).then((body) => resolve({ status: statusCode, routedTo, body }), reject);
      },
    );
    sent.on('error', reject);
    sent.setTimeout(5_000, () => sent.destroy(new Error(`${host} does not answer`)));
    sent.end();
  });
}
