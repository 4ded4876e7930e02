import { humanCount } from '../../core/text/print/columns.ts';
import { csvText } from '../../core/text/print/escape.ts';
import type { Paint } from '../../core/text/print/problems-text.ts';
import { stateColor } from '../../core/text/print/state-color.ts';
import { filledLines } from '../../core/text/print/wrap.ts';
import {
  type AddressMap,
  cellState,
  type MapCell,
  type MapCounts,
  type MapRange,
} from './address-map.ts';

export interface MapStyle {
  readonly paint: Paint;
  /** True to use ASCII characters only. */
  readonly ascii: boolean;
  /** Line width in columns; undefined when it is not known. */
  readonly width?: number | undefined;
}

interface Signs {
  readonly held: string;
  readonly retained: string;
  readonly reserved: string;
  readonly free: string;
  /** Neither in use nor free: the pool is draining. */
  readonly draining: string;
  /** How much of a block is in use, from the least to all. */
  readonly shades: readonly string[];
}

const blocks: Signs = {
  held: '█',
  retained: '▒',
  reserved: '×',
  free: '·',
  draining: '-',
  shades: [...'▁▂▃▄▅▆▇█'],
};

const ascii: Signs = {
  held: '#',
  retained: '+',
  reserved: 'x',
  free: '.',
  draining: '-',
  shades: [...'12345678'],
};

/** Draws a pool: one character per cell, in rows that start with their first address. */
export function addressMapText({ ranges }: AddressMap, style: MapStyle): string {
  const signs = style.ascii ? ascii : blocks;
  return ranges.map((range) => rangeText(range, signs, style)).join('\n');
}

function rangeText(map: MapRange, signs: Signs, { paint, width }: MapStyle): string {
  const { range, step, sparse, cells, all } = map;
  const isSingle = step === '1';
  const size = isSingle ? [] : [`${humanCount(step)} addresses per cell`];
  const left = sparse ? ['unused blocks omitted'] : [];
  const draw = isSingle ? single : shaded;
  const drawn = cells.map((cell) => draw(cell, signs, paint));
  return [
    linesText(filledLines([range, ...size, ...left], ', ', width)),
    rowsText(cells, drawn, width),
    coloredLegend(legend(all, signs, isSingle), paint, width),
  ].join('');
}

/** The shortest row, for any terminal width. */
const fewestSigns = 8;

/** Each row has a power of two of signs: as many as the width allows. */
function rowsText(
  cells: readonly MapCell[],
  drawn: readonly string[],
  width = Number.POSITIVE_INFINITY,
): string {
  const longest = cells.reduce((most, { from }) => Math.max(most, from.length), 0);
  let length = cells.length <= 64 ? 16 : cells.length <= 256 ? 32 : 64;
  if (length === 64 && width >= 200 && width < Number.POSITIVE_INFINITY) length = 128;
  while (length > fewestSigns && longest + 2 + length > width) length /= 2;
  const starts = cells.flatMap(({ from }, index) => (index % length === 0 ? [from] : []));
  const label = starts.reduce((most, from) => Math.max(most, from.length), 0);
  return starts
    .map((from, row) => {
      const signs = drawn.slice(row * length, (row + 1) * length).join('');
      return `${from.padEnd(label)}  ${signs}\n`;
    })
    .join('');
}

function single(cell: MapCell, signs: Signs, paint: Paint): string {
  const state = cellState(cell);
  return stateColor(state, paint)(signs[state]);
}

/**
 * The full shade means that nothing is free; the lowest shade means that at least one address is in
 * use. A block with retained addresses but no held one gets the sign for retained.
 */
function shaded(cell: MapCell, signs: Signs, paint: Paint): string {
  const { held, retained, free, draining = '0' } = cell;
  const used = BigInt(held) + BigInt(retained);
  if (held === '0') return single(cell, signs, paint);
  const most = BigInt(signs.shades.length - 1);
  const unused = BigInt(free) + BigInt(draining);
  const shade = unused === 0n ? most : (used * most) / (used + unused);
  return stateColor('held', paint)(signs.shades[Number(shade)] ?? signs.held);
}

function legend(all: MapCounts, signs: Signs, isSingle: boolean): readonly string[] {
  const fill = isSingle ? signs.held : `${signs.shades[0] ?? ''}-${signs.shades.at(-1) ?? ''}`;
  const last = all.draining === undefined ? 'free' : 'draining';
  const counts = [all.held, all.retained, all.reserved, all[last] ?? '0'].map(humanCount);
  const [held, retained, reserved, unused] = counts;
  return [
    `${fill} held ${held}`,
    `${signs.retained} ${isSingle ? '' : 'only '}retained ${retained}`,
    `${signs.reserved} reserved ${reserved}`,
    `${signs[last]} ${last} ${unused}`,
  ];
}

/** Colours are added after the lines are filled, because they have no width. */
function coloredLegend(parts: readonly string[], paint: Paint, width: number | undefined): string {
  const states = ['held', 'retained', 'reserved', 'free'];
  return parts.reduce(
    (text, part, index) => text.replace(part, stateColor(states[index] ?? '', paint)(part)),
    linesText(filledLines(parts, '   ', width)),
  );
}

function linesText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** Returns the cells as CSV. Counts are not abbreviated. */
export function addressMapCsv({ pool, ranges }: AddressMap): string {
  const rows = ranges.flatMap(({ range, cells }) =>
    cells.map((cell) => ({ pool, range, draining: '0', ...cell })),
  );
  return csvText('pool,range,from,to,held,retained,reserved,free,draining', rows);
}
