import type { AddressRange } from '../../net/range.ts';
import { type AddressState, bareState, type IndexedRecord, type Space } from '../picture-index.ts';
import { type Block, blockEnd, recordsIn, type Sheet } from './blocks.ts';

/** One cell of a map: an address, or a block of them. */
export interface Cell {
  readonly block: Block;
  readonly state: AddressState;
  /** How much of a block is in use, 0 to 8; 8 for an address. */
  readonly level: number;
  /** The held part of {@link level}; the rest is retained. */
  readonly heldLevel: number;
  readonly held: number;
  readonly retained: number;
  /** The addresses that may be allocated, in use or not. */
  readonly usable: bigint;
  /** The record of a single address. */
  readonly record: IndexedRecord | undefined;
}

/** The cells of a map, row by row. */
export interface Cells {
  readonly columns: number;
  readonly rows: readonly (readonly Cell[])[];
  /** True for a Hilbert curve, false for rows of sixteen addresses. */
  readonly isCurve: boolean;
}

const fullLevel = 8;

/** The cells of a sheet: one block as in {@link cellsOf}, or several stacked in rows of sixteen. */
export function sheetCells(space: Space, sheet: Sheet): Cells {
  const [first, ...others] = sheet;
  if (first && others.length === 0) return cellsOf(space, first);
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
 * of up to 1,024 cells.
 */
export function cellsOf(space: Space, block: Block): Cells {
  return block.bits <= plainBits ? plainCells(space, block) : curveCells(space, block);
}

function plainCells(space: Space, block: Block): Cells {
  const columns = Math.min(16, 1 << block.bits);
  const cells = cellsInOrder(space, block, 0);
  const rows = Array.from({ length: cells.length / columns }, (_, row) =>
    cells.slice(row * columns, (row + 1) * columns),
  );
  return { columns, rows, isCurve: false };
}

function curveCells(space: Space, block: Block): Cells {
  const cellBits = cellBitsOf(block.bits);
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

/** The size of a cell for which the number of cells is a power of four, at most 4^5. */
function cellBitsOf(bits: number): number {
  if (bits === 10) return 0;
  const least = Math.max(4, bits - 10);
  return (bits - least) % 2 === 0 ? least : least + 1;
}

/** The cell that contains an address; undefined when each cell is one address. */
export function partOf(block: Block, value: bigint): Block | undefined {
  const bits = block.bits <= plainBits ? 0 : cellBitsOf(block.bits);
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
  const bare = bareState(space, { family: block.family, value: block.from });
  const state = record && record.state !== 'free' ? record.state : bare;
  return {
    block,
    state,
    level: fullLevel,
    heldLevel: state === 'held' ? fullLevel : 0,
    held: state === 'held' ? 1 : 0,
    retained: state === 'retained' ? 1 : 0,
    usable: bare === 'free' ? 1n : 0n,
    record,
  };
}

function blockCell(space: Space, block: Block, records: readonly IndexedRecord[]): Cell {
  const held = records.filter(({ state }) => state === 'held').length;
  const retained = records.filter(({ state }) => state === 'retained').length;
  const declared = overlap(space.ranges, block);
  const usable = declared - withheld(space, block);
  const used = held + retained;
  const least = held > 0 && retained > 0 ? 2 : 1;
  const level = used === 0 ? 0 : Math.max(least, levelOf(space, used, usable));
  return {
    block,
    state: blockState({ held, retained, declared, usable }),
    level,
    heldLevel: heldPart(level, held, retained),
    held,
    retained,
    usable,
    record: undefined,
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

/** Shows at least one eighth each if there are both held and retained addresses. */
function heldPart(level: number, held: number, retained: number): number {
  if (held === 0) return 0;
  if (retained === 0) return level;
  return between(1, Math.round((level * held) / (held + retained)), level - 1);
}

/** For IPv6, which never fills up, each level doubles the number. */
function levelOf({ family }: Space, used: number, usable: bigint): number {
  if (family === 'ipv6') return Math.min(fullLevel, 1 + Math.floor(Math.log2(used)));
  const share = usable === 0n ? 1 : used / Number(usable);
  return Math.min(fullLevel, Math.floor(share * fullLevel));
}

function between(least: number, value: number, most: number): number {
  return Math.max(least, Math.min(most, value));
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
  return [left, right].sort((one, other) => (one < other ? 1 : -1))[0] ?? left;
}

/** A place in a square, from its upper left corner. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/**
 * The place of a cell on the Hilbert curve through a square of 2^order cells a side. Numbers that
 * are close lie close together, and each aligned block of 4^n numbers is a square.
 */
export function hilbertPlace(order: number, number: number): Place {
  let x = 0;
  let y = 0;
  let rest = number;
  for (let side = 1; side < 1 << order; side <<= 1) {
    const right = 1 & (rest >> 1);
    const down = 1 & (rest ^ right);
    if (down === 0) {
      if (right === 1) {
        x = side - 1 - x;
        y = side - 1 - y;
      }
      [x, y] = [y, x];
    }
    x += side * right;
    y += side * down;
    rest >>= 2;
  }
  return { x, y };
}
