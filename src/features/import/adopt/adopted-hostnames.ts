import type { WrittenHostname } from '../../../core/declarations/hostname-file.ts';
import { leaseNamespace, routeName } from '../../../core/manifests/names.ts';
import { hostnameHolder, type ServiceHostname } from '../../../core/model/hostname.ts';
import { objectName } from '../../../core/model/live.ts';
import { addToGroup, groupBy } from '../../../core/model/order.ts';
import { fewOf, startOf } from '../../../core/model/problem.ts';
import { newSpecText } from '../../../lib/edit/declaration-edits.ts';
import type { Adopted, ImportContext } from '../import-context.ts';
import type { ImportedLive, LiveRoute, LiveRouteHost, RouteTarget } from '../imported.ts';
import { leaseRouteKeys, placeText, routeKey } from '../live-routes.ts';
import { leaseOf } from './adopted-hosts.ts';
import { refusedHostnames } from './refused-hostnames.ts';

/** A hostname of a live route that can be declared. */
interface LiveHostname {
  readonly route: LiveRoute;
  readonly host: LiveRouteHost;
  readonly target: RouteTarget;
  readonly declared: ServiceHostname;
}

/**
 * Declares the hostnames of live routes that leasehold would write the same way. All others are
 * noted. The routes of leases are those of their `ProviderHost`s.
 */
export function adoptHostnames(live: ImportedLive, context: ImportContext): void {
  const ofLeases = leaseRouteKeys(live.providerHosts);
  const plain = live.routes.filter((route) => !ofLeases.has(routeKey(route)));
  const rivals = rivalsOf(live.routes, context);
  const leases = [...live.providerHosts, ...live.leasedIPs].map(leaseOf);
  const closed = new Set(leases.map((lease) => leaseNamespace('akash', lease)));
  const found = plain.flatMap((route) => hostnamesOf(route, closed, context));
  const own = found.filter((one) => !isContested(one, rivals, context));
  const alone = [...groupBy(own, ({ declared }) => declared.hostname).values()].flatMap((group) =>
    oneOf(group, context),
  );
  const fresh = alone.filter((one) => !declaredAlready(one, context));
  const refused = refusedHostnames(
    fresh.map(({ declared }) => declared),
    context,
  );
  const added = fresh.filter((one) => {
    const reason = refused.get(one.declared);
    return reason === undefined ? adoptHostname(one, context) : leaveHost(one, reason, context);
  });
  for (const route of new Set(added.map((one) => one.route))) {
    for (const sentence of route.lost) context.change(subjectOf(route), sentence, route.at);
  }
  noteBeside(added, context);
}

function subjectOf({ kind, namespace, name }: LiveRoute): string {
  return objectName(kind, { namespace, name });
}

/** Notes that one hostname of a route is not declared. */
function leaveHost(
  { route, host }: Pick<LiveHostname, 'route' | 'host'>,
  reason: string,
  context: ImportContext,
): false {
  const message = `${host.hostname} is not declared: ${reason}`;
  context.leave(subjectOf(route), message, [], host.at);
  return false;
}

/** The hostnames of a route that leasehold would write the same way. */
function hostnamesOf(
  route: LiveRoute,
  /** The namespaces of leases. */
  closed: ReadonlySet<string>,
  context: ImportContext,
): readonly LiveHostname[] {
  const { namespace, hosts } = route;
  const ofLease = closed.has(namespace) ? 'it is in the namespace of a lease' : undefined;
  const reason = obstacleOf(route, context) ?? ofLease;
  if (reason !== undefined) {
    context.leave(subjectOf(route), `it is not declared: ${reason}`, [], route.at);
    return [];
  }
  const { name: cluster } = context.repository.cluster;
  return hosts.flatMap((host): LiveHostname[] => {
    const { hostname, target } = host;
    if (typeof target === 'string') {
      leaveHost({ route, host }, target, context);
      return [];
    }
    const holder = hostnameHolder(cluster, namespace);
    const at = startOf(pathOf(namespace, hostname, context));
    const fields = { cluster, namespace, ...target, hostname, holder, at };
    const one = { route, host, target, declared: { kind: 'Hostname', ...fields } as const };
    const problem = context.target.problemOf(at.file, hostnameFileText(one.declared, context));
    if (!problem) return [one];
    leaveHost(one, problem.message, context);
    return [];
  });
}

/** Why no hostname of a route can be declared; undefined when there is no reason. */
function obstacleOf(route: LiveRoute, context: ImportContext): string | undefined {
  const { cluster } = context.repository;
  const { routes } = cluster;
  if (route.isOfLease) return 'no ProviderHost names its hostname';
  if (route.obstacle !== undefined) return route.obstacle;
  if (!routes) return `the cluster ${cluster.name} has no routes`;
  if (placeText(route.place) === placeText(routes)) return undefined;
  return `it is of ${placeText(route.place)}, and routes of cluster ${cluster.name} name ${placeText(routes)}`;
}

function pathOf(namespace: string, hostname: string, context: ImportContext): string {
  return context.freePath(namespace, hostname.replace('*', 'wildcard'));
}

