/** Returns the Unix time in seconds of `2026-01-02T10:00:00Z`; undefined for any other format. */
export function unixSeconds(time: string): number | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z$/.exec(time)?.slice(1).map(Number);
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  return daysSince1970(year, month, day) * 86_400 + hours * 3600 + minutes * 60 + seconds;
}

/** Counts years from March, so that a leap day is the last day of its year. */
function daysSince1970(year: number, month: number, day: number): number {
  const ofMarch = month > 2 ? year : year - 1;
  const leapDays = Math.floor(ofMarch / 4) - Math.floor(ofMarch / 100) + Math.floor(ofMarch / 400);
  const months = (month + 9) % 12;
  // 719,469 is the number of days from the start of this calendar to 1970-01-01.
  return ofMarch * 365 + leapDays + Math.floor((months * 153 + 2) / 5) + day - 719_469;
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/**
 * Formats `2026-01-02T10:00:00Z` as an HTTP date, `Fri, 02 Jan 2026 10:00:00 GMT` (RFC 9110,
 * 5.6.7).
 */
export function httpDate(time: string): string {
  const [year, month, day] = [time.slice(0, 4), time.slice(5, 7), time.slice(8, 10)].map(Number);
  const name = weekdays[weekdayOf(year ?? 1970, month ?? 1, day ?? 1)];
  return `${name}, ${time.slice(8, 10)} ${months[(month ?? 1) - 1]} ${time.slice(0, 4)} ${time.slice(11, 19)} GMT`;
}

/** 1970-01-01 was a Thursday. */
function weekdayOf(year: number, month: number, day: number): number {
  return (((daysSince1970(year, month, day) + 4) % 7) + 7) % 7;
}

/** Formats it as Go's `time.Time.String` does: `2026-01-02 10:00:00 +0000 UTC`. */
export function goTime(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 19)} +0000 UTC`;
}
