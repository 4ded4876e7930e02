import type { WebAnswer, WebRequest } from '../../../ports/web.ts';
import type { AnswerKind } from '../open-api.ts';
import type { Served, Standing } from '../served.ts';

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
        answer(served: Served, request: WebRequest): WebAnswer | Promise<WebAnswer>;
      }
    | {
        readonly of: 'standing';
        answer(standing: Standing, request: WebRequest): WebAnswer | Promise<WebAnswer>;
      }
  );
