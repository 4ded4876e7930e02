import { type FamilyOccupancy, occupancyOf, percentInUse } from '../../core/allocate/supply.ts';
import type { Day } from '../../core/model/day.ts';
import { familiesOf, fillLevelOf, type Pool } from '../../core/model/pools.ts';
import type { Family } from '../../core/net/address.ts';
import { formatRange } from '../../core/net/range.ts';
import { humanCount } from '../../core/text/print/columns.ts';
import { csvText } from '../../core/text/print/escape.ts';
import type { Paint } from '../../core/text/print/problems-text.ts';
import { stateColor } from '../../core/text/print/state-color.ts';
import {
  type Column,
  fitsColumns,
  type TableStyle,
  tableText,
} from '../../core/text/print/table.ts';
import type { FamilyUsage, PoolUsages } from './pool-usage-answer.ts';
import type { WorkspaceSnapshot } from './workspace-snapshot.ts';

/** Counts the use of every pool on a day, separately for each family. */
export function poolUsages({ pools, table }: WorkspaceSnapshot, day: Day): PoolUsages {
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
}

/** Bar lengths in characters. The longest one that fits is used. */
const barLengths = [20, 10, 0] as const;

/**
 * Returns a table with a line per pool and family. On a terminal each line has a bar, and the share
 * in use has the color of its fill level. Ranges that do not fit beside the counts are
 * printed in a second table.
 */
export function poolUsageTable({ items }: PoolUsages, style: TableStyle): string {
  const rows = items.flatMap(({ pool, zone, state, families }) =>
    families.map((usage): UsageRow => ({ ...usage, pool, zone, state })),
  );
  if (style.width === undefined || style.wide === true) {
    return tableText([...countColumns(0), rangeColumn], rows, style);
  }
  const tables = barLengths.map(countColumns);
  const whole = tables
    .map((columns) => [...columns, rangeColumn])
    .find((columns) => fitsColumns(columns, rows, style));
  if (whole) return tableText(whole, rows, style);
  const counts = tables.find((columns) => fitsColumns(columns, rows, style));
  if (counts === undefined) return tableText([...countColumns(0), rangeColumn], rows, style);
  const ranges = rows.flatMap(({ pool, ranges: own }) => own.map((range) => ({ pool, range })));
  return `${tableText(counts, rows, style)}\n${tableText(rangeColumns, ranges, style)}`;
}

function countColumns(bar: number): readonly Column<UsageRow>[] {
  const used = ({ percent }: UsageRow) => `${percent} %`.padStart(5);
  return [
    { name: 'POOL', cell: ({ pool }) => pool },
    { name: 'ZONE', cell: ({ zone }) => zone, omitSame: 'column' },
    { name: 'STATE', cell: ({ state }) => state, omitSame: 'column' },
    { name: 'FAMILY', cell: ({ family }) => family, omitSame: 'column' },
    { name: 'TOTAL', cell: ({ total }) => humanCount(total) },
    countColumn('reserved'),
    countColumn('held'),
    countColumn('retained'),
    { name: 'FREE', cell: ({ free }) => humanCount(free) },
    {
      name: 'USED',
      cell: (row) => (bar === 0 ? used(row) : `${barOf(row.percent, bar)} ${used(row)}`),
      color: ({ percent }, paint) => colorOf(percent, paint),
    },
  ];
}

function countColumn(state: 'reserved' | 'held' | 'retained'): Column<UsageRow> {
  return {
    name: state.toUpperCase(),
    cell: (row) => humanCount(row[state]),
    color: (_, paint) => stateColor(state, paint),
  };
}

const rangeColumn: Column<UsageRow> = { name: 'RANGES', cell: ({ ranges }) => ranges };

const rangeColumns: readonly Column<{ readonly pool: string; readonly range: string }>[] = [
  { name: 'POOL', cell: ({ pool }) => pool },
  { name: 'RANGES', cell: ({ range }) => range },
];

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
  const header = 'pool,zone,state,family,total,reserved,held,retained,free,draining,percent,ranges';
  const rows = items.flatMap(({ families, ...item }) =>
    families.map((family) => ({ ...item, draining: '0', ...family })),
  );
  return csvText(header, rows);
}
