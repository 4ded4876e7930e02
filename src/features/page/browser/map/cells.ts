import { compareText } from '../../../../core/model/order.ts';
import type { Address } from '../../../../core/net/address.ts';
import type { AddressRange } from '../../../../core/net/range.ts';
import {
  type AddressState,
  addressBeyond,
  bareState,
  type IndexedRecord,
  type Space,
} from '../picture-index.ts';
import { type Block, blockEnd, recordsIn, type Sheet } from './blocks.ts';
import { hilbertPlace } from './curve.ts';

/** One cell of a map: an address, or a block of them. */
export interface Cell {
  readonly block: Block;
  readonly state: AddressState;
  readonly held: number;
  readonly retained: number;
  /** The addresses that may be allocated, in use or not. */
  readonly usable: bigint;
  /** The record of a single address. */
  readonly record: IndexedRecord | undefined;
  /** The public address of a single address behind a NAT. */
  readonly publicAddress: Address | undefined;
  /** The owners of the addresses in use and their counts, the largest first. */
  readonly owners: readonly (readonly [owner: string, count: number])[];
}

/** The cells of a map, row by row. */
export interface Cells {
  readonly columns: number;
  readonly rows: readonly (readonly Cell[])[];
  /** True for a Hilbert curve, false for rows of sixteen addresses. */
  readonly isCurve: boolean;
}

/** How much a map shows at once: `coarse` has cells for fingers on a phone. */
export type Detail = 'fine' | 'coarse';

/** The binary logarithm of the most cells along a curve. */
const curveBits: Readonly<Record<Detail, number>> = { fine: 10, coarse: 6 };

/** The cells of a sheet: one block as in {@link cellsOf}, or several stacked in rows of sixteen. */
export function sheetCells(space: Space, sheet: Sheet, detail: Detail): Cells {
  const [first, ...others] = sheet;
  if (first && others.length === 0) return cellsOf(space, first, detail);
  return {
    columns: 16,
    rows: sheet.flatMap((block) => plainCells(space, block).rows),
    isCurve: false,
  };
}

/** Largest block shown in rows of sixteen: a /23. */
const plainBits = 9;

/**
 * The cells of a block: up to 512 addresses in rows of sixteen, larger blocks along a Hilbert curve
 * of up to 1,024 cells, or 64 coarse ones.
 */
export function cellsOf(space: Space, block: Block, detail: Detail): Cells {
  return block.bits <= plainBits ? plainCells(space, block) : curveCells(space, block, detail);
}

function plainCells(space: Space, block: Block): Cells {
  const columns = Math.min(16, 1 << block.bits);
  const cells = cellsInOrder(space, block, 0);
  const rows = Array.from({ length: cells.length / columns }, (_, row) =>
    cells.slice(row * columns, (row + 1) * columns),
  );
  return { columns, rows, isCurve: false };
}

function curveCells(space: Space, block: Block, detail: Detail): Cells {
  const cellBits = cellBitsOf(block.bits, detail);
  const order = (block.bits - cellBits) / 2;
  const columns = 1 << order;
  const rows: Cell[][] = Array.from({ length: columns }, () => []);
  cellsInOrder(space, block, cellBits).forEach((cell, number) => {
    const { x, y } = hilbertPlace(order, number);
    const row = rows[y];
    if (row) row[x] = cell;
  });
  return { columns, rows, isCurve: true };
}

/** The size of a cell for which the number of cells is a power of four, at most 4^5 or 4^3. */
function cellBitsOf(bits: number, detail: Detail): number {
  const most = curveBits[detail];
  if (bits === most) return 0;
  const least = Math.max(4, bits - most);
  return (bits - least) % 2 === 0 ? least : least + 1;
}

/** The cell that contains an address; undefined when each cell is one address. */
export function partOf(block: Block, value: bigint, detail: Detail): Block | undefined {
  const bits = block.bits <= plainBits ? 0 : cellBitsOf(block.bits, detail);
  if (bits === 0) return undefined;
  return { family: block.family, from: (value >> BigInt(bits)) << BigInt(bits), bits };
}

