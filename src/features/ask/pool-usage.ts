import { type FamilyOccupancy, occupancyOf, percentInUse } from '../../allocate/supply.ts';
import type { Day } from '../../model/day.ts';
import { fillLevelOf } from '../../model/fill-level.ts';
import { familiesOf, type Pool } from '../../model/pools.ts';
import type { Family } from '../../net/address.ts';
import { formatRange } from '../../net/range.ts';
import { columns, humanCount, wholeWidth } from '../../text/print/columns.ts';
import { csvText, sanitize } from '../../text/print/escape.ts';
import type { Paint } from '../../text/print/problems-text.ts';
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

/** The terminal that the table is printed on. */
export interface TableTerminal {
  readonly paint: Paint;
  /** Line width in columns; undefined when it is not known. */
  readonly width?: number | undefined;
}

/** Bar lengths in columns. The longest one that fits is used. */
const barLengths = [20, 10, 0] as const;

/**
 * Returns a table with a line per pool and family. On a terminal each line has a bar in the
 * color of its fill level. Ranges that do not fit beside the counts are printed in a second table.
 */
export function poolUsageTable({ items }: PoolUsages, terminal?: TableTerminal): string {
  const rows = items.flatMap(({ pool, zone, state, families }) =>
    families.map((usage) => ({ usage, own: [pool, zone, state].map(sanitize) })),
  );
  if (!terminal) return columns(usageRows(rows, undefined, true));
  const { paint, width = Number.POSITIVE_INFINITY } = terminal;
  const usages = rows.map(({ usage }) => usage);
  const whole = barLengths
    .map((length) => usageRows(rows, length, true))
    .find((table) => wholeWidth(table) <= width);
  if (whole) return painted(columns(whole), usages, paint);
  const apart =
    barLengths
      .map((length) => usageRows(rows, length, false))
      .find((table) => wholeWidth(table) <= width) ?? usageRows(rows, 0, false);
  const counts = columns(apart, { width: terminal.width, order: [0, 1] });
  return `${painted(counts, usages, paint)}\n${rangesText(rows, width)}`;
}

interface UsageRow {
  readonly usage: FamilyUsage;
  /** Pool, zone and state. */
  readonly own: readonly string[];
}

function usageRows(
  rows: readonly UsageRow[],
  bar: number | undefined,
  withRanges: boolean,
): readonly (readonly string[])[] {
  const counts = ['TOTAL', 'RESERVED', 'HELD', 'RETAINED', 'FREE'];
  const ranges = (text: string) => (withRanges ? [text] : []);
  const hasBar = bar !== undefined && bar > 0;
  const header = ['POOL', 'ZONE', 'STATE', 'FAMILY', ...counts, 'USED', ...(hasBar ? [''] : [])];
  return [
    [...header, ...ranges('RANGES')],
    ...rows.map(({ own, usage }) => {
      const used = `${usage.percent} %`.padStart(5);
      const share = hasBar ? [barOf(usage.percent, bar), used] : [used];
      return [...own, ...countCells(usage), ...share, ...ranges(usage.ranges.join(','))];
    }),
  ];
}

/** Returns a table with a line per range. Ranges are not truncated. */
function rangesText(rows: readonly UsageRow[], width: number): string {
  const table = rows.flatMap(({ own, usage }) =>
    usage.ranges.map((range) => [own[0] ?? '', range]),
  );
  const whole = [['POOL', 'RANGES'], ...table];
  return columns(whole, { width: wholeWidth(whole) <= width ? undefined : width, order: [0] });
}

function countCells({ family, total, reserved, held, retained, free }: FamilyUsage): string[] {
  const counts = [humanCount(total), humanCount(reserved), held, retained, humanCount(free)];
  return [family, ...counts.map(String)];
}

/** A bar is full only at 100 %, and empty only at 0 %. */
function barOf(percent: number, length: number): string {
  const filled = percent === 0 ? 0 : Math.max(1, Math.floor((percent * length) / 100));
  return '█'.repeat(filled) + '░'.repeat(length - filled);
}

/** Colors are added after the columns are laid out, so that escape codes do not count as width. */
function painted(table: string, usages: readonly FamilyUsage[], paint: Paint): string {
  const [header = '', ...lines] = table.split(/(?<=\n)/);
  const colored = lines.map((line, index) => {
    const percent = usages[index]?.percent ?? 0;
    return line.replace(/[█░]+/, (bar) => colorOf(percent, paint)(bar));
  });
  return [header, ...colored].join('');
}

function colorOf(percent: number, paint: Paint): (text: string) => string {
  const level = fillLevelOf(percent);
  if (level === 'ample') return paint.green;
  return level === 'filling' ? paint.yellow : paint.red;
}

/** Returns CSV: a line per pool and family. Counts are not abbreviated. */
export function poolUsageCsv({ items }: PoolUsages): string {
  const header = 'pool,zone,state,family,total,reserved,held,retained,free,percent,ranges';
  const rows = items.flatMap(({ pool, zone, state, families }) =>
    families.map(({ family, total, reserved, held, retained, free, percent, ranges }) => {
      const counts = [total, reserved, held, retained, free, percent].map(String);
      return [pool, zone, state, family, ...counts, ranges.join(' ')];
    }),
  );
  return csvText([header.split(','), ...rows]);
}
