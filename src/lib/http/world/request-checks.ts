import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { jsonIn } from '../../../core/world/system-error.ts';
import { limits } from './connections.ts';

/** Why a request is rejected before its route: a status and a sentence. */
export interface Refused {
  readonly status: number;
  readonly reason: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The rejection of a request with too long a path; undefined for any other. */
export function refusedPath(url: string): Refused | undefined {
  if (url.length <= limits.urlBytes) return undefined;
  return { status: 414, reason: 'the path is too long' };
}

/** The rejection of a request with a body; undefined for any other. */
export function refusedBody(headers: IncomingHttpHeaders): Refused | undefined {
  const length = headers['content-length'];
  if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0'))
    return undefined;
  return refusedUnread(413, 'a request body is not accepted');
}

/** A rejection that leaves the body unread. */
function refusedUnread(status: number, reason: string): Refused {
  return { status, reason, headers: { Connection: 'close' } };
}

/** The JSON of a request; undefined when its body is none. */
export interface JsonBody {
  readonly json: unknown;
}

/**
 * Reads the JSON of a request; or why the request is rejected. A page of another site cannot send
 * this media type without asking first.
 */
export async function readJsonBody(incoming: IncomingMessage): Promise<JsonBody | Refused> {
  const type = incoming.headers['content-type'] ?? '';
  if (!/^application\/json *(?:; *charset=utf-8 *)?$/i.test(type)) {
    return refusedUnread(415, 'the body must be application/json');
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    // The answer goes over the same connection, so a body that is left unread must not close it.
    for await (const part of incoming.iterator({ destroyOnReturn: false })) {
      parts.push(part);
      bytes += part.length;
      if (bytes > limits.bodyBytes) return tooLarge;
    }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
    return { json: jsonIn(text) };
  } catch {
    return refusedUnread(400, 'the body is cut off, or is not UTF-8');
  }
}

const tooLarge = refusedUnread(413, `the body has more than ${limits.bodyBytes} bytes`);

/** True when a request has the token, compared in constant time. */
export function hasToken(authorization: string | undefined, token: Uint8Array): boolean {
  const [, given = ''] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  return timingSafeEqual(digestOf(Buffer.from(given, 'latin1')), digestOf(token));
}

/**
 * True when a request has the token as the password of any user, compared in constant time: a
 * client that can be given only a URL sends what the URL has.
 */
export function hasPassword(authorization: string | undefined, token: Uint8Array): boolean {
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization ?? '') ?? [];
  const pair = Buffer.from(encoded, 'base64');
  const given = pair.subarray(pair.indexOf(':') + 1);
  return timingSafeEqual(digestOf(given), digestOf(token));
}

function digestOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** True when the client's copy is current: `If-None-Match` of RFC 9110, 13.1.2. */
export function hasAlready(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false;
  return ifNoneMatch
    .split(',')
    .map((text) => text.trim().replace(/^W\//, ''))
    .some((text) => text === '*' || text === etag);
}

/**
 * Names that cannot be registered to point into another network: this machine, Services of a
 * cluster.
 */
const ownNames: readonly string[] = ['localhost', '.svc', '.svc.cluster.local'];

/**
 * True for a value of `--allowed-host`: a lower case name, or one with a leading dot for all names
 * below it.
 */
export function isHostName(text: string): boolean {
  const label = '[a-z0-9_](?:[-a-z0-9_]{0,61}[a-z0-9])?';
  return text.length <= 254 && new RegExp(`^\\.?${label}(?:\\.${label})*$`).test(text);
}

/**
 * True when the Host header names this server: by an IP address, one of its own names, or an
 * allowed one. This stops DNS rebinding, where a web page whose name was made to point here would
 * read the answers. A client that sends no Host header is not a browser.
 */
export function namesServer(host: string | undefined, allowed: readonly string[]): boolean {
  if (host === undefined) return true;
  const [, bracketed, bare = ''] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::\d{1,5})?$/.exec(host) ?? [];
  if (bracketed !== undefined) return isIP(bracketed) === 6;
  const name = bare.toLowerCase().replace(/\.$/, '');
  if (isIP(name) === 4) return true;
  return [...ownNames, ...allowed].some((own) =>
    own.startsWith('.') ? name.endsWith(own) && name !== own : name === own,
  );
}
