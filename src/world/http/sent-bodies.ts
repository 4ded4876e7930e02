import type { ServerResponse } from 'node:http';
import type { WebAnswer } from '../../ports/web.ts';
import { limits } from './http-limits.ts';

/**
 * The bodies of answers on their way. A client may ask for much and never read it: an answer that is given again has its bytes
 * once, however many wait for them, and of large ones that were made for one client only so many are held.
 */
export class SentBodies {
  readonly #bytes = new WeakMap<WebAnswer, Uint8Array<ArrayBuffer>>();
  #large = 0;

  /** The bytes of an answer until it is through; undefined when too many large ones are held for slow clients. */
  take(answer: WebAnswer, outgoing: ServerResponse): Uint8Array<ArrayBuffer> | undefined {
    const shared = this.#bytes.get(answer);
    if (shared) return shared;
    const isLarge = answer.body.length >= limits.largeBody;
    if (isLarge && this.#large >= limits.mostLarge) return undefined;
    const bytes = Buffer.from(answer.body, 'utf8');
    this.#bytes.set(answer, bytes);
    if (isLarge) {
      this.#large += 1;
      outgoing.once('close', () => {
        this.#large -= 1;
      });
    }
    return bytes;
  }
}
