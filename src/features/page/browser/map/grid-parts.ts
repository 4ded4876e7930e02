import { formatAddress } from '../../../../core/net/address.ts';
import { element } from '../dom.ts';
import { ownerClasses } from '../owners.ts';
import type { View } from '../view.ts';
import { type Block, blockEnd, blockText, type Sheet } from './blocks.ts';
import type { Cell, Cells } from './cells.ts';
import { hilbertPlace } from './curve.ts';

/** A place in a grid, from its upper left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where a key leads from a place; undefined for other keys. It may be outside of the grid. */
export function stepOf(
  { key, ctrlKey }: KeyboardEvent,
  { x, y }: Point,
  last: Point,
): Point | undefined {
  const places: Readonly<Record<string, Point>> = {
    ArrowLeft: { x: x - 1, y },
    ArrowRight: { x: x + 1, y },
    ArrowUp: { x, y: y - 1 },
    ArrowDown: { x, y: y + 1 },
    Home: { x: 0, y: ctrlKey ? 0 : y },
    End: { x: last.x, y: ctrlKey ? last.y : y },
    PageUp: { x, y: 0 },
    PageDown: { x, y: last.y },
  };
  return places[key];
}

/** True when a map can show these cells in the same nodes: two curves of one size, which have no headers. */
export function isAlike(one: Cells, other: Cells): boolean {
  return one.isCurve && other.isCurve && one.columns === other.columns;
}

/** Column headers above rows of sixteen: the offset from the address at the start of the row. */
export function columnHeads({ columns, rows, isCurve }: Cells): readonly HTMLElement[] {
  if (isCurve || columns < 16) return [];
  const radix = rows[0]?.[0]?.block.family === 'ipv6' ? 16 : 10;
  const heads = Array.from({ length: columns }, (_, column) =>
    element('div', { role: 'columnheader', class: 'colhead' }, `+${column.toString(radix)}`),
  );
  const corner = element('div', { role: 'columnheader', class: 'rowhead', 'aria-label': 'Row' });
  return [element('div', { role: 'row', class: 'row heads' }, corner, ...heads)];
}

/** The lines around the 16 parts of a curve, or 4 of a coarse one, each with its CIDR block. */
export function blockLines(
  { columns, isCurve }: Cells,
  sheet: Sheet | undefined,
): readonly HTMLElement[] {
  const [block] = sheet ?? [];
  if (!isCurve || !block || columns < 4) return [];
  const order = columns < 16 ? 1 : 2;
  const bits = block.bits - 2 * order;
  const parts = Array.from({ length: 4 ** order }, (_, number) => {
    const from = block.from + (BigInt(number) << BigInt(bits));
    const { x, y } = hilbertPlace(order, number);
    const part = element('div', {}, element('span', {}, lineText({ ...block, from, bits })));
    part.style.gridArea = `${y + 1} / ${x + 1}`;
    return part;
  });
  const lines = element('div', { class: 'lines', 'aria-hidden': 'true' }, ...parts);
  lines.style.setProperty('--parts', String(2 ** order));
  return [lines];
}

/** Longest label that fits into a part. */
const mostCharacters = 18;

/** A long block of IPv6 has only its last groups: `…:1200/118`. */
function lineText(block: Block): string {
  const text = blockText(block);
  if (text.length <= mostCharacters) return text;
  return `…${text.slice(text.lastIndexOf(':', text.indexOf('/') - 1))}`;
}

/** The middle of a cell, in percent of its grid. */
export function originOf({ x, y }: Point, { columns, rows }: Cells): string {
  return `${((x + 0.5) / columns) * 100}% ${((y + 0.5) / rows.length) * 100}%`;
}

/** True for the cell of this address. */
export function isOf(cell: Cell, address: string | undefined): boolean {
  return cell.block.bits === 0 && addressOf(cell) === address;
}

export function addressOf({ block }: Cell): string {
  return formatAddress({ family: block.family, value: block.from });
}

/** A row that does not follow on the one above is set apart, and one that begins 64 addresses. */
export function rowClass({ rows, isCurve }: Cells, y: number): string {
  const [above, first] = [rows[y - 1]?.at(-1), rows[y]?.[0]];
  if (isCurve || !above || !first) return 'row';
  if (blockEnd(above.block) + 1n !== first.block.from) return 'row apart';
  return (first.block.from & 63n) === 0n ? 'row quarter' : 'row';
}

/** The place of the first cell that passes a test. */
export function placeWhere({ rows }: Cells, test: (cell: Cell) => boolean): Point | undefined {
  for (const [y, row] of rows.entries()) {
    const x = row.findIndex(test);
    if (x >= 0) return { x, y };
  }
  return undefined;
}

/** The classes of a cell: its state, or its largest owner. */
export function cellClasses(cell: Cell, colors: View['colors']): readonly string[] {
  const [[owner] = [undefined], ...others] = cell.owners;
  const isOwned = colors === 'owner' && owner !== undefined;
  return [
    'cell',
    cell.state,
    ...(cell.held > 0 && cell.retained > 0 ? ['mixed'] : []),
    ...(isOwned ? [ownerClasses(owner), ...(others.length > 0 ? ['several'] : [])] : []),
  ];
}
