/** The rules of retention, once for all models of the tests. Shares no code with src. */
import { daysAfter } from './naive-rules.ts';

/** What a holder is promised after a release, as its record has it. */
export interface Promised {
  /** The days of retention that it asked for last. */
  readonly retain: number;
  /** What it was promised before it asked for fewer. */
  readonly keepUntil?: string | undefined;
}

/** The day from which others can have what is released today. */
export function promisedUntil({ retain, keepUntil }: Promised, today: string): string {
  return laterDay(daysAfter(today, retain), keepUntil);
}

/** What is still promised to a holder that asks for other days from today on: fewer take nothing back. */
export function stillPromised(before: Promised, retain: number, today: string): string | undefined {
  return retain < before.retain ? promisedUntil(before, today) : before.keepUntil;
}

/** The later one of two days; an absent one is before all. */
export function laterDay(left: string, right: string | undefined): string {
  return right !== undefined && right > left ? right : left;
}
