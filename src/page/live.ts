import type { Picture } from '../features/picture/picture-answer.ts';
import { type Ask, askStatus, askWith, listen, RefusedError } from './server.ts';
import { forgetToken, keepToken, keptToken } from './token.ts';
import type { ServerView } from './views/server-view.ts';

/** Milliseconds after which a lost connection is tried again: the first time, and the longest. Between two looks at a server that loads. */
const pauses = { first: 1_000, longest: 15_000, loading: 2_000 } as const;

/** A served page asks its server for what there is and for what is new, and says what stands in the way of it. */
export async function followServer(
  view: ServerView,
  show: (picture: Picture) => void,
): Promise<never> {
  const token = keptToken();
  const follower = new Follower(view, show, askWith(token));
  let hadToken = token !== undefined;
  for (;;) {
    const error = await follower.follow();
    if (error instanceof RefusedError && error.status === 401) {
      if (hadToken) forgetToken();
      const next = await view.askToken(hadToken);
      hadToken = true;
      follower.use(next);
      continue;
    }
    view.lost(error instanceof RefusedError ? error.status : undefined);
    await pause(Math.min(pauses.longest, pauses.first * 2 ** follower.failures));
    follower.failures += 1;
  }
}

/** One who asks until he is refused or cut off, and goes on from there. */
class Follower {
  /** How often in a row nothing came. */
  failures = 0;
  readonly #view: ServerView;
  readonly #show: (picture: Picture) => void;
  #ask: Ask;
  #token: string | undefined;
  #last: string | undefined;
  /** The ETag of what is shown. */
  #shown: string | undefined;

  constructor(view: ServerView, show: (picture: Picture) => void, ask: Ask) {
    this.#view = view;
    this.#show = show;
    this.#ask = ask;
  }

  use(token: string): void {
    this.#token = token;
    this.#ask = askWith(token);
  }

  /** What ended it: an error, or undefined when the server ended the stream. */
  async follow(): Promise<unknown> {
    try {
      do await this.#untilReady();
      while (await this.#hasTooManyListeners());
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /** Listens to the end. A server that has listeners enough is asked for the picture instead, and true is the answer. */
  async #hasTooManyListeners(): Promise<boolean> {
    try {
      await this.#listen();
      return false;
    } catch (error) {
      if (!(error instanceof RefusedError) || error.status !== 503) throw error;
      await this.#load();
      await pause(pauses.longest);
      return true;
    }
  }

  #listen(): Promise<void> {
    return listen(this.#ask, {
      last: this.#last,
      opened: () => this.#reached(),
      changed: async (event) => {
        await this.#load();
        this.#last = event;
      },
    });
  }

  /** Shows what there is, unless that is shown already. */
  async #load(): Promise<void> {
    const answer = await this.#ask('/api/v1/picture');
    const etag = answer.headers.get('etag');
    if (etag !== null && etag === this.#shown) await answer.body?.cancel();
    else this.#show((await answer.json()) as Picture);
    this.#shown = etag ?? '';
    this.#reached();
  }

  #reached(): void {
    this.failures = 0;
    if (this.#token !== undefined) keepToken(this.#token);
    if (this.#shown !== undefined) this.#view.fine();
  }

  async #untilReady(): Promise<void> {
    for (;;) {
      const status = await askStatus(this.#ask);
      this.#view.waiting(status);
      if (status.ready) return;
      await pause(pauses.loading);
    }
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
