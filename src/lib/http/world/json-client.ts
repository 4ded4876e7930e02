import type { Clock } from '../../../core/interfaces/clock.ts';
import { EnvironmentError, UnsureError } from '../../../core/model/problem.ts';
import { firstLine, jsonIn } from '../../../core/world/system-error.ts';
import {
  connectionReason,
  ExchangeLimitError,
  exchange,
  type HttpAnswer,
  isUnreached,
  isUntrusted,
} from './exchange.ts';
import { postponedBy, second } from './rate-limits.ts';
import { type Attempt, Retries } from './retry.ts';

/** A JSON API and the credentials for it. */
export interface JsonApi {
  /** For people: `GitHub`. */
  readonly name: string;
  /** `https://api.github.com`. Plain http is for the loopback only, because the token is sent. */
  readonly root: string;
  /** No message contains it. */
  readonly token: string;
  /** The scheme of the Authorization header; `Bearer` when left out. */
  readonly scheme?: 'Token' | undefined;
  /** The variable that the token comes from. */
  readonly tokenFrom: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One request to a JSON API. */
export interface JsonRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below the root, or a whole URL of the same server. */
  readonly path: string;
  readonly body?: object | undefined;
}

/** The answer of a JSON API. */
export interface JsonAnswer extends HttpAnswer {
  /** Undefined when the text is not JSON. */
  readonly value: unknown;
}

/** The clock of a client, and its time limit. */
export interface ClientTiming {
  readonly clock: Pick<Clock, 'pause'>;
  /** Milliseconds for one request. */
  readonly request?: number | undefined;
}

const longestRequest = 30_000;
const longestConnecting = 10_000;
const longestPauses = 300_000;
const mostAttempts = 6;
const longestQuote = 200;

/** An answer, or why there is none. */
type Result = JsonAnswer | { readonly failure: string };

/**
 * A client of one JSON API. A request that is rate limited (429, GitHub's 403) or interrupted (5xx,
 * a lost connection, a timeout) is sent again after a pause; an interrupted POST is an UnsureError
 * instead. Every other failure is an EnvironmentError. The token is sent to one server only.
 */
export class JsonClient {
  readonly #api: JsonApi;
  readonly #root: URL;
  readonly #timeouts: { readonly whole: number; readonly connect: number };
  readonly #retries: Retries;

  /** Throws an EnvironmentError for a root or a token that cannot be used. */
  constructor(api: JsonApi, { clock, request = longestRequest }: ClientTiming) {
    this.#api = api;
    this.#root = rootOf(api.root);
    this.#timeouts = { whole: request, connect: Math.min(longestConnecting, request) };
    const limits = { longestPause: longestPauses, allPauses: longestPauses };
    this.#retries = new Retries(clock, { attempts: mostAttempts, ...limits });
    // Node would reject such a header with a message that does not name the variable.
    if (!/^[\x21-\x7e]+$/.test(api.token)) {
      throw new EnvironmentError(
        `${api.tokenFrom} is not a valid token: it has a space, a line break or another character that no token has`,
      );
    }
  }

  /** The answer to a request, with any status below 500. */
  async ask(request: JsonRequest): Promise<JsonAnswer> {
    const { result, again, pause } = await this.#retries.run(() => this.#send(request));
    if (!('failure' in result)) return result;
    const minutes = Math.ceil(pause / 60_000);
    const when = again?.pause !== undefined && minutes > 1 ? `in ${minutes} minutes` : 'later';
    throw this.#failed(`${result.failure}; run the job again ${when}`);
  }

  /** The error for an answer that is not a success, with a sentence about what to do. */
  refusal({ method, path }: JsonRequest, answer: JsonAnswer, help: string): EnvironmentError {
    const quote = this.#quote(messageOf(answer.value) ?? firstLine(answer.text.trim()));
    const asked = `${method} ${path.split('?')[0]}`;
    return this.#failed(`answers ${asked} with ${answer.status}${quote}: ${help}`);
  }

