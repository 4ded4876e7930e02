/** Why an answer is not the last word. */
export interface PutOff {
  /** True when the request was turned away before anything was done. */
  readonly isRefused: boolean;
  /** Milliseconds that the server wants to be left alone, if it says so. */
  readonly pause?: number;
  /** Milliseconds to leave it alone otherwise, the first time; twice as long each next time. */
  readonly firstPause: number;
}

/** What of an answer tells whether to ask again. */
interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A limit that names no time is over after a minute at the earliest (GitHub: rate limits for the REST API). */
const minute = 60_000;

/** The first pause after anything else. */
export const second = 1000;

/**
 * Whether a forge wants the same request later: 429, GitHub's 403 for a rate limit, 5xx. Undefined for an
 * answer that stands.
 */
export function putOffBy({ status, headers, text }: Answered): PutOff | undefined {
  const isLimited = status === 429 || (status === 403 && isRateLimit(headers, text));
  if (!isLimited && status < 500) return undefined;
  const named = afterHeader(headers) ?? (isLimited ? untilReset(headers) : undefined);
  const firstPause = isLimited && status === 403 ? minute : second;
  return { isRefused: isLimited, firstPause, ...(named !== undefined && { pause: named }) };
}

function isRateLimit(headers: Headers, text: string): boolean {
  return headers.has('retry-after') || isUsedUp(headers) || /secondary rate limit/i.test(text);
}

function isUsedUp(headers: Headers): boolean {
  return (headers.get('x-ratelimit-remaining') ?? headers.get('ratelimit-remaining')) === '0';
}

/** `Retry-After`: seconds, or a date. */
function afterHeader(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d{1,7}$/.test(value)) return Number(value) * 1000;
  return later(Date.parse(value), headers);
}

/** `X-RateLimit-Reset` of GitHub, `RateLimit-Reset` of GitLab: seconds since 1970. */
function untilReset(headers: Headers): number | undefined {
  const value = headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset') ?? '';
  return isUsedUp(headers) && /^\d{1,11}$/.test(value)
    ? later(Number(value) * 1000, headers)
    : undefined;
}

/** By the server's own clock, which its answer tells; ours may be wrong. */
function later(moment: number, headers: Headers): number | undefined {
  const told = Date.parse(headers.get('date') ?? '');
  const pause = moment - (Number.isNaN(told) ? Date.now() : told);
  return Number.isNaN(pause) ? undefined : Math.max(0, pause);
}
