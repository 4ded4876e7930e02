import { domainOf } from '../../../core/declarations/service/service-metadata.ts';
import type { HttpOptions } from '../../../core/model/lease.ts';
import { fieldAt, type LiveObject, textAt } from '../../../core/model/live.ts';
import { SourceReader } from '../../../lib/foreign/source-reader.ts';
import type { LiveRoute } from '../imported.ts';
import type { SourceObject } from '../metallb/source-object.ts';
import { httpRouteParts } from './http-route.ts';
import { ingressParts, type PortNumber } from './ingress.ts';
import { routeOptions } from './route-options.ts';
import { managerOf } from './service-manager.ts';

/** The namespace of a route without one. */
const defaultNamespace = 'default';

/** Facts about a route from other objects. */
export interface RouteSurroundings {
  readonly portNumber: PortNumber;
  /** See `policyOptions`. */
  readonly policies: ReadonlyMap<string, Partial<HttpOptions>>;
}

/** Reads an HTTPRoute or Ingress. An odd one has an obstacle, and no problems. */
export function readRoute(
  object: SourceObject,
  { portNumber, policies }: RouteSurroundings,
): LiveRoute {
  const { name, namespace = defaultNamespace, at, metadata } = object;
  const kind = object.kind === 'Ingress' ? 'Ingress' : 'HTTPRoute';
  const live = liveOf(object, namespace);
  const { labels = {}, annotations = {} } = live.metadata;
  const others = Object.keys(annotations).filter((key) => !isBookkeeping(key));
  const parts =
    kind === 'Ingress' ? ingressParts(object, live, portNumber) : httpRouteParts(object, live);
  const { isRefused, obstacle, lost, ...own } = parts;
  const isGoing = metadata.has('deletionTimestamp');
  const annotatedOptions = routeOptions(kind, annotations);
  const options = kind === 'HTTPRoute' ? policies.get(`${namespace}/${name}`) : annotatedOptions;
  // A controller reads the annotations of an Ingress, and few those of an HTTPRoute.
  const annotated = `it has the annotation ${others[0]}, which a Hostname cannot have`;
  const refused = isRefused ? 'its Gateway has not accepted it' : obstacle;
  const ofIngress = kind === 'Ingress' && others.length > 0 ? annotated : undefined;
  return {
    ...own,
    kind,
    namespace,
    name,
    http: { ...annotatedOptions, ...options },
    applied: new Set(Object.keys(options ?? {})),
    obstacle: isGoing ? 'it is being deleted' : (refused ?? ofIngress),
    lost: [
      ...lost,
      ...(others.length > 0 ? [`its annotations are not imported: ${others.join(', ')}`] : []),
    ],
    manager: managerOf(new SourceReader(), metadata, {
      labels: new Map(Object.entries(labels)),
      annotations: new Map(Object.entries(annotations)),
    }),
    isOfLease: labels['akash.network'] === 'true',
    isServed: !isGoing && !isRefused,
    at,
  };
}

/** The object in the form of the API server. */
function liveOf({ name, metadata, spec, status }: SourceObject, namespace: string): LiveObject {
  const textsAt = (key: string): Readonly<Record<string, string>> => {
    const node: unknown = metadata.get(key)?.value;
    const keys = Object.keys(Object(node));
    return Object.fromEntries(keys.map((one) => [one, textAt(node, one) ?? '']));
  };
  return {
    metadata: {
      name,
      namespace,
      labels: textsAt('labels'),
      annotations: textsAt('annotations'),
    },
    spec: Object.fromEntries([...spec].map(([key, { value }]) => [key, value])),
    status: fieldAt(status, 'value'),
  };
}

/** Domains of annotations in which tools keep their own state. */
const bookkeeping: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io',
  'meta.helm.sh',
  'argocd.argoproj.io',
  'kustomize.toolkit.fluxcd.io',
  'helm.toolkit.fluxcd.io',
  'field.cattle.io',
]);

function isBookkeeping(key: string): boolean {
  return bookkeeping.has(domainOf(key)) || key === 'kubernetes.io/ingress.class';
}
