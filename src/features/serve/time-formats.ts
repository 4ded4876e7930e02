import { type Day, daysBetween, parseDay } from '../../core/model/day.ts';

const firstDay = '1970-01-01' as Day;

/** Returns the Unix time in seconds of `2026-01-02T10:00:00Z`; undefined for any other format. */
export function unixSeconds(time: string): number | undefined {
  const [, date = '', ...clock] = /^([-\d]{10})T(\d\d):(\d\d):(\d\d)Z$/.exec(time) ?? [];
  const day = parseDay(date);
  if (day === undefined) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = clock.map(Number);
  return daysBetween(firstDay, day) * 86_400 + hours * 3600 + minutes * 60 + seconds;
}

/** From the weekday of 1970-01-01. */
const weekdays = ['Thu', 'Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed'];
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/**
 * Formats `2026-01-02T10:00:00Z` as an HTTP date, `Fri, 02 Jan 2026 10:00:00 GMT` (RFC 9110,
 * 5.6.7).
 */
export function httpDate(time: string): string {
  const date = time.slice(0, 10) as Day;
  const [year, month, day] = date.split('-');
  const weekday = weekdays[daysBetween(firstDay, date) % 7];
  return `${weekday}, ${day} ${months[Number(month) - 1]} ${year} ${time.slice(11, 19)} GMT`;
}

/** Formats it as Go's `time.Time.String` does: `2026-01-02 10:00:00 +0000 UTC`. */
export function goTime(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 19)} +0000 UTC`;
}
