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
