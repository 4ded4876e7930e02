import { element } from '../dom.ts';
import { type Block, blockText, type Sheet } from './blocks.ts';
import type { Cells } from './cells.ts';
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
