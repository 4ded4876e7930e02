import type { Address } from '../../../../core/net/address.ts';
import { type AddressRange, rangeHas } from '../../../../core/net/range.ts';
import type { Space } from '../picture-index.ts';
import type { View } from '../view.ts';
import {
  type Block,
  blockEnd,
  blockHas,
  enclosing,
  firstSheet,
  type Sheet,
  sheetHas,
  spaceSheets,
  usedBlock,
} from './blocks.ts';
import { type Detail, partOf } from './cells.ts';

/** The part of a view that says what the map shows. */
export type MapView = Pick<View, 'space' | 'trail'>;

/** A sheet of a space; without one, an empty map. */
export function mapOfSheet({ pool, family }: Space, sheet: Sheet | undefined): MapView {
  return { space: { pool: pool.pool, family }, trail: sheet ? [sheet] : [] };
}

/** The first map of a space. */
export function firstMap(space: Space): MapView {
  return mapOfSheet(space, firstSheet(space));
}

/** The map of an address of a space, down to single addresses. */
export function mapOfAddress(space: Space, address: Address, detail: Detail): MapView {
  const whole = spaceSheets(space).find((sheet) => sheetHas(sheet, address));
  const view = mapOfSheet(space, whole);
  return whole ? { ...view, trail: trailTo(space, whole, address, detail) } : view;
}

/** The map of a block or range, down to the part that contains all of it; nothing when no space has it. */
export function mapOfRange(
  spaces: readonly Space[],
  { from, to }: AddressRange,
  detail: Detail,
): MapView | undefined {
  const block = enclosing(from, to.value, 4);
  const inside = ({ ranges }: Space) =>
    ranges.some((range) => range.from.family === from.family && touches(range, block));
  const space = spaces.find(inside);
  const sheet =
    space && spaceSheets(space).find((one) => one.some((part) => touches(blockRange(part), block)));
  if (!space || !sheet) return undefined;
  const view = mapOfSheet(space, sheet);
  const [whole, ...others] = sheet;
  if (!whole || others.length > 0 || whole.bits <= block.bits) return view;
  const trail = trailTo(space, sheet, from, detail);
  const above = trail.filter(([part]) => part && part.bits > block.bits);
  return { ...view, trail: [...above, [block]] };
}

/** The space that contains an address. */
export function spaceWith(spaces: readonly Space[], address: Address): Space | undefined {
  return spaces.find(({ ranges }) => ranges.some((range) => rangeHas(range, address)));
}

/** The path from a sheet to the part of it that shows an address by itself. */
function trailTo(space: Space, whole: Sheet, { value }: Address, detail: Detail): readonly Sheet[] {
  const trail = [whole];
  const [block, ...others] = whole;
  if (!block || others.length > 0) return trail;
  for (let part = partOf(block, value, detail); part; ) {
    const next = usedBlock(space, part);
    const shown = blockHas(next, { family: part.family, value }) ? next : part;
    trail.push([shown]);
    part = partOf(shown, value, detail);
  }
  return trail;
}

function blockRange(block: Block): AddressRange {
  const { family, from } = block;
  return { from: { family, value: from }, to: { family, value: blockEnd(block) } };
}

function touches({ from, to }: AddressRange, block: Block): boolean {
  return from.family === block.family && from.value <= blockEnd(block) && to.value >= block.from;
}
