import { type FamilyOccupancy, occupancyOf, percentInUse } from '../../allocate/occupancy.ts';
import type { Day } from '../../model/day.ts';
import { familiesOf, type Pool } from '../../model/pools.ts';
import type { Family } from '../../net/address.ts';
import { formatRange } from '../../net/range.ts';
import type { Known } from './known.ts';
import type { FamilyUsage, PoolUsages } from './pool-usage-answer.ts';

/** How full every pool is on a day, each family by itself: a full /28 does not hide behind an empty /64. */
export function poolUsages({ pools, table }: Known, day: Day): PoolUsages {
  const occupancies = occupancyOf(pools, table, day);
  const items = pools.pools.map((pool) => {
    const counts = occupancies.get(pool.name);
    const families = familiesOf(pool).flatMap((family) =>
      counts ? [familyUsage(pool, family, counts[family])] : [],
    );
    return { pool: pool.name, zone: pool.zone, state: pool.state, families };
  });
  return { apiVersion: 'leasehold.dev/v1', kind: 'PoolUsages', day, items };
}

function familyUsage(pool: Pool, family: Family, counts: FamilyOccupancy): FamilyUsage {
  const { total, usable, held, retained, free } = counts;
  return {
    family,
    ranges: pool.ranges.filter((range) => range.from.family === family).map(formatRange),
    total: String(total),
    reserved: String(total - usable),
    held,
    retained,
    free: String(free),
    percent: percentInUse(usable, free),
  };
}
