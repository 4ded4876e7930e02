import { leaseNamespace } from '../../core/manifests/names.ts';
import { compareText, groupBy } from '../../core/model/order.ts';
import type { RouteControllerName } from '../../core/model/pools.ts';
import type { ImportedLive, LiveProviderHost, LiveRoute, RoutePlace } from './imported.ts';

/** The namespace and name of a live route: unique for its kind. */
export function routeKey({ namespace, name }: Pick<LiveRoute, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`;
}

/** The keys of the routes that the hostname operator of Akash writes for its `ProviderHost`s. */
export function leaseRouteKeys(hosts: readonly LiveProviderHost[]): ReadonlySet<string> {
  return new Set(
    hosts.map(({ owner, dseq, gseq, oseq, provider, hostname }) => {
      const lease = { owner, dseq, gseq, oseq, provider };
      return routeKey({ namespace: leaseNamespace('akash', lease), name: hostname });
    }),
  );
}

/** A place of routes in a message. Equal for equal places. */
export function placeText(place: RoutePlace | undefined): string {
  if (place === undefined) return 'nothing';
  if (place.kind === 'Ingress') return `the IngressClass ${place.className}`;
  return `the Gateway ${place.gateway.namespace}/${place.gateway.name}`;
}

/** The `routes` of a cluster that live routes show. */
export type RoutesInUse = RoutePlace & { readonly controller?: RouteControllerName };

/**
 * The places of the routes whose hostnames can be declared, sorted. The controller is only that of
 * routes of leases, whose HTTP options it applies.
 */
export function routesInUse({ routes, providerHosts }: ImportedLive): readonly RoutesInUse[] {
  const ofLeases = leaseRouteKeys(providerHosts);
  const isOfLease = (route: LiveRoute): boolean => ofLeases.has(routeKey(route));
  const used = routes.filter(
    (route) =>
      route.place !== undefined && (isOfLease(route) || (!route.isOfLease && isDeclarable(route))),
  );
  return [...groupBy(used, ({ place }) => placeText(place))]
    .sort(([left], [right]) => compareText(left, right))
    .flatMap(([, group]): RoutesInUse[] => {
      const [place] = group.flatMap((one) => one.place ?? []);
      const [controller] = group.filter(isOfLease).flatMap((one) => one.controller ?? []);
      return place ? [{ ...place, ...(controller && { controller }) }] : [];
    });
}

/** The `routes` that all live routes have; undefined when there are none, or several. */
export function onlyRoutes(live: ImportedLive | undefined): RoutesInUse | undefined {
  const [routes, others] = live ? routesInUse(live) : [];
  return others === undefined ? routes : undefined;
}

/** True when at least one hostname of a plain route can be declared. */
function isDeclarable({ obstacle, hosts }: LiveRoute): boolean {
  return obstacle === undefined && hosts.some(({ target }) => typeof target !== 'string');
}
