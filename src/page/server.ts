import type { Status } from '../features/serve/status-answer.ts';

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
