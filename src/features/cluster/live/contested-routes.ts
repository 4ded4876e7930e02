import {
  fieldAt,
  type LiveObject,
  listAt,
  textAt,
  type WantedObject,
} from '../../../model/live.ts';
import { addToGroup, compareText } from '../../../model/order.ts';
import { domainsAbove } from '../../../net/dns-name.ts';
import type { ClusterFinding } from '../verification-answer.ts';
import { isLabelled } from './object-state.ts';
import type { Seen, Snapshot } from './snapshot.ts';

/**
 * A finding for each live HTTPRoute or Ingress of another namespace that can get requests for a
 * hostname of `dist/`, on the same Gateway or of the same class. Routes in the namespace of the
 * Gateway are those of its owner, such as redirects and the challenges of cert-manager.
 */
export function contestedRoutes(
  objects: Iterable<WantedObject>,
  live: Snapshot,
): readonly ClusterFinding[] {
  const rivals = rivalsByHost(live);
  return [...objects].flatMap((wanted) =>
    hostsOf(wanted).flatMap((host) => {
      const found = placesOf(wanted).flatMap((place) => rivals.get(keyOf(place, host)) ?? []);
      return found
        .filter((rival) => rival.object.metadata.namespace !== wanted.object.metadata.namespace)
        .sort((left, right) => compareText(left.name, right.name))
        .map((rival) => findingOf(host, { ...wanted, live: live.get(wanted.name) }, rival));
    }),
  );
}

/** A live route, and a host of it. */
interface Rival extends Seen {
  readonly host: string;
}

/** The live routes by their places and hosts, and by the wildcards that include the hosts. */
function rivalsByHost(live: Snapshot): ReadonlyMap<string, readonly Rival[]> {
  const rivals = new Map<string, Rival[]>();
  for (const route of live.all()) {
    // One of leasehold that is not in dist/ is left over, and told as such.
    if (isLabelled(route) || route.object.metadata.deletionTimestamp !== undefined) continue;
    for (const place of rivalPlaces(route)) {
      for (const host of hostsOf(route)) {
        const wildcards = wildcardsAbove(host, route.kind);
        for (const name of new Set([host, ...wildcards])) {
          addToGroup(rivals, keyOf(place, name), { ...route, host });
        }
      }
    }
  }
  return rivals;
}

/** `*` is one label in an Ingress, and one or more in an HTTPRoute. */
function wildcardsAbove(host: string, kind: Seen['kind']): readonly string[] {
  const domains = domainsAbove(host);
  return (kind === 'ingress' ? domains.slice(0, 1) : domains).map((domain) => `*.${domain}`);
}

function keyOf(place: string, host: string): string {
  return `${place} ${host}`;
}

/** The Gateways of an HTTPRoute, the class of an Ingress; nothing for another kind. */
function placesOf({ kind, object }: Pick<Seen, 'kind' | 'object'>): readonly string[] {
  if (kind === 'ingress') return [`Ingress ${classOf(object)}`];
  if (kind !== 'httpRoute') return [];
  return [...new Set(gatewaysOf(object).map(placeOf))];
}

/** The same of a live route: only Gateways of other namespaces that do not refuse it. */
function rivalPlaces(route: Seen): readonly string[] {
  const { kind, object } = route;
  if (kind !== 'httpRoute') return placesOf(route);
  const taking = gatewaysOf(object).filter(
    ({ namespace, name }) =>
      namespace !== object.metadata.namespace && !isRefused(object, { namespace, name }),
  );
  return [...new Set(taking.map(placeOf))];
}

/** The annotation is older than the field, and controllers still read it. */
export function classOf({ metadata, spec }: LiveObject): string {
  const annotated = metadata.annotations?.['kubernetes.io/ingress.class'];
  return annotated ?? textAt(spec, 'ingressClassName') ?? '';
}

/** A Gateway among the `parentRefs` of a route. */
interface Parent {
  readonly namespace: string;
  readonly name: string;
}

