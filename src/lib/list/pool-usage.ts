import { type FamilyOccupancy, occupancyOf, percentInUse } from '../../core/allocate/supply.ts';
import type { Day } from '../../core/model/day.ts';
import { familiesOf, fillLevelOf, type Pool } from '../../core/model/pools.ts';
import type { Family } from '../../core/net/address.ts';
import { formatRange } from '../../core/net/range.ts';
import { humanCount } from '../../core/text/print/columns.ts';
import { csvText } from '../../core/text/print/escape.ts';
import type { Paint } from '../../core/text/print/problems-text.ts';
import { stateColor } from '../../core/text/print/state-color.ts';
import { type Column, type TableStyle, tableText } from '../../core/text/print/table.ts';
import { announcedAs } from './announced.ts';
import { announcedTexts } from './announced-text.ts';
import type { FamilyUsage, PoolUsages } from './pool-usage-answer.ts';
import type { WorkspaceSnapshot } from './workspace-snapshot.ts';

/** Counts the use of every pool on a day, separately for each family. */
export function poolUsages(
  { pools, table }: Pick<WorkspaceSnapshot, 'pools' | 'table'>,
  day: Day,
): PoolUsages {
  const occupancies = occupancyOf(pools, table, day);
  const items = pools.pools.map((pool) => {
    const counts = occupancies.get(pool.name);
    const families = familiesOf(pool).flatMap((family) =>
      counts ? [familyUsage(pool, family, counts[family])] : [],
    );
    const { name, zone, state } = pool;
    return { pool: name, zone, state, families, ...announcedAs(pool, pools) };
  });
  return { apiVersion: 'leasehold.dev/v1', kind: 'PoolUsages', day, items };
}

function familyUsage(pool: Pool, family: Family, counts: FamilyOccupancy): FamilyUsage {
  const { total, held, retained, free, draining } = counts;
  return {
    family,
    ranges: pool.ranges.filter((range) => range.from.family === family).map(formatRange),
    total: String(total),
    reserved: String(total - BigInt(held + retained) - free - draining),
    held: String(held),
    retained: String(retained),
    free: String(free),
    ...(pool.state === 'draining' ? { draining: String(draining) } : {}),
    percent: percentInUse(counts),
  };
}

/** A line of the table. */
interface UsageRow extends FamilyUsage {
  readonly pool: string;
  readonly zone: string;
  readonly state: string;
  readonly announced: readonly string[];
}

/** The characters of the bar at a terminal. */
const barLength = 10;

const columns: readonly Column<UsageRow>[] = [
  { name: 'POOL', cell: ({ pool }) => pool, prose: 'name' },
  { name: 'ZONE', cell: ({ zone }) => zone, omitSame: 'column', drop: 2 },
  { name: 'STATE', cell: ({ state }) => state, omitSame: 'column' },
  { name: 'FAMILY', cell: ({ family }) => family, omitSame: 'column' },
  { name: 'TOTAL', cell: ({ total }) => humanCount(total), drop: 3 },
  countColumn('reserved', 4),
  countColumn('held', 6),
  countColumn('retained', 5),
  { name: 'FREE', cell: ({ free }) => humanCount(free) },
  {
    name: 'USED',
    cell: usedText,
    fitted: (row) => [`${barOf(row.percent, barLength)} ${usedText(row)}`],
    color: ({ percent }, paint) => colorOf(percent, paint),
  },
  { name: 'RANGES', cell: ({ ranges }) => ranges, few: true, drop: 1 },
  { name: 'ANNOUNCED', cell: ({ announced }) => announced, wide: true },
];

/**
 * Returns a table with a line per pool and family. On a terminal each line has a bar, and the share
 * in use has the color of its fill level.
 */
export function poolUsageTable({ items }: PoolUsages, style: TableStyle): string {
  const rows = items.flatMap(({ pool, zone, state, families, announced }) =>
    families.map((usage): UsageRow => {
      return { ...usage, pool, zone, state, announced: announcedTexts(announced) };
    }),
  );
  return tableText(columns, rows, style);
}

function usedText({ percent }: UsageRow): string {
  return `${percent} %`.padStart(5);
}

function countColumn(state: 'reserved' | 'held' | 'retained', drop: number): Column<UsageRow> {
  return {
    drop,
    name: state.toUpperCase(),
    cell: (row) => humanCount(row[state]),
    color: (_, paint) => stateColor(state, paint),
  };
}

/** A bar is full only at 100 %, and empty only at 0 %. */
function barOf(percent: number, length: number): string {
  const filled = percent === 0 ? 0 : Math.max(1, Math.floor((percent * length) / 100));
  return '█'.repeat(filled) + '░'.repeat(length - filled);
}

function colorOf(percent: number, paint: Paint): (text: string) => string {
  const level = fillLevelOf(percent);
  if (level === 'ample') return String;
  return level === 'filling' ? paint.yellow : paint.red;
}

/** Returns CSV: a line per pool and family. Counts are not abbreviated. */
export function poolUsageCsv({ items }: PoolUsages): string {
  const header =
    'pool,zone,state,family,total,reserved,held,retained,free,draining,percent,ranges,announced';
  const rows = items.flatMap(({ families, announced, ...own }) => {
    const item = { ...own, announced: announcedTexts(announced).join('; ') };
    return families.map((family) => ({ ...item, draining: '0', ...family }));
  });
  return csvText(header, rows);
}
