import type { Tenure } from '../../model/allocation.ts';
import type { Day } from '../../model/day.ts';
import { type Outcome, ok } from '../../model/problem.ts';
import { type Landings, landedFreeDays, withheldUntil } from '../../transitions/landings.ts';

/** What a run starts from. */
interface Start<Kept extends Tenure, OwnBase> {
  readonly table: ReadonlyMap<string, Kept>;
  readonly base: OwnBase | undefined;
  readonly today: Day | undefined;
  readonly landings: Landings | undefined;
}

/**
 * Repeats a run until it gives nothing whose release landed on the target too late: see
 * {@link landedFreeDays}. `late` has the records that it may not give yet.
 */
export async function runWithLandings<
  Kept extends Tenure,
  OwnBase extends { readonly table: ReadonlyMap<string, Kept> },
  Result extends { readonly table: ReadonlyMap<string, Kept> },
>(
  { table, base, today, landings }: Start<Kept, OwnBase>,
  run: (
    table: ReadonlyMap<string, Kept>,
    base: OwnBase | undefined,
    late: readonly Kept[],
  ) => Outcome<Result>,
): Promise<Outcome<Result>> {
  const freeDays = new Map<string, Day>();
  for (;;) {
    const start = withheldUntil(table, freeDays);
    const live = base && { ...base, table: withheldUntil(base.table, freeDays).table };
    const outcome = run(start.table, live, start.records);
    if (!outcome.ok || today === undefined) return outcome;
    const before = live?.table ?? start.table;
    const found = await landedFreeDays(before, outcome.value.table, { day: today, landings });
    if (found.size === 0) {
      return ok({ ...outcome.value, table: start.restore(outcome.value.table) });
    }
    for (const [key, day] of found) freeDays.set(key, day);
  }
}
