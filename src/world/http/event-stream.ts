import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { WebEvents } from '../../ports/web.ts';
import { limits } from './http-limits.ts';

/** The listeners of a stream of events, so that it can end. */
export interface EventStreams {
  readonly count: number;
  answer(context: Context): Response;
  /** Ends every stream. */
  close(): void;
}

/**
 * Server-Sent Events. A listener that is slow misses what came in between and gets the newest; what it got last
 * (`Last-Event-ID`) makes no difference but that it does not get that again.
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
          const end = (): void => {
            bell.close();
          };
          open.add(end);
          const unsubscribe = events.subscribe(bell.ring);
          stream.onAbort(end);
          try {
            await stream.write('retry: 5000\n\n');
            let told = last;
            while (!bell.isClosed() && !stream.aborted) {
              const event = events.newest();
              if (event !== undefined && event.id !== told) {
                told = event.id;
                await stream.writeSSE({ event: event.name, id: event.id, data: event.data });
                continue;
              }
              if (!(await bell.wait(limits.heartbeatTime))) await stream.write(': alive\n\n');
            }
          } finally {
            unsubscribe();
            open.delete(end);
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

/** Somebody who goes in the middle of an event is no fault. */
async function listenerLeft(): Promise<void> {}

/** Something that one waits for: rung again and again until it is closed. */
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
    /** True when it was rung since the last wait, within some milliseconds. */
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
