import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type { WebAnswer } from '../web.ts';
import { limits } from './connections.ts';

/** The encodings of bodies. Brotli saves less than a tenth more, and few clients ask for it. */
export type Encoding = 'identity' | 'gzip';

/** The encoding that a client prefers: `Accept-Encoding` of RFC 9110, 12.5.3. */
export function preferredEncoding(context: Context): Encoding {
  const identity = 'identity' satisfies Encoding;
  const preferred = accepts(context, {
    header: 'Accept-Encoding',
    supports: ['gzip', identity],
    default: identity,
    match(accepted) {
      const qualityOf = (name: string): number | undefined =>
        accepted.find(({ type }) => type.toLowerCase() === name)?.q;
      const gzipQuality = qualityOf('gzip') ?? qualityOf('*') ?? 0;
      return gzipQuality > 0 && gzipQuality >= (qualityOf(identity) ?? 0) ? 'gzip' : identity;
    },
  });
  return preferred === 'gzip' ? 'gzip' : identity;
}

/** The ETag of a body in an encoding: other bytes have another strong tag. */
export function encodedTag(etag: string, encoding: Encoding): string {
  return encoding === 'identity' ? etag : etag.replace(/"$/, `-${encoding}"`);
}

type Bytes = Uint8Array<ArrayBuffer>;

const compress = promisify(gzip);

/** Level 4 costs a fifth less time than zlib's default, for half a percent more bytes. */
const compression = { level: 4, chunkSize: 65_536 } as const;

/**
 * Bodies that are being sent. All clients of one answer share its bytes in each encoding, which are
 * made once. A client may request a lot and never read it, so the number of large bodies held for
 * single clients is limited. Bodies are compressed outside of this thread.
 */
export class SentBodies {
  readonly #plain = new WeakMap<WebAnswer, Bytes>();
  readonly #compressed = new WeakMap<WebAnswer, Bytes | Promise<Bytes>>();
  #large = 0;
  #compressing = 0;

  /**
   * The encoding of an answer for a client that prefers one. A short body is not compressed, nor
   * any new one while many others are.
   */
  encodingOf(answer: WebAnswer, preferred: Encoding): Encoding {
    if (preferred === 'identity' || answer.body.length < limits.compressedBody) return 'identity';
    const isPossible = this.#compressed.has(answer) || this.#compressing < limits.mostCompressing;
    return isPossible ? preferred : 'identity';
  }

  /** The bytes of an answer; undefined when slow clients hold too many large ones. */
  take(
    answer: WebAnswer,
    encoding: Encoding,
    outgoing: ServerResponse,
  ): Bytes | Promise<Bytes> | undefined {
    const kept = encoding === 'gzip' ? this.#compressed : this.#plain;
    const shared = kept.get(answer);
    if (shared) return shared;
    const isNew = !this.#plain.has(answer) && !this.#compressed.has(answer);
    if (isNew && answer.body.length >= limits.largeBody) {
      if (this.#large >= limits.mostLarge) return undefined;
      this.#large += 1;
      outgoing.once('close', () => {
        this.#large -= 1;
      });
    }
    if (encoding === 'gzip') return this.#compress(answer);
    const bytes = Buffer.from(answer.body, 'utf8');
    this.#plain.set(answer, bytes);
    return bytes;
  }

  #compress(answer: WebAnswer): Promise<Bytes> {
    this.#compressing += 1;
    const bytes = compress(answer.body, compression).finally(() => {
      this.#compressing -= 1;
    });
    this.#compressed.set(answer, bytes);
    return bytes;
  }
}
