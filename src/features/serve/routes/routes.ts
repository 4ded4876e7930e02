import type { RequestMetrics } from '../request-metrics.ts';
import { addressRoutes } from './address-routes.ts';
import { forecastRoutes } from './forecast-routes.ts';
import { gitRoutes } from './git-routes.ts';
import { metricsRoutes } from './metrics-routes.ts';
import { openApiRoute } from './open-api-route.ts';
import type { OperatorScope } from './operator-leases.ts';
import { operatorRoutes } from './operator-routes.ts';
import { pageRoutes } from './page-routes.ts';
import { poolRoutes } from './pool-routes.ts';
import type { Route } from './route.ts';
import { stateRoutes } from './state-routes.ts';

/** How a service is set up. */
export interface ServeTerms {
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
export function routesOf(terms: ServeTerms): readonly Route[] {
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
