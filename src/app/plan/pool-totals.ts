import { occupancyOf } from '../../allocate/occupancy.ts';
import type { Day } from '../../model/day.ts';
import type { Occupancy, PoolTotals } from '../../model/plan.ts';
import type { Declared } from '../declared.ts';

/** How full every pool is before and after, as of one day; pools that only the base has come last. */
export function poolTotals(base: Declared, head: Declared, day: Day): PoolTotals[] {
  const before = totalsOf(base, day);
  const after = totalsOf(head, day);
  const zones = new Map(
    [...(base.pools?.pools ?? []), ...(head.pools?.pools ?? [])].map(({ name, zone }) => [
      name,
      zone,
    ]),
  );
  return [...new Set([...after.keys(), ...before.keys()])].map((pool) => {
    const was = before.get(pool);
    const is = after.get(pool);
    return {
      pool,
      zone: zones.get(pool) ?? '',
      ...(was && { before: was }),
      ...(is && { after: is }),
    };
  });
}

function totalsOf({ pools, table }: Declared, day: Day): ReadonlyMap<string, Occupancy> {
  return pools ? occupancyOf(pools, table, day) : new Map();
}
