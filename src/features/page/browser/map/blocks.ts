import {
  type Address,
  type Family,
  familyBits,
  formatAddress,
} from '../../../../core/net/address.ts';
import type { IndexedRecord, Space } from '../picture-index.ts';

/** An aligned block of 2^bits addresses, like a CIDR prefix. */
export interface Block {
  readonly family: Family;
  readonly from: bigint;
  /** The binary logarithm of its size. */
  readonly bits: number;
}

/** The last address of a block. */
export function blockEnd({ from, bits }: Block): bigint {
  return from + (1n << BigInt(bits)) - 1n;
}

/** `203.0.113.0/24`; one address without its length. */
export function blockText({ family, from, bits }: Block): string {
  const text = formatAddress({ family, value: from });
  return bits === 0 ? text : `${text}/${familyBits[family] - bits}`;
}

/** The smallest block of at least 2^least addresses that contains both addresses. */
export function enclosing(from: Address, to: bigint, least: number): Block {
  const apart = from.value ^ to;
  const bits = Math.max(least, apart === 0n ? 0 : apart.toString(2).length);
  return { family: from.family, from: (from.value >> BigInt(bits)) << BigInt(bits), bits };
}

/** True when the block contains the address. */
export function blockHas(block: Block, { family, value }: Address): boolean {
  return family === block.family && value >= block.from && value <= blockEnd(block);
}

/** The content of one map: a block, or several small ones stacked. */
export type Sheet = readonly Block[];

/** Most cells of stacked blocks. */
const mostStacked = 1024;

/** Smallest map: one row of sixteen addresses. */
const leastBits = 4;

/** Largest block whose addresses are shown one by one: a /24, or a /120. */
const plainBits = 8;

/**
 * The blocks of a pool's maps: all declared addresses for IPv4, those in use for IPv6. Ranges in
 * one /24 share a map.
 */
export function spaceBlocks(space: Space): readonly Block[] {
  const blocks: Block[] = [];
  for (const block of space.ranges.map((range) => rangeBlock(space, range))) {
    const last = blocks.at(-1);
    const both = last && enclosing({ ...last, value: last.from }, blockEnd(block), leastBits);
    if (last && both && (both.bits <= plainBits || both.bits === Math.max(last.bits, block.bits)))
      blocks[blocks.length - 1] = both;
    else blocks.push(block);
  }
  return blocks;
}

/** The maps of a space: a single one with all blocks if they are small. */
export function spaceSheets(space: Space): readonly Sheet[] {
  const blocks = spaceBlocks(space);
  const cells = blocks.reduce((sum, { bits }) => sum + 2 ** bits, 0);
  return blocks.length > 1 && cells <= mostStacked ? [blocks] : blocks.map((block) => [block]);
}

/** The first map of a space with an address in use, otherwise its first map. */
export function firstSheet(space: Space): Sheet | undefined {
  const sheets = spaceSheets(space);
  const used = space.records.find(({ state }) => state !== 'free');
  return (used && sheets.find((sheet) => sheetHas(sheet, used.address))) ?? sheets[0];
}

/** True when one of the blocks contains the address. */
export function sheetHas(sheet: Sheet, address: Address): boolean {
  return sheet.some((block) => blockHas(block, address));
}

/** `203.0.113.0/24`; `5 ranges`. */
export function sheetText(sheet: Sheet): string {
  const [first, ...others] = sheet;
  return first && others.length === 0 ? blockText(first) : `${sheet.length} ranges`;
}

function rangeBlock(space: Space, { from, to }: Space['ranges'][number]): Block {
  const whole = enclosing(from, to.value, leastBits);
  return space.family === 'ipv4' ? whole : usedBlock(space, whole);
}

/**
 * For IPv4 the block itself; for IPv6 the smallest block inside it that contains all addresses in
 * use, at least a /120.
 */
export function usedBlock(space: Space, block: Block): Block {
  if (block.family === 'ipv4' || block.bits <= plainBits) return block;
  const used = recordsIn(space.records, block);
  const [first, last] = [used[0]?.address, used.at(-1)?.address];
  return first && last ? enclosing(first, last.value, plainBits) : block;
}

/** The records in a block. `records` is sorted by address. O(log n). */
export function recordsIn(records: readonly IndexedRecord[], block: Block): IndexedRecord[] {
  return records.slice(firstFrom(records, block.from), firstFrom(records, blockEnd(block) + 1n));
}

function firstFrom(records: readonly IndexedRecord[], value: bigint): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((records[middle]?.address.value ?? value) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
