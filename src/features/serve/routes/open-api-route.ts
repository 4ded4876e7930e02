import { type Operation, openApiDocument } from '../open-api.ts';
import { jsonAnswer, jsonType } from './answers.ts';
import type { Route } from './route.ts';

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
