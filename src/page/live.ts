import type { Picture } from '../model/picture.ts';
import { type Ask, askPicture, askStatus, askWith, listen, RefusedError } from './server.ts';
import type { ServerView } from './server-view.ts';
import { forgetToken, keepToken, keptToken } from './token.ts';

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
      await this.#untilReady();
      await listen(this.#ask, {
        last: this.#last,
        opened: () => this.#reached(),
        changed: async (event) => {
          this.#show(await askPicture(this.#ask));
          this.#last = event;
          this.#reached();
        },
      });
      return undefined;
    } catch (error) {
      return error;
    }
  }

  #reached(): void {
    this.failures = 0;
    if (this.#token !== undefined) keepToken(this.#token);
    if (this.#last !== undefined) this.#view.fine();
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
