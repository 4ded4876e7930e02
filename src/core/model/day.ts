/**
 * Calendar days, UTC, as `YYYY-MM-DD` text. Text order is date order. Today is always an argument.
 */
export type Day = string & { readonly day: unique symbol };

/** A span of days, including both ends. */
export interface DaySpan {
  readonly from: Day;
  readonly until: Day;
}

const dayText = /^(\d{4})-(\d{2})-(\d{2})$/;
const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Parses a day; undefined for a text that is not one (`2026-02-30`, `26-1-1`). */
export function parseDay(text: string): Day | undefined {
  const match = dayText.exec(text);
  if (!match) return undefined;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  if (year < 1970 || month < 1 || month > 12) return undefined;
  return day >= 1 && day <= daysIn(year, month) ? (text as Day) : undefined;
}

/** The day `count` whole days later; earlier for a negative count: see {@link dayBefore}. */
export function addDays(start: Day, count: number): Day {
  if (count < 0) return addDays(dayBefore(start), count + 1);
  let year = Number(start.slice(0, 4));
  let month = Number(start.slice(5, 7));
  let day = Number(start.slice(8, 10)) + count;
  while (day > daysIn(year, month)) {
    day -= daysIn(year, month);
    month += 1;
    if (month > 12) {
      month = 1;
      year += 1;
    }
  }
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}` as Day;
}

/** The day before. The first of January 1970 is its own day before. */
export function dayBefore(day: Day): Day {
  const year = Number(day.slice(0, 4));
  const month = Number(day.slice(5, 7));
  const ofMonth = Number(day.slice(8, 10));
  if (ofMonth > 1) return `${day.slice(0, 8)}${pad(ofMonth - 1, 2)}` as Day;
  if (month > 1) return `${pad(year, 4)}-${pad(month - 1, 2)}-${daysIn(year, month - 1)}` as Day;
  return year > 1970 ? (`${pad(year - 1, 4)}-12-31` as Day) : day;
}

/** Days from `from` to `to`; negative when `to` is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return dayNumber(to) - dayNumber(from);
}

/** The later of two days. */
export function laterDay(left: Day, right: Day | undefined): Day {
  return right !== undefined && right > left ? right : left;
}

/** The earlier of two days. */
export function earlierDay(left: Day, right: Day): Day {
  return right < left ? right : left;
}

/** Days since a fixed day. Years begin in March, so that a leap day is the last day of its year. */
function dayNumber(day: Day): number {
  const month = Number(day.slice(5, 7));
  const year = Number(day.slice(0, 4)) - (month < 3 ? 1 : 0);
  const leapDays = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
  const monthsDays = Math.floor((153 * ((month + 9) % 12) + 2) / 5);
  return 365 * year + leapDays + monthsDays + Number(day.slice(8, 10));
}

function daysIn(year: number, month: number): number {
  const leap = month === 2 && ((year % 4 === 0 && year % 100 !== 0) || year % 400 === 0);
  return (monthDays[month - 1] ?? 0) + (leap ? 1 : 0);
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
