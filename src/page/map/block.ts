import { type Address, type Family, familyBits, formatAddress } from '../../net/address.ts';

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
