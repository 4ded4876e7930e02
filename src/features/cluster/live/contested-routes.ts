import {
  fieldAt,
  type LiveObject,
  listAt,
  liveObjectName,
  objectName,
  textAt,
  type WantedObject,
} from '../../../core/model/live.ts';
import { addToGroup, compareText, groupBy } from '../../../core/model/order.ts';
import { domainsAbove } from '../../../core/net/dns-name.ts';
import { ingressClass, isClose, isRefused } from '../../../lib/kubernetes/live-routes.ts';
import type { ClusterFinding } from '../verification-answer.ts';
import { attachedListeners, type NamedListener } from './listeners.ts';
import { isLabelled } from './object-state.ts';
import type { Seen, Snapshot } from './snapshot.ts';

/** The objects of a cluster by which routes are found that get the requests of others. */
export interface LiveRoutes {
  readonly live: Snapshot;
  readonly gateways: readonly LiveObject[];
  readonly grpcRoutes: readonly LiveObject[];
}

/**
 * A finding for each live HTTPRoute, GRPCRoute or Ingress of another namespace that can get requests
 * for a hostname of `dist/`, on the same Gateway or of the same class. Routes in the namespace of the
 * Gateway are those of its owner, such as redirects and the challenges of cert-manager.
 */
export function contestedRoutes(
  objects: Iterable<WantedObject>,
  cluster: LiveRoutes,
): readonly ClusterFinding[] {
  const { live } = cluster;
  const rivals = rivalsByHost(cluster);
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
  /** The listener that the host comes from, when the route does not name it. */
  readonly listener?: string;
}

/** The live routes by their places and hosts, and by the wildcards that include the hosts. */
function rivalsByHost(cluster: LiveRoutes): ReadonlyMap<string, readonly Rival[]> {
  const rivals = new Map<string, Rival[]>();
  const gateways = new Map(cluster.gateways.map((one) => [liveObjectName('gateway', one), one]));
  for (const route of rivalRoutes(cluster)) {
    for (const [place, listeners] of rivalPlaces(route, gateways, cluster.live)) {
      for (const rival of rivalsAt(route, listeners)) {
        const wildcards = wildcardsAbove(rival.host, route.kind);
        for (const name of new Set([rival.host, ...wildcards])) {
          addToGroup(rivals, keyOf(place, name), rival);
        }
      }
    }
  }
  return rivals;
}

/** One of leasehold that is not in `dist/` is left over, and told as such. It writes no GRPCRoute. */
function rivalRoutes({ live, grpcRoutes }: LiveRoutes): readonly Seen[] {
  const others = [...live.all()].filter((route) => !isLabelled(route));
  const grpc = grpcRoutes.map((object): Seen => {
    return { kind: 'grpcRoute', name: liveObjectName('grpcRoute', object), object };
  });
  return [...others, ...grpc].filter(
    ({ object }) => object.metadata.deletionTimestamp === undefined,
  );
}

/**
 * A route with each of its hosts, and with each host of a listener that it takes: all of them without
 * own hosts, otherwise those that its wildcards include. Gateway API, Listener.hostname.
 */
function rivalsAt(route: Seen, listeners: readonly NamedListener[]): readonly Rival[] {
  const own = hostsOf(route);
  const rivals = new Map<string, Rival>(own.map((host) => [host, { ...route, host }]));
  for (const { name, hostname: host } of listeners) {
    const isTaken =
      own.length === 0 || wildcardsAbove(host, route.kind).some((above) => own.includes(above));
    if (isTaken && !rivals.has(host)) rivals.set(host, { ...route, host, listener: name });
  }
  return [...rivals.values()];
}

/** `*` is one label in an Ingress, and one or more in a route of a Gateway. */
function wildcardsAbove(host: string, kind: Seen['kind']): readonly string[] {
  const domains = domainsAbove(host);
  return (kind === 'ingress' ? domains.slice(0, 1) : domains).map((domain) => `*.${domain}`);
}

function keyOf(place: string, host: string): string {
  return `${place} ${host}`;
}

/** The Gateways of an HTTPRoute of `dist/`, the class of an Ingress; nothing for another kind. */
function placesOf({ kind, object }: Pick<Seen, 'kind' | 'object'>): readonly string[] {
  if (kind === 'ingress') return [`Ingress ${ingressClass(object)}`];
  if (kind !== 'httpRoute') return [];
  return [...new Set(gatewaysOf(object).map(gatewayName))];
}

/**
 * The same of a live route, also of a GRPCRoute: only Gateways of other namespaces that do not refuse
 * it, each with the listeners that it attaches to.
 */
function rivalPlaces(
  route: Seen,
  gateways: ReadonlyMap<string, LiveObject>,
  live: Snapshot,
): Iterable<readonly [place: string, listeners: readonly NamedListener[]]> {
  const { kind, object } = route;
  const { namespace: own } = object.metadata;
  if (kind !== 'httpRoute' && kind !== 'grpcRoute') {
    return placesOf(route).map((place) => [place, []] as const);
  }
  const namespaceLabels = live.get(`Namespace ${own}`)?.metadata.labels;
  const taking = gatewaysOf(object).filter(
    (parent) => parent.namespace !== own && !isRefused(object, parent),
  );
  return [...groupBy(taking, gatewayName)].map(([place, parents]) => {
    const gateway = gateways.get(place);
    const listeners = parents.flatMap(({ ref }) =>
      gateway ? attachedListeners(gateway, ref, { kind, object, namespaceLabels }) : [],
    );
    return [place, listeners] as const;
  });
}

/** A Gateway among the `parentRefs` of a route. */
interface Parent {
  readonly namespace: string;
  readonly name: string;
  readonly ref: unknown;
}

function gatewaysOf({ metadata, spec }: LiveObject): readonly Parent[] {
  return listAt(spec, 'parentRefs')
    .filter((parent) => (textAt(parent, 'kind') ?? 'Gateway') === 'Gateway')
    .map((parent) => ({
      namespace: textAt(parent, 'namespace') ?? metadata.namespace ?? '',
      name: textAt(parent, 'name') ?? '',
      ref: parent,
    }));
}

function gatewayName({ namespace, name }: Parent): string {
  return objectName('Gateway', { namespace, name });
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
  const mend = rival.listener === undefined ? 'remove the hostname from it' : 'name its hostnames';
  const hint = `delete ${rival.name}, or ${mend}: ${host} is a hostname of namespace ${namespace}`;
  const message = `${rival.name} ${reasonOf(host, leased, rival)}`;
  return { object: leased.name, message, hint };
}

/**
 * Why the other route can get requests. A route of a longer name wins, then one with a closer match,
 * then the older one, then the first by namespace and name: Gateway API, HTTPRouteRule.matches and
 * GRPCRoute.spec.hostnames, and ingress-nginx for the paths of Ingresses. Traefik 3.7 does not look at the age.
 */
function reasonOf(host: string, leased: Leased, rival: Rival): string {
  if (rival.listener !== undefined) {
    return `takes the hostname ${rival.host} of the listener ${rival.listener}, so it can get the requests`;
  }
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
