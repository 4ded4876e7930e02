import { fieldAt, type LiveObject, listAt, numberAt, textAt } from '../../../core/model/live.ts';
import { objectName } from '../../../core/text/common-fields.ts';
import { ingressClass } from '../../../lib/kubernetes/live-routes.ts';
import type { LiveRouteHost, RouteTarget } from '../imported.ts';
import type { SourceObject } from '../metallb/source-object.ts';
import { placeIn, type RouteParts } from './http-route.ts';

/** The number of a named port of a Service; undefined when the source does not have it. */
export type PortNumber = (namespace: string, service: string, name: string) => number | undefined;

/** Reads the spec of an Ingress. */
export function ingressParts(
  object: SourceObject,
  live: LiveObject,
  portNumber: PortNumber,
): RouteParts {
  const className = ingressClass(live);
  const isNamed = objectName.safeParse(className).success;
  const isOfNginx = Object.keys(live.metadata.annotations ?? {}).some((key) =>
    key.startsWith('nginx.ingress.kubernetes.io/'),
  );
  return {
    place: isNamed ? { kind: 'Ingress', className } : undefined,
    hosts: hostsOf(object, live, portNumber),
    controller: isOfNginx ? 'k8s.io/ingress-nginx' : undefined,
    obstacle: isNamed ? specObstacle(live) : classObstacle(className),
    lost: [],
    isRefused: false,
  };
}

function classObstacle(className: string): string {
  return className === '' ? 'it names no class' : 'the name of its class cannot be read';
}

const specFields = ['ingressClassName', 'rules', 'tls', 'defaultBackend'];

function specObstacle({ spec }: LiveObject): string | undefined {
  if (listAt(spec, 'tls').length > 0) return "it has TLS, and leasehold's Ingress has none";
  if (fieldAt(spec, 'defaultBackend') !== undefined) return 'it has a default backend';
  const other = Object.keys(Object(spec)).find((field) => !specFields.includes(field));
  if (other !== undefined) return `it has 'spec.${other}', which a Hostname cannot have`;
  const rules = listAt(spec, 'rules');
  if (rules.length === 0) return 'it has no rules';
  return rules.some((rule) => !textAt(rule, 'host'))
    ? 'it has a rule without a host, which routes every name'
    : undefined;
}

function hostsOf(
  object: SourceObject,
  { metadata, spec }: LiveObject,
  portNumber: PortNumber,
): readonly LiveRouteHost[] {
  const rules = listAt(spec, 'rules');
  const all = rules.map((rule) => textAt(rule, 'host'));
  return rules.flatMap((rule, index) => {
    const hostname = textAt(rule, 'host');
    if (!hostname) return [];
    const isTwice = all.indexOf(hostname) !== all.lastIndexOf(hostname);
    const target = isTwice
      ? 'it has several rules for the hostname'
      : targetOf(rule, (service, name) => portNumber(metadata.namespace ?? '', service, name));
    return [{ hostname, target, at: placeIn(object, 'rules', index, 'host') }];
  });
}

/** Where all requests for the host of a rule are routed to, or the reason why not to one Service. */
function targetOf(
  rule: unknown,
  portNumber: (service: string, name: string) => number | undefined,
): RouteTarget | string {
  const [path, second] = listAt(rule, 'http', 'paths');
  if (path === undefined || second !== undefined) {
    return path === undefined ? 'it has no paths' : 'it has several paths';
  }
  const type = textAt(path, 'pathType') ?? 'ImplementationSpecific';
  if ((textAt(path, 'path') || '/') !== '/' || type === 'Exact') {
    return 'it routes only some paths, and a Hostname routes all';
  }
  const backend = fieldAt(path, 'backend', 'service');
  const service = textAt(backend, 'name');
  if (service === undefined) return 'its backend is no Service';
  const name = textAt(backend, 'port', 'name');
  const port = name === undefined ? numberAt(backend, 'port', 'number') : portNumber(service, name);
  if (port !== undefined) return { service, port };
  return name === undefined
    ? 'its backend has no port'
    : `the number of the port ${name} of Service ${service} is not in the source`;
}
