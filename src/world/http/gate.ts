import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { limits } from './http-limits.ts';

/** Why a request is not looked at: a status and a sentence. */
export interface Refused {
  readonly status: number;
  readonly reason: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a request brings that no answer needs: a body, or more of a path than any path has. */
export function refusedShape(url: string, headers: IncomingHttpHeaders): Refused | undefined {
  if (url.length > limits.urlBytes) return { status: 414, reason: 'the path is too long' };
  const length = headers['content-length'];
  if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0'))
    return undefined;
  return {
    status: 413,
    reason: 'nothing here takes a body',
    headers: { Connection: 'close' },
  };
}

/** True when a request has the token. How long that takes tells nothing of it. */
export function hasToken(authorization: string | undefined, token: Uint8Array): boolean {
  const [, given = ''] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  return timingSafeEqual(digestOf(Buffer.from(given, 'latin1')), digestOf(token));
}

function digestOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** True when a client has what it would get: `If-None-Match` of RFC 9110, 13.1.2. */
export function hasAlready(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false;
  return ifNoneMatch
    .split(',')
    .map((text) => text.trim().replace(/^W\//, ''))
    .some((text) => text === '*' || text === etag);
}
