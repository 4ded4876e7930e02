import type { Picture } from '../model/picture.ts';

/** Asks the server that gave the page for one of its paths. */
export type Ask = (path: string, signal?: AbortSignal) => Promise<Response>;

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
  const headers: HeadersInit = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return async (path, signal) => {
    const answer = await window.fetch(path, { headers, ...(signal ? { signal } : {}) });
    if (answer.ok) return answer;
    throw new RefusedError(answer.status);
  };
}

/** What the server has to show now. */
export async function askPicture(ask: Ask): Promise<Picture> {
  const answer = await ask('/api/v1/picture');
  return (await answer.json()) as Picture;
}

/** Milliseconds without a sign of life after which a stream is given up: three of the server's heartbeats. */
const silence = 45_000;

/**
 * Listens until the stream of events ends, and calls for each event. Not an EventSource: that one sends no token. What an event
 * says is not looked at, so only the empty line counts that ends one, and the comments are left out.
 */
export async function listen(ask: Ask, changed: () => Promise<void>): Promise<void> {
  const control = new AbortController();
  const giveUp = () => control.abort();
  let timer = setTimeout(giveUp, silence);
  try {
    const { body } = await ask('/api/v1/events', control.signal);
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      clearTimeout(timer);
      timer = setTimeout(giveUp, silence);
      const blocks = `${text}${part.value}`.split('\n\n');
      text = blocks.pop() ?? '';
      if (blocks.some((block) => /^data:/m.test(block))) await changed();
    }
  } finally {
    clearTimeout(timer);
    giveUp();
  }
}
