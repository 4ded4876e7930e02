import type { IncomingHttpHeaders } from 'node:http';
import type { HttpAnswer } from './exchange.ts';
import { type Again, retryAfterSeconds } from './retry.ts';

/** Why an answer is not final, and when to ask again. */
export interface Postponed extends Again {
  /** True when the forge rejected the request before it did anything. */
  readonly isRefused: boolean;
}

/**
 * A limit without a time ends after a minute at the earliest (GitHub: rate limits for the REST
 * API).
 */
const minute = 60_000;

/** The first pause in every other case, in milliseconds. */
export const second = 1000;

/**
 * When a forge wants a request again: after 429, after GitHub's 403 for a rate limit, and after
 * 5xx. Undefined for a final answer.
 */
export function postponedBy({ status, headers, text }: HttpAnswer): Postponed | undefined {
  const isLimited = status === 429 || (status === 403 && isRateLimit(headers, text));
  if (!isLimited && status < 500) return undefined;
  const pause = retryAfter(headers) ?? (isLimited ? untilReset(headers) : undefined);
  return { isRefused: isLimited, firstPause: isLimited && status === 403 ? minute : second, pause };
}

function isRateLimit(headers: IncomingHttpHeaders, text: string): boolean {
  const hasTime = headers['retry-after'] !== undefined;
  return hasTime || isUsedUp(headers) || /secondary rate limit/i.test(text);
}

function isUsedUp(headers: IncomingHttpHeaders): boolean {
  return (headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining']) === '0';
}

/** `Retry-After`: seconds, or a date. */
function retryAfter(headers: IncomingHttpHeaders): number | undefined {
  const value = headers['retry-after'];
  if (value === undefined) return undefined;
  return retryAfterSeconds(value) ?? pauseUntil(Date.parse(value), headers);
}

/** `X-RateLimit-Reset` of GitHub, `RateLimit-Reset` of GitLab: seconds since 1970. */
function untilReset(headers: IncomingHttpHeaders): number | undefined {
  const value = String(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset'] ?? '');
  return isUsedUp(headers) && /^\d{1,11}$/.test(value)
    ? pauseUntil(Number(value) * 1000, headers)
    : undefined;
}

/** Counted by the server's clock, from the `Date` of its answer; the local clock may be wrong. */
function pauseUntil(moment: number, headers: IncomingHttpHeaders): number | undefined {
  const serverTime = Date.parse(headers.date ?? '');
  const pause = moment - (Number.isNaN(serverTime) ? Date.now() : serverTime);
  return Number.isNaN(pause) ? undefined : Math.max(0, pause);
}
