import { jsonAnswer, jsonType, type Route } from '../../../lib/service/route.ts';
import type { RequestMetrics } from '../metrics-text.ts';
import { type Operation, openApiDocument } from '../open-api.ts';
import { addressRoutes } from './address-routes.ts';
import { gitRoutes } from './git-routes.ts';
import { hostnameOperatorRoutes } from './hostname-operator-routes.ts';
import { inventoryRoutes } from './inventory-routes.ts';
import { metricsRoutes } from './metrics-routes.ts';
import type { OperatorLeases } from './operator-leases.ts';
import { operatorRoutes } from './operator-routes.ts';
import { forecastRoutes, poolRoutes } from './pool-routes.ts';
import { stateRoutes } from './status-routes.ts';

export interface RouteContext {
  /** The version of leasehold. */
  readonly version: string;
  /** The leases that the paths of the Akash operator answer for. */
  readonly leases: OperatorLeases;
  /** The routes that other features add. */
  readonly added: readonly Route[];
  /** The counters of answered requests. */
  readonly requests: RequestMetrics;
  /** The paths that are answered beside the routes. */
  readonly operations?: readonly Operation[];
}

/** Returns all routes of `leasehold serve` except the event stream. Their paths are unique. */
export function routesOf(context: RouteContext): readonly Route[] {
  const { version, leases, added, requests, operations = [] } = context;
  const routes = [
    ...stateRoutes(version),
    ...metricsRoutes(version, requests),
    ...operatorRoutes(version, leases),
    ...hostnameOperatorRoutes(leases.scope),
    ...poolRoutes,
    ...addressRoutes,
    ...forecastRoutes,
    ...inventoryRoutes(leases.scope),
    ...gitRoutes,
    ...added,
  ];
  return [...routes, openApiRoute(routes, operations, version)];
}

const document = {
  id: 'getOpenApi',
  path: '/api/v1/openapi.json',
  summary: 'This document',
  media: jsonType,
} as const;

/** The path of the event stream. */
export const eventsPath = '/api/v1/events';

const events: Operation = {
  id: 'listenToEvents',
  path: eventsPath,
  summary: 'An event when the served state changes, becomes stale or recovers',
  media: 'text/event-stream',
  isOpen: false,
  isServedOnly: false,
};

/** The route of the OpenAPI document, which describes all paths and itself. */
function openApiRoute(
  routes: readonly Route[],
  beside: readonly Operation[],
  version: string,
): Route {
  const own: Operation = { ...document, isOpen: false, isServedOnly: false };
  const operations = [...routes.map(operationOf), events, ...beside, own];
  const answer = jsonAnswer(openApiDocument(operations, version));
  return { of: 'state', ...document, access: 'token', answer: () => answer };
}

function operationOf(route: Route): Operation {
  const { id, path, summary, media, kind, schema, access, query, missing } = route;
  return {
    id,
    path,
    summary,
    media,
    isOpen: access === 'open',
    isServedOnly: route.of === 'tree',
    ...(kind === undefined ? {} : { kind }),
    ...(schema === undefined ? {} : { schema }),
    ...(query === undefined ? {} : { query }),
    ...(missing === undefined ? {} : { missing }),
  };
}
