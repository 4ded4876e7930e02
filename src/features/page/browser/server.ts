import type { Status } from '../../../lib/service/status-answer.ts';
import type { OtherPart, Picture } from '../picture-answer.ts';
import type { ServerView } from './views/server-view.ts';

/** Requests a path of the server that sent the page. */
type Ask = (path: string, more?: RequestInit) => Promise<Response>;

/** The server answered with an error status. */
class RefusedError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the server answers ${status}`);
    this.status = status;
  }
}

/** Sends requests with a bearer token, if there is one. */
function askWith(token: string | undefined): Ask {
  const own: Record<string, string> =
    token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return async (path, more = {}) => {
    const headers = { ...own, ...(more.headers as Record<string, string> | undefined) };
    const answer = await window.fetch(path, { ...more, headers });
    if (answer.ok) return answer;
    throw new RefusedError(answer.status);
  };
}

/** The status of the server. */
async function askStatus(ask: Ask): Promise<Status> {
  const answer = await ask('/api/v1/status');
  return (await answer.json()) as Status;
}

/** Milliseconds of silence after which a stream is given up: three heartbeats of the server. */
const silence = 45_000;

/** A listener to the stream of events. */
interface Listener {
  /** The id of the last event received, which is not sent again. */
  readonly last: string | undefined;
  /** The stream is open. */
  opened(): void;
  /** A new event has arrived. */
  changed(event: string): Promise<void>;
}

/**
 * Listens until the stream of events ends, and reports the newest event of each chunk. EventSource
 * is not used because it cannot send a token. Only the id of an event is read.
 */
async function listen(ask: Ask, { last, opened, changed }: Listener): Promise<void> {
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

const paths = { picture: '/api/v1/picture', past: '/api/v1/picture/past' } as const;

/**
 * Milliseconds until a lost connection is retried, at first and at most, and between two requests
 * to a server that is loading.
 */
const pauses = { first: 1_000, longest: 15_000, loading: 2_000 } as const;

/** Shows a picture. It resolves once all views have it. */
type Show = (picture: Picture) => Promise<void>;

/** Keeps a served page up to date with its server, and shows connection problems. */
export async function followServer(view: ServerView, show: Show): Promise<never> {
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

/** Follows the server until a request fails, and resumes from there. */
class Follower {
  /** The number of failures in a row. */
  failures = 0;
  readonly #view: ServerView;
  readonly #show: Show;
  #ask: Ask;
  #token: string | undefined;
  #last: string | undefined;
  /** The picture shown, and its history, which takes longer. */
  #shown: Picture | undefined;
  #past: Pick<OtherPart, 'past' | 'forecasts'> | undefined;
  /** The ETags of both. */
  readonly #tags = new Map<string, string>();

  constructor(view: ServerView, show: Show, ask: Ask) {
    this.#view = view;
    this.#show = show;
    this.#ask = ask;
  }

  use(token: string): void {
    this.#token = token;
    this.#ask = askWith(token);
  }

  /** Returns the error that ended it; undefined when the server ended the stream. */
  async follow(): Promise<unknown> {
    try {
      if (this.#shown === undefined) await this.#showFirst();
      do await this.#untilReady();
      while (await this.#hasTooManyListeners());
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /**
   * Listens until the end. Returns true when the server has too many listeners; the picture is then
   * polled instead.
   */
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

  /** Shows what the first rows need, unless nothing is served yet. */
  async #showFirst(): Promise<void> {
    try {
      this.#shown = await this.#changed<Picture>('picture', '/first');
    } catch (error) {
      if (!(error instanceof RefusedError) || error.status !== 503) throw error;
    }
    await this.#showParts();
  }

  /** Shows the current picture, and then its history, unless they are already shown. */
  async #load(): Promise<void> {
    if (this.#shown === undefined) await this.#showFirst();
    const picture = await this.#changed<Picture>('picture');
    if (picture) {
      this.#shown = picture;
      await this.#showParts();
    }
    this.#reached();
    const past = await this.#changed<OtherPart>('past');
    if (!past) return;
    this.#past = {
      ...(past.past && { past: past.past }),
      ...(past.forecasts && { forecasts: past.forecasts }),
    };
    await this.#showParts();
  }

  /** Until a new history has come, the one before is shown. */
  async #showParts(): Promise<void> {
    if (this.#shown === undefined) return;
    const isDone = this.#show({ ...this.#shown, ...(this.#past ?? { partial: true }) });
    // With the first view, and not after the last one.
    this.#reached();
    await isDone;
  }

  /** Loads the picture, or its history; undefined when it has not changed. */
  async #changed<Part>(name: 'picture' | 'past', more = ''): Promise<Part | undefined> {
    const answer = await this.#ask(`${paths[name]}${more}`);
    const etag = answer.headers.get('etag');
    if (etag !== null && etag === this.#tags.get(name)) {
      await answer.body?.cancel();
      return undefined;
    }
    // Of many megabytes, json() would take twice as long.
    const part = JSON.parse(new TextDecoder().decode(await answer.arrayBuffer())) as Part;
    this.#tags.set(name, etag ?? '');
    return part;
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

/** Key of the token in the storage of this tab. */
const place = 'leasehold-token';

/** The stored token; undefined when there is none, or the browser has no storage. */
function keptToken(): string | undefined {
  return storage()?.getItem(place) ?? undefined;
}

/** Stores a token that the server accepted. */
function keepToken(token: string): void {
  storage()?.setItem(place, token);
}

/** Removes the stored token. */
function forgetToken(): void {
  storage()?.removeItem(place);
}

/** Some browsers throw when storage is disabled. */
function storage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}
