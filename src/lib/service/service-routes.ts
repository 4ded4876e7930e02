import type { Extension } from '../../core/interfaces/extension.ts';
import type { Route } from './route.ts';

/** Makes the routes of a feature; `shipped` reads a text file of the package. */
export type RouteMaker = (shipped: (path: string) => string) => readonly Route[];

/** Where a feature adds routes to the service. Their paths must be unique. */
export const serviceRoutes: Extension<RouteMaker> = { name: 'routes of the service' };
