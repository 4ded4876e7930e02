import { EnvironmentError } from '../../model/problem.ts';
import type { Clock } from '../../ports/clock.ts';
import { UnsureError } from '../../ports/forge.ts';
import { connectionReason, firstLine, isUnreached, isUntrusted } from '../connection-reason.ts';
import { Exchange, type JsonAnswer, type JsonApi, type JsonRequest } from './http-exchange.ts';
import { type PutOff, putOffBy, second } from './http-pause.ts';

/** What a client may take. */
export interface Patience {
  readonly waiting: Clock;
  /** Milliseconds for one request. */
  readonly request?: number;
}

const longestRequest = 30_000;
/** Milliseconds of all pauses together. */
const longestPauses = 300_000;
const mostSends = 6;
const longestQuote = 200;

/** What came of sending a request once: an answer that stands, or why it may be sent again. */
type Sent = JsonAnswer | (PutOff & { readonly reason: string });

/**
 * A client of one JSON API. A request that is put off (429, GitHub's rate limits) or broken off (5xx, a lost
 * connection, no answer in time) is sent again after a pause; but a POST that is broken off is an
 * UnsureError. All else that goes wrong is an EnvironmentError; no message has the token.
 */
export class HttpJson {
  readonly #exchange: Exchange;
  readonly #token: string;
  readonly #waiting: Clock;
  #pausesLeft = longestPauses;

  constructor(api: JsonApi, { waiting, request = longestRequest }: Patience) {
    this.#exchange = new Exchange(api, request);
    this.#token = api.token;
    this.#waiting = waiting;
  }

  /** The answer to a request; whatever status below 500 it has, it is an answer. */
  async ask(request: JsonRequest): Promise<JsonAnswer> {
    for (let sends = 1; ; sends += 1) {
      const sent = await this.#send(request);
      if ('status' in sent) return sent;
      if (!sent.isRefused && request.method === 'POST') throw new UnsureError(this.#told(sent));
      const pause = sent.pause ?? sent.firstPause * 2 ** (sends - 1);
      if (sends === mostSends || pause > this.#pausesLeft) throw this.#givenUp(sent, pause);
      this.#pausesLeft -= pause;
      await this.#waiting.pause(pause);
    }
  }

  /** An answer that is no success, as an error that says what to do. */
  refusal({ method, path }: JsonRequest, answer: JsonAnswer, help: string): EnvironmentError {
    const quote = this.#quote(saidIn(answer.value) ?? firstLine(answer.text.trim()));
    const asked = `${method} ${path.split('?')[0]}`;
    return new EnvironmentError(
      this.#clean(`${this.#exchange.name} answers ${asked} with ${answer.status}${quote}: ${help}`),
    );
  }

  async #send(request: JsonRequest): Promise<Sent> {
    try {
      const answer = await this.#exchange.send(request);
      const putOff = putOffBy(answer);
      if (putOff === undefined) return answer;
      const quote = this.#quote(saidIn(answer.value));
      return { ...putOff, reason: `answers ${answer.status}${quote}` };
    } catch (error) {
      if (error instanceof EnvironmentError) throw error;
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
      const reason = `is not reached: ${connectionReason(cause)}`;
      const sent = { isRefused: isUnreached(cause), firstPause: second, reason };
      if (isUntrusted(cause)) throw new EnvironmentError(this.#told(sent));
      return sent;
    }
  }

  #givenUp(sent: PutOff & { readonly reason: string }, pause: number): EnvironmentError {
    const minutes = Math.ceil(pause / 60_000);
    const when = sent.pause !== undefined && minutes > 1 ? `in ${minutes} minutes` : 'later';
    return new EnvironmentError(`${this.#told(sent)}; run the job again ${when}`);
  }

  #told({ reason }: { readonly reason: string }): string {
    return this.#clean(`${this.#exchange.name} ${reason}`);
  }

  /** What an API said, cut short. The token goes before the cut, which could leave a part of it. */
  #quote(said: string | undefined): string {
    return said ? ` (${this.#clean(said).slice(0, longestQuote)})` : '';
  }

  #clean(text: string): string {
    return text.replaceAll(this.#token, '***');
  }
}

/** What an API says went wrong: GitHub's `message`; GitLab's `message`, `error_description` or `error`. */
function saidIn(value: unknown): string | undefined {
  const { message, error_description, error } = Object(value) as Readonly<Record<string, unknown>>;
  const said = [message, error_description, error].find((text) => text !== undefined);
  if (said === undefined || said === '') return undefined;
  const text = typeof said === 'string' ? said : JSON.stringify(said);
  return firstLine(text);
}
