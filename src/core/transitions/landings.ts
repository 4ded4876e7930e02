import type { Tenure } from '../model/allocation.ts';
import { addDays, type Day, type DaySpan, earlierDay } from '../model/day.ts';

/**
 * By path the day on which a file last changed on the target, in a span of days. Without the
 * history of the target, none.
 */
export type Landings = (days: DaySpan) => Promise<ReadonlyMap<string, Day>>;

interface LandingTerms {
  /** The day of the change: that of the run, or of the head commit. */
  readonly day: Day;
  /** The day of the run. */
  readonly today?: Day;
  readonly landings: Landings | undefined;
}

/**
 * The days before which `after` may not give what is released in `before` to another holder, or
 * lose its record, by key: a retention counts from the day on which the release landed on the target,
 * and a branch can have recorded it long before. Leaves out those whose record says so already.
 * Asks for landings only if something is given again. A day after tomorrow is that of a wrong clock,
 * and does not count.
 */
export async function landedFreeDays<Kept extends Tenure>(
  before: ReadonlyMap<string, Kept>,
  after: ReadonlyMap<string, Kept>,
  { day, today = day, landings }: LandingTerms,
): Promise<ReadonlyMap<string, Day>> {
  const again = [...before].flatMap(([key, { released, holder, retain, at }]) => {
    const given = after.get(key);
    if (!released || given?.holder === holder || released.freeFrom === released.on) return [];
    // An address that a move vacates is retained for a day at least.
    return [{ key, released, at, given, kept: Math.max(retain, 1) }];
  });
  if (again.length === 0 || !landings) return new Map();
  const days = again.map(({ given, kept }) => addDays(given?.since ?? day, -kept));
  const from = days.reduce(earlierDay, day);
  const landed = await landings({ from, until: addDays(today, 1) });
  return new Map(
    again.flatMap(({ key, released, at, kept }) => {
      const landing = landed.get(at?.file ?? '');
      if (landing === undefined) return [];
      const free = addDays(landing, kept);
      return free > released.freeFrom ? [[key, free] as const] : [];
    }),
  );
}

/** The records of `before`, free no earlier than {@link landedFreeDays} allows. */
export async function asLanded<Kept extends Tenure>(
  before: ReadonlyMap<string, Kept>,
  after: ReadonlyMap<string, Kept>,
  terms: LandingTerms,
): Promise<ReadonlyMap<string, Kept>> {
  return withheldUntil(before, await landedFreeDays(before, after, terms)).table;
}

/** A table in which some released addresses or hostnames are free later. */
export interface Withheld<Kept extends Tenure> {
  readonly table: ReadonlyMap<string, Kept>;
  /** Their records in `table`. */
  readonly records: readonly Kept[];
  /** Returns a table derived from `table`, with their original records where nothing has changed them. */
  restore(made: ReadonlyMap<string, Kept>): ReadonlyMap<string, Kept>;
}

/** The table with the released records of these keys free from a later day on. */
export function withheldUntil<Kept extends Tenure>(
  table: ReadonlyMap<string, Kept>,
  freeDays: ReadonlyMap<string, Day>,
): Withheld<Kept> {
  if (freeDays.size === 0) return { table, records: [], restore: (made) => made };
  const kept = new Map(table);
  const records: Kept[] = [];
  for (const [key, freeFrom] of freeDays) {
    const record = table.get(key);
    if (!record?.released) continue;
    const withheld = { ...record, released: { ...record.released, freeFrom } };
    kept.set(key, withheld);
    records.push(withheld);
  }
  return {
    table: kept,
    records,
    restore(made) {
      const restored = new Map(made);
      for (const key of freeDays.keys()) {
        const [own, after] = [table.get(key), made.get(key)];
        const isSame =
          own?.holder === after?.holder &&
          own?.since === after?.since &&
          after?.released?.freeFrom === freeDays.get(key);
        if (own?.released && isSame) restored.set(key, own);
      }
      return restored;
    },
  };
}
