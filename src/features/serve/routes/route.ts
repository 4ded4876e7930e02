import { isQuotaOwner } from '../../../declarations/pools/pools-schema.ts';
import { sha256Hex } from '../../../model/digest.ts';
import type { WebAnswer, WebRequest } from '../../../ports/web.ts';
import { plainJson } from '../../../text/print/plain.ts';
import type { AnswerKind } from '../open-api.ts';
import type { ServedTree, ServeState } from '../serve-state.ts';

/** What is said of a route in the OpenAPI document. */
interface RouteTerms {
  /** Such as `/api/v1/addresses/{address}`. */
  readonly path: string;
  /** One sentence, without trailing period. */
  readonly summary: string;
  /** Media type of a good answer, without charset. */
  readonly media: string;
  /** The `kind` of a good answer in JSON of ours; undefined for a text. */
  readonly kind?: AnswerKind;
  /** `open`: answers without a token. `operator`: for programs that send none. */
  readonly access: 'open' | 'operator' | 'token';
  /** The names of query parameters that it knows, and what each is; a request with another one is refused. */
  readonly query?: Readonly<Record<string, string>>;
}

/**
 * A route. `tree`: answers from the last good state, and while there is none the request is answered with 503. The answer to
 * a request without parameters is made once for each state. `standing`: answers always, and is asked each time.
 */
export type Route = RouteTerms &
  (
    | {
        readonly of: 'tree';
        answer(served: ServedTree, request: WebRequest): WebAnswer | Promise<WebAnswer>;
      }
    | {
        readonly of: 'standing';
        answer(standing: ServeState, request: WebRequest): WebAnswer | Promise<WebAnswer>;
      }
  );

/** The media type of JSON. */
export const jsonType = 'application/json';

/** A good answer in JSON. */
export function jsonAnswer(value: object): WebAnswer {
  return textAnswer(plainJson(value), jsonType);
}

/** A good answer, with an ETag of its bytes. */
export function textAnswer(body: string, type: string): WebAnswer {
  return { status: 200, type, body, etag: `"${sha256Hex(body).slice(0, 32)}"` };
}

/** An answer of kind Failure: a status from 400 on and a sentence without trailing period. */
export function failureAnswer(status: number, reason: string): WebAnswer {
  const failure = { apiVersion: 'leasehold.dev/v1', kind: 'Failure', status, reason };
  return { status, type: jsonType, body: plainJson(failure) };
}

/** The refusal of a parameter `owner` that cannot be one; undefined for one that can, and for none. */
export function ownerRefusal(owner: string | undefined): WebAnswer | undefined {
  if (owner === undefined || isQuotaOwner(owner)) return undefined;
  return failureAnswer(400, 'owner is an Akash account, or cluster/namespace of Services');
}
