import type { FamilyUsage, PoolUsages } from '../model/pool-usage.ts';
import { columns } from './columns.ts';
import { csvText } from './csv.ts';
import { humanCount } from './human-count.ts';
import type { Paint } from './paint.ts';
import { plain } from './plain.ts';

/** A terminal that the table is for: it gets bars, and colours where there are any. */
export interface Terminal {
  readonly paint: Paint;
  /** Characters a line has; undefined where nobody knows. */
  readonly width?: number | undefined;
}

/**
 * How full the pools are, as a table: a line per pool and family. For a terminal with a bar, yellow above
 * 80 % and red at 100 %.
 */
export function poolUsageTable({ items }: PoolUsages, terminal?: Terminal): string {
  const header = [
    'POOL',
    'ZONE',
    'STATE',
    'FAMILY',
    'TOTAL',
    'RESERVED',
    'HELD',
    'RETAINED',
    'FREE',
  ];
  const rows = items.flatMap(({ pool, zone, state, families }) =>
    families.map((usage) => ({ usage, own: [pool, zone, state].map(plain) })),
  );
  const cells = rows.map(({ own, usage }) => [...own, ...countCells(usage)]);
  const lines = columns(
    [
      [...header, ...(terminal ? ['USED', ''] : ['USED']), 'RANGES'],
      ...cells.map((row, index) => {
        const usage = rows[index]?.usage;
        if (!usage) return row;
        const used = `${usage.percent} %`.padStart(5);
        const bar = terminal ? [barOf(usage.percent)] : [];
        return [...row, ...bar, used, usage.ranges.join(',')];
      }),
    ],
    { width: terminal?.width, order: [11, 0, 1] },
  );
  return terminal
    ? painted(
        lines,
        rows.map(({ usage }) => usage),
        terminal.paint,
      )
    : lines;
}

function countCells({ family, total, reserved, held, retained, free }: FamilyUsage): string[] {
  const counts = [humanCount(total), humanCount(reserved), held, retained, humanCount(free)];
  return [family, ...counts.map(String)];
}

const barLength = 20;

/** Whole only at 100 %, and never empty while something is in use. */
function barOf(percent: number): string {
  const filled = percent === 0 ? 0 : Math.max(1, Math.floor((percent * barLength) / 100));
  return '█'.repeat(filled) + '░'.repeat(barLength - filled);
}

/** Colours come last: a column is as wide as what is seen of it. */
function painted(table: string, usages: readonly FamilyUsage[], paint: Paint): string {
  const [header = '', ...lines] = table.split(/(?<=\n)/);
  const colored = lines.map((line, index) => {
    const percent = usages[index]?.percent ?? 0;
    const color = percent === 100 ? paint.red : percent > 80 ? paint.yellow : paint.green;
    return line.replace(/[█░]+/, (bar) => color(bar));
  });
  return [header, ...colored].join('');
}

/** The same as CSV: a line per pool and family, with all digits. */
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
