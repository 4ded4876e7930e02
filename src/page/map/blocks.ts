import { type Address, type Family, familyBits, formatAddress } from '../../net/address.ts';
import type { IndexedRecord, Space } from '../picture-index.ts';

/** An aligned block of 2^bits addresses: what a CIDR prefix names. */
export interface Block {
  readonly family: Family;
  readonly from: bigint;
  /** The binary logarithm of how many addresses it has. */
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

/** The smallest block that has both addresses, and no fewer than 2^least. */
export function enclosing(from: Address, to: bigint, least: number): Block {
  const apart = from.value ^ to;
  const bits = Math.max(least, apart === 0n ? 0 : apart.toString(2).length);
  return { family: from.family, from: (from.value >> BigInt(bits)) << BigInt(bits), bits };
}

/** True when the block has the address. */
export function blockHas(block: Block, { family, value }: Address): boolean {
  return family === block.family && value >= block.from && value <= blockEnd(block);
}

/** What one map shows: a block, or several small ones under each other. */
export type Sheet = readonly Block[];

/** Cells of several blocks that are shown under each other. */
const mostStacked = 1024;

/** No map is smaller than one row of sixteen addresses. */
const leastBits = 4;

/** As many addresses as are shown each by itself: a /24, or a /120. */
const plainBits = 8;

/**
 * The blocks that a pool's map shows, each by itself: of IPv4 all that is declared, of IPv6 what is used. Ranges that lie in
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

/** The maps of a space, each by itself: one of all its blocks where they are small. */
export function spaceSheets(space: Space): readonly Sheet[] {
  const blocks = spaceBlocks(space);
  const cells = blocks.reduce((sum, { bits }) => sum + 2 ** bits, 0);
  return blocks.length > 1 && cells <= mostStacked ? [blocks] : blocks.map((block) => [block]);
}

/** The map of a space that somebody sees first: the first on which anything is in use. */
export function firstSheet(space: Space): Sheet | undefined {
  const sheets = spaceSheets(space);
  const used = space.records.find(({ state }) => state !== 'free');
  return (used && sheets.find((sheet) => sheetHas(sheet, used.address))) ?? sheets[0];
}

/** True when one of the blocks has the address. */
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

/** A block, or of IPv6 the smallest block in it that has all of it that is used; never less than a /120. */
export function usedBlock(space: Space, block: Block): Block {
  if (block.family === 'ipv4' || block.bits <= plainBits) return block;
  const used = recordsIn(space.records, block);
  const [first, last] = [used[0]?.address, used.at(-1)?.address];
  return first && last ? enclosing(first, last.value, plainBits) : block;
}

/** The records of a block. They are sorted by address. O(log n). */
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