  async #send(request: JsonRequest): Promise<Attempt<Result>> {
    try {
      const answer = await this.#exchange(request);
      const postponed = postponedBy(answer);
      if (postponed === undefined) return { result: answer };
      const failure = `answers ${answer.status}${this.#quote(messageOf(answer.value))}`;
      if (!postponed.isRefused) this.#assertRepeatable(request, failure);
      return { result: { failure }, again: postponed };
    } catch (error) {
      if (error instanceof EnvironmentError) throw error;
      if (error instanceof ExchangeLimitError) throw this.#elsewhere(error.message);
      const failure = `cannot be reached: ${connectionReason(error)}`;
      if (isUntrusted(error)) throw this.#failed(failure);
      if (!isUnreached(error)) this.#assertRepeatable(request, failure);
      return { result: { failure }, again: { firstPause: second } };
    }
  }

  /** A POST that was interrupted may have been carried out. */
  #assertRepeatable({ method }: JsonRequest, failure: string): void {
    if (method === 'POST') throw new UnsureError(this.#sentence(failure));
  }

  async #exchange({ method, path, body }: JsonRequest): Promise<JsonAnswer> {
    const { headers, token, scheme = 'Bearer' } = this.#api;
    const text = body && JSON.stringify(body);
    const root = this.#root.href.replace(/\/+$/, '');
    const answer = await exchange(this.#urlOf(path.startsWith('/') ? `${root}${path}` : path), {
      method,
      headers: {
        ...headers,
        Authorization: `${scheme} ${token}`,
        'User-Agent': 'leasehold',
        // Node sends the body of a DELETE without its length.
        ...(text && {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(text),
        }),
      },
      body: text,
      timeouts: this.#timeouts,
      // The server may just be closing a connection that was used before: no way to know what
      // arrived. Only the shared agent knows the proxy of NODE_USE_ENV_PROXY.
      ...(method === 'POST' && !process.env.NODE_USE_ENV_PROXY && { tls: { agent: false } }),
      follow: (location, from) => this.#urlOf(location, from),
    });
    return { ...answer, value: jsonIn(answer.text) };
  }

  #urlOf(text: string, base?: URL): URL {
    const url = URL.canParse(text, base?.href) ? new URL(text, base?.href) : undefined;
    if (url?.origin === this.#root.origin && url.username === '') return url;
    throw this.#elsewhere(
      `leads to ${url?.origin ?? 'no address'}, and the token is not sent there`,
    );
  }

  #elsewhere(what: string): EnvironmentError {
    return this.#failed(`${what}: name the address of its API with --api`);
  }

  #failed(what: string): EnvironmentError {
    return new EnvironmentError(this.#sentence(what));
  }

  #sentence(what: string): string {
    return this.#clean(`${this.#api.name} at ${this.#root.host} ${what}`);
  }

  /**
   * A quoted message, cut short. The token is replaced before the cut, which could leave a part of
   * it.
   */
  #quote(message: string | undefined): string {
    return message ? ` (${this.#clean(message).slice(0, longestQuote)})` : '';
  }

  #clean(text: string): string {
    return text.replaceAll(this.#api.token, '***');
  }
}

/** The root of an API, or an EnvironmentError. */
function rootOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url));
  if (!url || !isSafe || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new EnvironmentError(
      'the address of an API is https://…, without user, password and query; http is for the loopback only',
    );
  }
  return url;
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/**
 * The error of an answer: GitHub's `message`; GitLab's `message`, `error_description` or `error`;
 * NetBox's `detail`.
 */
function messageOf(value: unknown): string | undefined {
  const { message, error_description, error, detail } = Object(value) as Readonly<
    Record<string, unknown>
  >;
  const first = [message, error_description, error, detail].find((text) => text !== undefined);
  if (first === undefined || first === '') return undefined;
  return firstLine(typeof first === 'string' ? first : JSON.stringify(first));
}
