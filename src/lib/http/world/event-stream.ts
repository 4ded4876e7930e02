import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { WebEvents } from '../web.ts';
import { limits } from './connections.ts';

/** The open connections to a stream of events. */
export interface EventStreams {
  readonly count: number;
  answer(context: Context): Response;
  /** Ends every stream. */
  close(): void;
}

/**
 * Server-Sent Events. A slow listener gets the newest event and misses those in between.
 * `Last-Event-ID` only keeps a listener from getting the same event again.
 */
export function eventStreams(events: WebEvents): EventStreams {
  const open = new Set<() => void>();
  return {
    get count() {
      return open.size;
    },
    answer(context) {
      const last = context.req.header('last-event-id');
      return streamSSE(
        context,
        async (stream) => {
          const bell = bellOf();
          open.add(bell.close);
          const unsubscribe = events.subscribe(bell.ring);
          stream.onAbort(bell.close);
          try {
            await stream.write('retry: 5000\n\n');
            let sent = last;
            while (!bell.isClosed() && !stream.aborted) {
              const event = events.newest();
              if (event !== undefined && event.id !== sent) {
                sent = event.id;
                await stream.writeSSE({ event: event.name, id: event.id, data: event.data });
                continue;
              }
              if (!(await bell.wait(limits.heartbeatTime))) await stream.write(': alive\n\n');
            }
          } finally {
            unsubscribe();
            open.delete(bell.close);
          }
        },
        listenerLeft,
      );
    },
    close() {
      for (const end of [...open]) end();
    },
  };
}

/** A listener that disconnects in the middle of an event is not an error. */
async function listenerLeft(): Promise<void> {}

/** A repeatable wake-up call for one waiter, until it is closed. */
function bellOf() {
  let isClosed = false;
  let isRung = false;
  let wake: (() => void) | undefined;
  const ring = (): void => {
    isRung = true;
    wake?.();
  };
  return {
    ring,
    isClosed: () => isClosed,
    close(): void {
      isClosed = true;
      ring();
    },
    /** True when it rang since the last wait or rings within some milliseconds. */
    async wait(milliseconds: number): Promise<boolean> {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wake = undefined;
      }
      const was = isRung;
      isRung = false;
      return was;
    },
  };
}
