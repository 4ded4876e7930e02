import { poolRoutes } from './pool-routes.ts';
import type { Route } from './route.ts';
import { stateRoutes } from './state-routes.ts';

/** How a service is set up. */
export interface ServeTerms {
  /** Of leasehold. */
  readonly version: string;
}

/** All that `leasehold serve` answers, but for the stream of events. No two have the same path. */
export function routesOf({ version }: ServeTerms): readonly Route[] {
  return [...stateRoutes(version), ...poolRoutes];
}
