import { EnvironmentError } from '../../model/problem.ts';
import type { ForgeComment } from '../../ports/forge.ts';
import type { JsonAnswer, JsonApi, JsonRequest } from './http-exchange.ts';
import { HttpJson, type Patience } from './http-json.ts';

/** An object of an API, not looked at yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** How the forges call things. */
export interface ForgeWords {
  /** What to do about a status that is no success. */
  readonly helpFor: (status: number) => string;
  /** The field of a user's object that has the login. */
  readonly login: string;
  /** The field of a comment's object that has its author. */
  readonly author: string;
}

/** What the APIs of the forges have in common: an answer is a success, or a sentence that says what to do. */
export class ForgeApi {
  readonly #http: HttpJson;
  readonly #name: string;
  readonly #words: ForgeWords;

  constructor(api: JsonApi, words: ForgeWords, patience: Patience) {
    this.#http = new HttpJson(api, patience);
    this.#name = api.name;
    this.#words = words;
  }

  /** A successful answer, or one with the status that is expected. */
  async ask(request: JsonRequest, expected?: number): Promise<JsonAnswer> {
    const answer = await this.#http.ask(request);
    const { status } = answer;
    if ((status >= 200 && status < 300) || status === expected) return answer;
    throw this.#http.refusal(request, answer, this.#words.helpFor(status));
  }

  /** Changes or removes one comment; false when it is gone. */
  async change(request: JsonRequest): Promise<boolean> {
    return (await this.ask(request, gone)).status !== gone;
  }

  /** A text of an answer, where the forge has one. */
  text(value: unknown, field: string): string {
    const text = (Object(value) as Fields)[field];
    if (typeof text === 'string' && text !== '') return text;
    throw this.#unreadable(field);
  }

  /** The login of an answered user. */
  login({ value }: JsonAnswer): string {
    return this.text(value, this.#words.login);
  }

  /** The objects of an answered page. */
  page({ value }: JsonAnswer): readonly Fields[] {
    if (!Array.isArray(value)) throw this.#unreadable('list');
    return value.map((one) => Object(one) as Fields);
  }

  /** A comment of an answer. The author of one whose account is gone has no name. */
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
      `what answers is not ${name}: it gives no ${what} where ${name} does; name the address of its API with --api`,
    );
  }
}

/** The status of what is no longer there. */
const gone = 404;

function textOr(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
