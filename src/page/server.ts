import type { Picture } from '../features/picture/picture-answer.ts';
import type { Status } from '../features/serve/status-answer.ts';
import type { ServerView } from './views/server-view.ts';

/** Asks the server that gave the page for one of its paths. */
export type Ask = (path: string, more?: RequestInit) => Promise<Response>;

/** An answer other than the one that was hoped for. */
export class RefusedError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the server answers ${status}`);
    this.status = status;
  }
}

/** Asks with a bearer token, where the server wants one. */
export function askWith(token: string | undefined): Ask {
  const own: Record<string, string> =
    token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return async (path, more = {}) => {
    const headers = { ...own, ...(more.headers as Record<string, string> | undefined) };
    const answer = await window.fetch(path, { ...more, headers });
    if (answer.ok) return answer;
    throw new RefusedError(answer.status);
  };
}

/** How it stands with the server. */
export async function askStatus(ask: Ask): Promise<Status> {
  const answer = await ask('/api/v1/status');
  return (await answer.json()) as Status;
}

/** Milliseconds without a sign of life after which a stream is given up: three of the server's heartbeats. */
const silence = 45_000;

/** Who listens to the stream of events. */
export interface Listener {
  /** The event that was told last; that one is not told again. */
  readonly last: string | undefined;
  /** The server is there. */
  opened(): void;
  /** There is something new. */
  changed(event: string): Promise<void>;
}

/**
 * Listens until the stream of events ends, and calls for the newest event of those that came. Not an EventSource: that one sends
 * no token. Of an event only its id is looked at.
 */
export async function listen(ask: Ask, { last, opened, changed }: Listener): Promise<void> {
  const control = new AbortController();
  const giveUp = () => control.abort();
  let timer = setTimeout(giveUp, silence);
  try {
    const headers: HeadersInit = last === undefined ? {} : { 'Last-Event-ID': last };
    const { body } = await ask('/api/v1/events', { signal: control.signal, headers });
    opened();
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      clearTimeout(timer);
      timer = setTimeout(giveUp, silence);
      const blocks = `${text}${part.value}`.split('\n\n');
      text = blocks.pop() ?? '';
      const newest = blocks.map((block) => /^id: ?(.*)$/m.exec(block)?.[1]).findLast(Boolean);
      if (newest !== undefined) await changed(newest);
    }
  } finally {
    clearTimeout(timer);
    giveUp();
  }
}

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

/** Where the token is kept: in this tab, until it is closed. */
const place = 'leasehold-token';

/** The token that this tab had; undefined without one, and where a browser keeps nothing. */
export function keptToken(): string | undefined {
  return storage()?.getItem(place) ?? undefined;
}

/** Keeps a token that the server took. */
export function keepToken(token: string): void {
  storage()?.setItem(place, token);
}

/** Keeps none. */
export function forgetToken(): void {
  storage()?.removeItem(place);
}

/** Some browsers refuse it where they are told to keep nothing. */
function storage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}
