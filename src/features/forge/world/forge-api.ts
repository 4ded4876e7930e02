import { EnvironmentError } from '../../../core/model/problem.ts';
import {
  type ClientTiming,
  type JsonAnswer,
  type JsonApi,
  JsonClient,
  type JsonRequest,
} from '../../../lib/http/world/json-client.ts';
import { ListBounds } from '../../../lib/http/world/list-bounds.ts';
import type { ForgeComment } from '../forge.ts';

/** An object of an API, not validated. */
export type Fields = Readonly<Record<string, unknown>>;

/** The names and hints of one forge. */
export interface ForgeWords {
  /** Advice for a status that is not a success. */
  readonly helpFor: (status: number) => string;
  /** The field of a user that has the login. */
  readonly login: string;
  /** The field of a comment that has its author. */
  readonly author: string;
}

/**
 * The common part of the forges' APIs. Every failure is an EnvironmentError with the fix.
 */
export class ForgeApi {
  readonly #http: JsonClient;
  readonly #name: string;
  readonly #words: ForgeWords;

  constructor(api: JsonApi, words: ForgeWords, timing: ClientTiming) {
    this.#http = new JsonClient(api, timing);
    this.#name = api.name;
    this.#words = words;
  }

  /** A successful answer, or one with the expected status. */
  async ask(request: JsonRequest, expected?: number): Promise<JsonAnswer> {
    const answer = await this.#http.ask(request);
    const { status } = answer;
    if ((status >= 200 && status < 300) || status === expected) return answer;
    throw this.#http.refusal(request, answer, this.#words.helpFor(status));
  }

  /** Changes or removes one comment; false when it does not exist. */
  async change(request: JsonRequest): Promise<boolean> {
    return (await this.ask(request, gone)).status !== gone;
  }

  /** The objects of all pages of a list. `next` returns the path of the page after an answer. */
  async pages(
    first: string,
    next: (answer: JsonAnswer) => string | undefined,
  ): Promise<readonly Fields[]> {
    const found: Fields[] = [];
    const bounds = new ListBounds(this.#name, 'comments and pull requests');
    let path: string | undefined = first;
    while (path !== undefined) {
      bounds.ask(path);
      const answer = await this.ask({ method: 'GET', path });
      if (!Array.isArray(answer.value)) throw this.#unreadable('list');
      bounds.count(answer.value.length, answer);
      for (const one of answer.value) found.push(Object(one) as Fields);
      path = next(answer);
    }
    return found;
  }

  /** A required text of an answer. */
  text(value: unknown, field: string): string {
    const text = (Object(value) as Fields)[field];
    if (typeof text === 'string' && text !== '') return text;
    throw this.#unreadable(field);
  }

  /** The login of a user. */
  login({ value }: JsonAnswer): string {
    return this.text(value, this.#words.login);
  }

  /** One comment; its author is empty when the account was deleted. */
  comment(value: unknown): ForgeComment {
    const fields = Object(value) as Fields;
    const { id, body } = fields;
    if (!Number.isSafeInteger(id)) throw this.#unreadable('id');
    const author = (Object(fields[this.#words.author]) as Fields)[this.#words.login];
    return { id: String(id), author: textOr(author), body: textOr(body) };
  }

  #unreadable(what: string): EnvironmentError {
    const name = this.#name;
    return new EnvironmentError(
      `the server is not ${name}: its answer has no ${what}; name the address of its API with --api`,
    );
  }
}

const gone = 404;

function textOr(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
