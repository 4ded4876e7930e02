import type * as z from 'zod';
import type { Extension } from '../../core/interfaces/extension.ts';
import { sha256Hex } from '../../core/model/digest.ts';
import { sanitizedJson } from '../../core/text/print/escape.ts';
import type { WebAnswer, WebRequest } from '../http/web.ts';
import type { ServedTree, ServeState } from './serve-state.ts';

/** A query parameter. */
export interface QueryParameter {
  readonly description: string;
  /** A JSON schema; any text when left out. */
  readonly schema?: object;
}

/** The description of a route in the OpenAPI document. */
interface RouteInfo {
  /** The name of the operation, unique, from which clients make the names of functions. */
  readonly id: string;
  /** Such as `/api/v1/addresses/{address}`. */
  readonly path: string;
  /** One sentence, without trailing period. */
  readonly summary: string;
  /** The media type of a successful answer, without charset. */
  readonly media: string;
  /** The `kind` of a successful JSON answer; undefined for text. */
  readonly kind?: string;
  /** The schema of that kind, where the service does not have it. */
  readonly schema?: z.ZodType;
  /** `open`: needs no token. `operator`: may be configured to need no token. */
  readonly access: 'open' | 'operator' | 'token';
  /** The query parameters by name. A request with another parameter is refused. */
  readonly query?: Readonly<Record<string, QueryParameter>>;
  /** When the answer is 404; undefined when it never is. */
  readonly missing?: string;
}

/**
 * A route. `tree` routes answer from the served tree, with status 503 while there is none; the
 * answer to a request without parameters is cached per tree. `state` routes always answer and are
 * not cached.
 */
export type Route = RouteInfo &
  (
    | {
        readonly of: 'tree';
        answer(served: ServedTree, request: WebRequest): WebAnswer | Promise<WebAnswer>;
      }
    | {
        readonly of: 'state';
        answer(state: ServeState, request: WebRequest): WebAnswer | Promise<WebAnswer>;
      }
  );

/** Makes the routes of a feature; `shipped` reads a text file of the package. */
export type RouteMaker = (shipped: (path: string) => string) => readonly Route[];

/** Where a feature adds routes to the service. Their paths must be unique. */
export const serviceRoutes: Extension<RouteMaker> = { name: 'routes of the service' };

export const jsonType = 'application/json';

/** The fields of a route that answers in JSON, to clients with the token. */
export const guardedJson = { media: jsonType, access: 'token' } as const;

/** Returns a successful JSON answer. */
export function jsonAnswer(value: object): WebAnswer {
  return textAnswer(sanitizedJson(value), jsonType);
}

/** Returns a successful answer with an ETag of its bytes. */
export function textAnswer(body: string, type: string): WebAnswer {
  return { status: 200, type, body, etag: `"${sha256Hex(body).slice(0, 32)}"` };
}

/** Returns a Failure. The status is 400 or above, the reason a sentence without trailing period. */
export function failureAnswer(status: number, reason: string): WebAnswer {
  const failure = { apiVersion: 'leasehold.dev/v1', kind: 'Failure', status, reason };
  return { status, type: jsonType, body: sanitizedJson(failure) };
}

/** The answer for a tree without a commit. */
export const noCommit = failureAnswer(404, 'the served tree has no commit');