function gatewaysOf({ metadata, spec }: LiveObject): readonly Parent[] {
  return listAt(spec, 'parentRefs')
    .filter((parent) => (textAt(parent, 'kind') ?? 'Gateway') === 'Gateway')
    .map((parent) => ({
      namespace: textAt(parent, 'namespace') ?? metadata.namespace ?? '',
      name: textAt(parent, 'name') ?? '',
    }));
}

function placeOf({ namespace, name }: Parent): string {
  return `HTTPRoute ${namespace}/${name}`;
}

/** True for a route that the Gateway has not accepted, through any of its listeners. */
export function isRefused(route: LiveObject, { namespace, name }: Parent): boolean {
  const own = listAt(route, 'status', 'parents').filter(
    (one) =>
      (textAt(one, 'parentRef', 'namespace') ?? route.metadata.namespace) === namespace &&
      textAt(one, 'parentRef', 'name') === name,
  );
  const accepted = own.map((one) =>
    listAt(one, 'conditions').find((condition) => textAt(condition, 'type') === 'Accepted'),
  );
  return accepted.length > 0 && accepted.every((one) => textAt(one, 'status') === 'False');
}

function hostsOf({ kind, object }: Pick<Seen, 'kind' | 'object'>): readonly string[] {
  const hosts =
    kind === 'ingress'
      ? listAt(object, 'spec', 'rules').map((rule) => fieldAt(rule, 'host'))
      : listAt(object, 'spec', 'hostnames');
  return [...new Set(hosts.flatMap((host) => (typeof host === 'string' ? [host] : [])))];
}

/** A route of `dist/`, and the live one of its name. */
interface Leased extends WantedObject {
  readonly live: LiveObject | undefined;
}

function findingOf(host: string, leased: Leased, rival: Rival): ClusterFinding {
  const { namespace } = leased.object.metadata;
  const hint = `delete ${rival.name}, or remove the hostname from it: ${host} is a hostname of namespace ${namespace}`;
  const message = `${rival.name} ${reasonOf(host, leased, rival)}`;
  return { object: leased.name, message, hint };
}

/**
 * Why the other route can get requests. A route of a longer name wins, then one with a closer match,
 * then the older one, then the first by namespace and name: Gateway API, HTTPRouteRule.matches, and
 * ingress-nginx for the paths of Ingresses. Traefik 3.7 does not look at the age.
 */
function reasonOf(host: string, leased: Leased, rival: Rival): string {
  if (rival.host !== host) return `routes ${rival.host}, which is below this wildcard`;
  if (hasCloserMatch(rival)) {
    return 'has the same hostname, so it gets the requests that its rules match more closely';
  }
  if (isOlder(rival, leased)) return 'has the same hostname and is older, so it gets the requests';
  return 'has the same hostname; it is younger, but not every controller prefers the older route';
}

function isOlder(rival: Rival, { name, live }: Leased): boolean {
  if (live === undefined) return false;
  const created = (object: LiveObject) => textAt(object, 'metadata', 'creationTimestamp') ?? '';
  const order = compareText(created(rival.object), created(live));
  return order < 0 || (order === 0 && compareText(rival.name, name) < 0);
}

/** True for a route that matches more than all paths of its hosts. */
function hasCloserMatch({ kind, object }: Seen): boolean {
  const rules = listAt(object, 'spec', 'rules');
  if (kind === 'ingress') {
    const paths = rules.flatMap((rule) => listAt(rule, 'http', 'paths'));
    return paths.some((one) => (textAt(one, 'path') ?? '/') !== '/');
  }
  return rules.flatMap((rule) => listAt(rule, 'matches')).some(isClose);
}

/** True for a match of an HTTPRoute that is not of all requests. */
export function isClose(match: unknown): boolean {
  const isAny =
    (textAt(match, 'path', 'type') ?? 'PathPrefix') === 'PathPrefix' &&
    (textAt(match, 'path', 'value') ?? '/') === '/';
  const others = ['headers', 'queryParams', 'method'];
  return !isAny || others.some((field) => fieldAt(match, field) !== undefined);
}