function cellsInOrder(space: Space, block: Block, cellBits: number): readonly Cell[] {
  const count = 2 ** (block.bits - cellBits);
  const shift = BigInt(cellBits);
  const records: IndexedRecord[][] = Array.from({ length: count }, () => []);
  for (const record of recordsIn(space.records, block)) {
    records[Number((record.address.value - block.from) >> shift)]?.push(record);
  }
  return records.map((own, number) => {
    const from = block.from + (BigInt(number) << shift);
    const part = { family: block.family, from, bits: cellBits };
    return cellBits === 0 ? addressCell(space, part, own[0]) : blockCell(space, part, own);
  });
}

function addressCell(space: Space, block: Block, record: IndexedRecord | undefined): Cell {
  const address = { family: block.family, value: block.from };
  const bare = bareState(space, address);
  const state = record && record.state !== 'free' ? record.state : bare;
  return {
    block,
    state,
    held: state === 'held' ? 1 : 0,
    retained: state === 'retained' ? 1 : 0,
    usable: bare === 'free' ? 1n : 0n,
    record,
    publicAddress: bare === 'outside' ? undefined : addressBeyond(space, address),
    owners: record && isUsed(state) ? [[record.owner, 1]] : [],
  };
}

function isUsed(state: AddressState): boolean {
  return state === 'held' || state === 'retained';
}

/** The owners of records and their counts, the largest first, equal ones by name. */
export function ownerCounts(
  records: readonly IndexedRecord[],
): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { state, owner } of records) {
    if (isUsed(state)) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  return [...counts].sort(([one, few], [other, many]) => many - few || compareText(one, other));
}

function blockCell(space: Space, block: Block, records: readonly IndexedRecord[]): Cell {
  const held = records.filter(({ state }) => state === 'held').length;
  const retained = records.filter(({ state }) => state === 'retained').length;
  const declared = overlap(space.ranges, block);
  const usable = declared - withheld(space, block);
  return {
    block,
    state: blockState({ held, retained, declared, usable }),
    held,
    retained,
    usable,
    record: undefined,
    publicAddress: undefined,
    owners: ownerCounts(records),
  };
}

interface Counts {
  readonly held: number;
  readonly retained: number;
  readonly declared: bigint;
  readonly usable: bigint;
}

function blockState({ held, retained, declared, usable }: Counts): AddressState {
  if (held > 0) return 'held';
  if (retained > 0) return 'retained';
  if (declared === 0n) return 'outside';
  return usable === 0n ? 'reserved' : 'free';
}

function withheld({ ranges, reserved, pool }: Space, block: Block): bigint {
  const named = overlap(reserved, block);
  if (!pool.avoidBuggyIPs || block.family !== 'ipv4') return named;
  return named + buggyIn(ranges, block) - buggyIn(reserved, block);
}

function overlap(ranges: readonly AddressRange[], block: Block): bigint {
  return parts(ranges, block).reduce((sum, [from, to]) => sum + (to - from + 1n), 0n);
}

/** The number of addresses of the ranges in a block that end in .0 or .255. */
function buggyIn(ranges: readonly AddressRange[], block: Block): bigint {
  return parts(ranges, block).reduce(
    (sum, [from, to]) => sum + buggyBelow(to + 1n) - buggyBelow(from),
    0n,
  );
}

function buggyBelow(value: bigint): bigint {
  return (value >> 8n) * 2n + ((value & 255n) > 0n ? 1n : 0n);
}

function parts(ranges: readonly AddressRange[], block: Block): readonly [bigint, bigint][] {
  const end = blockEnd(block);
  return ranges
    .filter(({ from, to }) => from.value <= end && to.value >= block.from)
    .map(({ from, to }) => [
      later(from.value, block.from),
      later(to.value, end) === end ? to.value : end,
    ]);
}

function later(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
