/** The seconds since 1970 of a time in UTC, `2026-01-02T10:00:00Z`; undefined for a text that is none. */
export function unixSeconds(time: string): number | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z$/.exec(time)?.slice(1).map(Number);
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  return daysSince1970(year, month, day) * 86_400 + hours * 3600 + minutes * 60 + seconds;
}

/** Years begin in March here, so that a leap day is the last of its year. */
function daysSince1970(year: number, month: number, day: number): number {
  const ofMarch = month > 2 ? year : year - 1;
  const leapDays = Math.floor(ofMarch / 4) - Math.floor(ofMarch / 100) + Math.floor(ofMarch / 400);
  const months = (month + 9) % 12;
  // 719,469 days lie between the first day of such a calendar and the first of January 1970.
  return ofMarch * 365 + leapDays + Math.floor((months * 153 + 2) / 5) + day - 719_469;
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
/** Days by which the first of a month comes later in the week than that of January, or of the next one. */
const monthShifts = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];

/** A time `2026-01-02T10:00:00Z` as HTTP writes it: `Fri, 02 Jan 2026 10:00:00 GMT` (RFC 9110, 5.6.7). */
export function httpDate(time: string): string {
  const [year, month, day] = [time.slice(0, 4), time.slice(5, 7), time.slice(8, 10)].map(Number);
  const name = weekdays[weekdayOf(year ?? 0, month ?? 1, day ?? 1)];
  return `${name}, ${time.slice(8, 10)} ${months[(month ?? 1) - 1]} ${time.slice(0, 4)} ${time.slice(11, 19)} GMT`;
}

function weekdayOf(year: number, month: number, day: number): number {
  const counted = month < 3 ? year - 1 : year;
  const leaps = Math.floor(counted / 4) - Math.floor(counted / 100) + Math.floor(counted / 400);
  return (counted + leaps + (monthShifts[month - 1] ?? 0) + day) % 7;
}

/** The same time as Go's `time.Time.String` writes it: `2026-01-02 10:00:00 +0000 UTC`. */
export function goTime(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 19)} +0000 UTC`;
}
