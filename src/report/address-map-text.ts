import type { AddressMap, MapCell, MapRange } from '../model/address-map.ts';
import { csvText } from './csv.ts';
import { humanCount } from './human-count.ts';
import type { Paint } from './paint.ts';

/** How a map is drawn. */
export interface MapStyle {
  readonly paint: Paint;
  /** With no character but those of ASCII. */
  readonly ascii: boolean;
}

interface Signs {
  readonly held: string;
  readonly retained: string;
  readonly reserved: string;
  readonly free: string;
  /** How much of a block is in use, from little to all. */
  readonly shades: readonly string[];
}

const blocks: Signs = {
  held: '█',
  retained: '▒',
  reserved: '×',
  free: '·',
  shades: [...'▁▂▃▄▅▆▇█'],
};

const ascii: Signs = {
  held: '#',
  retained: '+',
  reserved: 'x',
  free: '.',
  shades: [...'12345678'],
};

/** A pool as blocks for a person: a sign for each cell, in rows that begin with their first address. */
export function addressMapText({ ranges }: AddressMap, style: MapStyle): string {
  const signs = style.ascii ? ascii : blocks;
  return ranges.map((range) => rangeText(range, signs, style.paint)).join('\n');
}

function rangeText({ range, step, sparse, cells }: MapRange, signs: Signs, paint: Paint): string {
  const isSingle = step === '1';
  const size = isSingle ? '' : `, ${humanCount(step)} addresses a sign`;
  const left = sparse ? ', blocks that are in use' : '';
  const draw = isSingle ? single : shaded;
  const drawn = cells.map((cell) => draw(cell, signs, paint));
  return [`${range}${size}${left}\n`, rowsText(cells, drawn), legend(cells, signs, isSingle)].join(
    '',
  );
}

/** The signs of each row after its first address. */
function rowsText(cells: readonly MapCell[], drawn: readonly string[]): string {
  const width = cells.length <= 64 ? 16 : cells.length <= 256 ? 32 : 64;
  const starts = cells.flatMap(({ from }, index) => (index % width === 0 ? [from] : []));
  const label = starts.reduce((most, { length }) => Math.max(most, length), 0);
  return starts
    .map(
      (from, row) =>
        `${from.padEnd(label)}  ${drawn.slice(row * width, (row + 1) * width).join('')}\n`,
    )
    .join('');
}

function single({ held, retained, free }: MapCell, signs: Signs, paint: Paint): string {
  if (held > 0) return paint.green(signs.held);
  if (retained > 0) return paint.yellow(signs.retained);
  return free === '0' ? paint.dim(signs.reserved) : paint.dim(signs.free);
}

/** The full one only where nothing is free, and the lowest one for as little as one address. */
function shaded({ held, retained, free }: MapCell, signs: Signs, paint: Paint): string {
  const used = BigInt(held + retained);
  if (used === 0n) return paint.dim(free === '0' ? signs.reserved : signs.free);
  const most = BigInt(signs.shades.length - 1);
  const shade = free === '0' ? most : (used * most) / (used + BigInt(free));
  return paint.green(signs.shades[Number(shade)] ?? signs.held);
}

function legend(cells: readonly MapCell[], signs: Signs, isSingle: boolean): string {
  const sum = (count: (cell: MapCell) => bigint) =>
    humanCount(String(cells.reduce((all, cell) => all + count(cell), 0n)));
  const shades = `${signs.shades[0] ?? ''}-${signs.shades.at(-1) ?? ''} `;
  const counts = [
    `${isSingle ? `${signs.held} ` : shades}held ${sum(({ held }) => BigInt(held))}`,
    `${isSingle ? `${signs.retained} ` : ''}retained ${sum(({ retained }) => BigInt(retained))}`,
    `${signs.reserved} reserved ${sum(({ reserved }) => BigInt(reserved))}`,
    `${signs.free} free ${sum(({ free }) => BigInt(free))}`,
  ];
  return `${counts.join('   ')}\n`;
}

/** The cells as CSV, with all digits. */
export function addressMapCsv({ pool, ranges }: AddressMap): string {
  const header = ['pool', 'range', 'from', 'to', 'held', 'retained', 'reserved', 'free'];
  const rows = ranges.flatMap(({ range, cells }) =>
    cells.map(({ from, to, held, retained, reserved, free }) => [
      ...[pool, range, from, to, String(held), String(retained), reserved, free],
    ]),
  );
  return csvText([header, ...rows]);
}
