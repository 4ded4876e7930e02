import { occupancyOf, percentInUse } from '../../allocate/occupancy.ts';
import type { Day } from '../../model/day.ts';
import { familiesOf, type Pool } from '../../model/pools.ts';
import type { Declared } from '../../workspace/declared.ts';
import type { Occupancy, PoolTotals } from './plan-answer.ts';

/** How full every pool is before and after, as of one day; pools that only the base has come last. */
export function poolTotals(base: Declared, head: Declared, day: Day): PoolTotals[] {
  const before = totalsOf(base, day);
  const after = totalsOf(head, day);
  const pools = new Map([...poolsOf(head), ...poolsOf(base)].map(({ name, zone }) => [name, zone]));
  return [...pools].flatMap(([pool, zone]) =>
    (['ipv4', 'ipv6'] as const).flatMap((family) => {
      const was = before.get(`${pool} ${family}`);
      const is = after.get(`${pool} ${family}`);
      if (!was && !is) return [];
      return [{ pool, zone, family, ...(was && { before: was }), ...(is && { after: is }) }];
    }),
  );
}

function poolsOf({ pools }: Declared): readonly Pool[] {
  return pools?.pools ?? [];
}

/** By pool and family; only what a pool has addresses of. */
function totalsOf({ pools, table }: Declared, day: Day): ReadonlyMap<string, Occupancy> {
  if (!pools) return new Map();
  const counts = occupancyOf(pools, table, day);
  return new Map(
    pools.pools.flatMap((pool) =>
      familiesOf(pool).flatMap((family) => {
        const found = counts.get(pool.name)?.[family];
        if (!found) return [];
        const { usable, held, retained, free } = found;
        const percent = percentInUse(usable, free);
        const occupancy = { usable: String(usable), held, retained, free: String(free), percent };
        return [[`${pool.name} ${family}`, occupancy] as const];
      }),
    ),
  );
}
