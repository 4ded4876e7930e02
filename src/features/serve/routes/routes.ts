import type { RequestMetrics } from '../metrics-text.ts';
import { type Operation, openApiDocument } from '../open-api.ts';
import { addressRoutes } from './address-routes.ts';
import { gitRoutes } from './git-routes.ts';
import { metricsRoutes } from './metrics-routes.ts';
import type { OperatorScope } from './operator-leases.ts';
import { operatorRoutes } from './operator-routes.ts';
import { pageRoutes } from './page-routes.ts';
import { forecastRoutes, poolRoutes } from './pool-routes.ts';
import { jsonAnswer, jsonType, type Route } from './route.ts';
import { stateRoutes } from './status-routes.ts';

/** How a service is set up. */
export interface RouteContext {
  /** Of leasehold. */
  readonly version: string;
  /** For which leases the paths of Akash's operator answer. */
  readonly scope: OperatorScope;
  /** The script of the page: the bundle of src/page. */
  readonly pageScript: string;
  /** Whoever answers counts there. */
  readonly requests: RequestMetrics;
}

/** All that `leasehold serve` answers, but for the stream of events. No two have the same path. */
export function routesOf(terms: RouteContext): readonly Route[] {
  const { version, scope, pageScript, requests } = terms;
  const routes = [
    ...stateRoutes(version),
    ...metricsRoutes(version, requests),
    ...operatorRoutes(version, scope),
    ...poolRoutes,
    ...addressRoutes,
    ...forecastRoutes,
    ...gitRoutes,
    ...pageRoutes(pageScript),
  ];
  return [...routes, openApiRoute(routes, version)];
}

const path = '/api/v1/openapi.json';
const summary = 'This document';

/** Where the events are told. */
export const eventsPath = '/api/v1/events';

const events: Operation = {
  path: eventsPath,
  summary: 'An event whenever another state is served, or it became stale or is no longer',
  media: 'text/event-stream',
  isOpen: false,
};

/** The OpenAPI document of some routes, of the events, and of itself. */
export function openApiRoute(routes: readonly Route[], version: string): Route {
  const own: Operation = { path, summary, media: jsonType, isOpen: false };
  const operations = [...routes.map(operationOf), events, own];
  const answer = jsonAnswer(openApiDocument(operations, version));
  return { of: 'standing', path, summary, media: jsonType, access: 'token', answer: () => answer };
}

function operationOf({ path, summary, media, kind, access, query }: Route): Operation {
  return {
    path,
    summary,
    media,
    isOpen: access === 'open',
    ...(kind === undefined ? {} : { kind }),
    ...(query === undefined ? {} : { query }),
  };
}