function hostnameFileText(
  { namespace, service, port, hostname }: ServiceHostname,
  { target: { clusterName: cluster } }: ImportContext,
): string {
  const written: WrittenHostname = {
    kind: 'Hostname',
    cluster,
    namespace,
    service,
    port,
    hostname,
  };
  return newSpecText(written);
}

/**
 * The routes that get requests of the Gateway or class of the cluster, by hostname. Routes in the
 * namespace of the Gateway are those of its owner, such as redirects.
 */
function rivalsOf(
  routes: readonly LiveRoute[],
  { repository: { cluster } }: ImportContext,
): ReadonlyMap<string, readonly LiveRoute[]> {
  const rivals = new Map<string, LiveRoute[]>();
  if (!cluster.routes) return rivals;
  const home = cluster.routes.kind === 'HTTPRoute' ? cluster.routes.gateway.namespace : undefined;
  for (const route of routes) {
    const isThere = placeText(route.place) === placeText(cluster.routes);
    if (!route.isServed || !isThere || route.namespace === home) continue;
    for (const hostname of new Set(route.hosts.map((host) => host.hostname))) {
      addToGroup(rivals, hostname, route);
    }
  }
  return rivals;
}

/** True, with a note, for a hostname that a route of another namespace has too. */
function isContested(
  one: LiveHostname,
  rivals: ReadonlyMap<string, readonly LiveRoute[]>,
  context: ImportContext,
): boolean {
  const { namespace, hostname } = one.declared;
  const rival = rivals.get(hostname)?.find((route) => route.namespace !== namespace);
  if (!rival) return false;
  leaveHost(one, `${subjectOf(rival)} has it too`, context);
  return true;
}

/** One of the routes of a namespace for a hostname, when all lead to the same port. */
function oneOf(group: readonly LiveHostname[], context: ImportContext): readonly LiveHostname[] {
  const [first, ...others] = group;
  if (!first) return [];
  const isSame = others.every(
    ({ target }) => target.service === first.target.service && target.port === first.target.port,
  );
  for (const one of isSame ? others : group) {
    const other = one === first ? others[0] : first;
    const where = other ? subjectOf(other.route) : '';
    const reason = isSame
      ? `it is declared for ${where}, which routes it to the same port`
      : `${where} routes it to another port`;
    leaveHost(one, reason, context);
  }
  return isSame ? [first] : [];
}

/** True when a hostname of the namespace is declared; a different declaration stays as it is. */
function declaredAlready(one: LiveHostname, context: ImportContext): boolean {
  const { hostname, holder, service, port, namespace } = one.declared;
  const known = context.hostnames.find(
    (other) => other.hostname === hostname && other.holder === holder,
  );
  if (!known) return false;
  if (known.service !== service || known.port !== port) {
    const where = `${known.service}:${known.port}`;
    leaveHost(one, `${known.at.file} declares it for ${where}`, context);
    return true;
  }
  context.adopt({
    kind: 'Hostname',
    name: `${namespace}/${service}`,
    state: 'present',
    addresses: [],
    hostnames: [hostname],
    path: known.at.file,
    text: undefined,
    at: one.host.at,
  });
  return true;
}

function adoptHostname({ host, declared }: LiveHostname, context: ImportContext): true {
  const { namespace, service, hostname } = declared;
  const adopted: Adopted = {
    kind: 'Hostname',
    name: `${namespace}/${service}`,
    state: 'added',
    addresses: [],
    hostnames: [hostname],
    path: pathOf(namespace, hostname, context),
    text: hostnameFileText(declared, context),
    at: host.at,
  };
  context.adopt(adopted, [declared]);
  return true;
}

/** Tells what becomes of the live routes that those of leasehold are written beside. */
function noteBeside(added: readonly LiveHostname[], context: ImportContext): void {
  const beside = added.filter(({ route, declared }) => route.name !== routeName(declared.hostname));
  const [first] = beside;
  if (!first) return;
  const counts = groupBy(beside, ({ route }) => route);
  const whole = [...counts].filter(([route, own]) => own.length === route.hosts.length);
  const parts = [...counts].filter(([route, own]) => own.length < route.hosts.length);
  const steps = [
    ...(whole.length > 0 ? [`delete ${fewOf(whole.map(([route]) => writtenText(route)))}`] : []),
    ...parts.map(([route, own]) => {
      const names = own.map(({ host }) => host.hostname);
      return `remove ${fewOf(names)} from ${writtenText(route)}`;
    }),
  ];
  const webhook =
    first.route.kind === 'Ingress'
      ? '. The webhook of ingress-nginx refuses a second Ingress for a hostname: disable it until then'
      : '';
  const message = `leasehold writes routes of its own beside the live ones: once they are live, ${fewOf(steps)}${webhook}`;
  context.change('the routes', message, first.route.at);
}

/** A route that a person or a tool has written. */
function writtenText(route: LiveRoute): string {
  const { manager } = route;
  return manager === undefined ? subjectOf(route) : `${subjectOf(route)} of ${manager}`;
}
