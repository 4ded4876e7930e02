import { InternalError } from '../../src/core/model/problem.ts';
import {
  type Address,
  bothFamilies,
  type Family,
  familyName,
  isAddress,
  parseAddress,
} from '../../src/core/net/address.ts';
import { formatRange } from '../../src/core/net/range.ts';
import { type Html, html } from '../../src/core/text/print/escape.ts';
import {
  type AddressMap,
  cellState,
  type MapCell,
  type MapRange,
} from '../../src/features/ask/address-map.ts';
import { svgFile } from './svg-file.ts';

/** Pixels. */
const size = { margin: 16, label: 176, grid: 512, heading: 26, apart: 14 } as const;

/** A row has few large cells with numbers, or many small ones. */
const rowLengths = { few: 16, many: 64 } as const;

const style = `text { font-size: 12px; } .soft { fill: var(--soft); } .bold { font-weight: 700; }
.n { font-size: 10px; text-anchor: middle; fill: var(--soft); } .n.held { fill: var(--page); }
rect.held { fill: var(--held); stroke: var(--held-line); } rect.free { fill: var(--free); stroke: var(--edge); }
rect.retained { fill: url(#retained); stroke: var(--retained); } rect.reserved { fill: url(#reserved); stroke: var(--reserved); }
rect.new { stroke: var(--mark); stroke-width: 3; }
.stripe { fill: var(--retained); } .dot { fill: var(--reserved); } .under { fill: var(--reserved-soft); }`;

const patterns = html`<defs>
<pattern id="retained" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="stripe" width="2" height="5"/></pattern>
<pattern id="reserved" width="5" height="5" patternUnits="userSpaceOnUse"><rect class="under" width="5" height="5"/><circle class="dot" cx="2.5" cy="2.5" r="1.2"/></pattern>
</defs>`;

/** Part of a picture, and the pixels that it takes from top to bottom. */
interface Block {
  readonly height: number;
  readonly content: readonly Html[];
}

/**
 * Pools whose cells are single addresses, one row for each CIDR block. `added` are the addresses to
 * mark.
 */
export function mapPicture(
  maps: readonly AddressMap[],
  added: ReadonlySet<string>,
  title: string,
): string {
  let y: number = size.margin;
  const content = [patterns];
  for (const map of maps) {
    for (const family of bothFamilies) {
      const block = poolBlock(map, family, { y, added });
      content.push(...block.content);
      y += block.height;
    }
  }
  const width = 2 * size.margin + size.label + size.grid;
  return svgFile({ title, width, height: y + 30, style, content: [...content, ...legend(y)] });
}

interface Place {
  readonly y: number;
  readonly added: ReadonlySet<string>;
}

/** The addresses of one family of a pool, under a heading. */
function poolBlock({ pool, zone, ranges }: AddressMap, family: Family, { y, added }: Place): Block {
  const own = ranges.filter((range) => range.family === family);
  const cells = own.flatMap((range) => range.cells);
  if (cells.length === 0) return { height: 0, content: [] };
  const length = cells.length <= rowLengths.many ? rowLengths.few : rowLengths.many;
  const pitch = size.grid / length;
  const rows = [...rowsOf(cells, length)];
  const heading = html`<text x="${size.margin}" y="${y + 14}"><tspan class="bold">pool ${pool}</tspan>, zone ${zone}, ${familyName(family)}: ${countsText(own)}</text>`;
  const top = y + size.heading;
  return {
    height: size.heading + rows.length * Math.max(pitch, rowHeight) + size.apart,
    content: [
      heading,
      ...rows.flatMap(([first, row], index) =>
        rowContent(first, row, { length, y: top + index * Math.max(pitch, rowHeight), added }),
      ),
    ],
  };
}

/** The least height of a row, for its label. */
const rowHeight = 16;

interface MapAddress {
  readonly address: Address;
  readonly text: string;
  readonly state: ReturnType<typeof cellState>;
}

/** The addresses of each block of `length` addresses, by the first address of the block. */
function rowsOf(
  cells: readonly MapCell[],
  length: number,
): ReadonlyMap<bigint, readonly MapAddress[]> {
  const rows = new Map<bigint, MapAddress[]>();
  for (const cell of cells) {
    const address = parseAddress(cell.from);
    if (!isAddress(address) || cell.from !== cell.to) {
      throw new InternalError(`the cell ${cell.from} of a map is not one address`);
    }
    const first = address.value - (address.value % BigInt(length));
    const row = rows.get(first) ?? [];
    rows.set(first, row);
    row.push({ address, text: cell.from, state: cellState(cell) });
  }
  return rows;
}

function rowContent(
  first: bigint,
  row: readonly MapAddress[],
  { length, y, added }: Place & { readonly length: number },
): readonly Html[] {
  const family: Family = row[0]?.address.family ?? 'ipv4';
  const last = first + BigInt(length) - 1n;
  const label = formatRange({ from: { family, value: first }, to: { family, value: last } });
  const pitch = size.grid / length;
  const isLarge = length === rowLengths.few;
  const gap = isLarge ? 3 : 1;
  const middle = y + Math.max(pitch, rowHeight) / 2;
  return [
    html`<text class="soft" x="${size.margin}" y="${middle + 4}">${label}</text>`,
    ...row.map(({ address, text, state }) => {
      const x = size.margin + size.label + Number(address.value - first) * pitch;
      const width = pitch - gap;
      const height = Math.max(pitch, rowHeight) - 3;
      const mark = added.has(text) ? ' new' : '';
      const cell = html`<rect class="${state}${mark}" x="${x}" y="${middle - height / 2}" width="${width}" height="${height}" rx="${isLarge ? 3 : 1}"/>`;
      const isNumbered = isLarge && (state === 'held' || state === 'free');
      const number = text.split(/[.:]/).at(-1) ?? '';
      return isNumbered
        ? html`${cell}<text class="n ${state}" x="${x + width / 2}" y="${middle + 3.5}">${number}</text>`
        : cell;
    }),
  ];
}

function countsText(ranges: readonly MapRange[]): string {
  const states = ['held', 'retained', 'reserved', 'free'] as const;
  return states
    .map((state) => [state, ranges.reduce((sum, { all }) => sum + BigInt(all[state]), 0n)] as const)
    .filter(([, count]) => count > 0n)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ');
}

/** Each sign with its meaning, from left to right. */
function legend(y: number): readonly Html[] {
  const items = [
    ['held', 'held'],
    ['held new', 'new with this change'],
    ['retained', 'retained for its last holder'],
    ['reserved', 'reserved'],
    ['free', 'free'],
  ] as const;
  let x: number = size.margin;
  return items.map(([sign, meaning]) => {
    const left = x;
    x += 42 + meaning.length * 7;
    return html`<rect class="${sign}" x="${left}" y="${y}" width="13" height="13" rx="3"/><text x="${left + 20}" y="${y + 11}">${meaning}</text>`;
  });
}
