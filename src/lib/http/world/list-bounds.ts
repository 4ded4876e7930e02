import { EnvironmentError } from '../../../core/model/problem.ts';

/** The bounds of one list. The largest clusters have about 150,000 objects of a kind. */
const mostPages = 20_000;
const mostItems = 1_000_000;
const mostCharacters = 2 * 1024 ** 3;

/** Keeps a list that is read page by page from going on without an end. */
export class ListBounds {
  readonly #server: string;
  readonly #list: string;
  readonly #asked = new Set<string>();
  #items = 0;
  #characters = 0;

  constructor(server: string, list: string) {
    this.#server = server;
    this.#list = list;
  }

  /** Throws an EnvironmentError when a page is asked for again: the token or path of a page. */
  ask(page: string): void {
    if (this.#asked.has(page)) this.#fail('it names a page again that it has answered');
    this.#asked.add(page);
    if (this.#asked.size > mostPages) this.#fail('there are more than 20,000 pages');
  }

  /** Counts an answer. Throws an EnvironmentError beyond a bound. */
  count(items: number, { text }: { readonly text: string }): void {
    this.#items += items;
    this.#characters += text.length;
    if (this.#items > mostItems) this.#fail('there are more than 1,000,000 entries');
    if (this.#characters > mostCharacters) this.#fail('its answers have more than 2 GiB');
  }

  #fail(why: string): never {
    throw new EnvironmentError(
      `${this.#server} lists ${this.#list} without an end: ${why}; look at the server, or at a proxy in front of it`,
    );
  }
}
