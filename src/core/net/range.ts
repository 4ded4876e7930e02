import {
  type Address,
  compareAddresses,
  familyBits,
  formatAddress,
  isAddress,
  parseAddress,
  shortened,
} from './address.ts';

/** The addresses `from` to `to`, both included, of one family. `from` is never after `to`. */
export interface AddressRange {
  readonly from: Address;
  readonly to: Address;
}

/** Why a text is not a range, for a message. */
export interface NotARange {
  readonly reason: string;
  /** The correct text, if only one range can be meant. */
  readonly meant?: string;
  readonly kind: 'syntax' | 'hostBits' | 'order' | 'mixed' | 'everything';
}

/**
 * Parses a range: a CIDR block, `first-last`, or one address. Rejects everything that MetalLB
 * rejects, except a single address, and also everything that MetalLB silently changes: host bits,
 * leading zeros, spaces, mixed families, IPv4-mapped IPv6, a whole family (config.go ParseCIDR).
 */
export function parseRange(text: string): AddressRange | NotARange {
  const parsed = parseExactly(text);
  return isRange(parsed) || parsed.kind !== 'syntax' ? parsed : (misspelled(text) ?? parsed);
}

function parseExactly(text: string): AddressRange | NotARange {
  const parsed = text.includes('/') ? parseCidr(text) : parseFromTo(text);
  if (!isRange(parsed)) return parsed;
  if (prefixLength(parsed) === 0) {
    return { kind: 'everything', reason: `'${text}' is the whole address space` };
  }
  if (!rangesOverlap(parsed, mappedRange)) return parsed;
  return { kind: 'mixed', reason: `'${text}' contains IPv4-mapped IPv6 addresses` };
}

/** The longest text that is two IPv6 addresses with some spaces. */
const longestMisspelled = 100;

/**
 * Recognizes common misspellings of a range: spaces, an en dash, `/024`, and only the last part
 * after the dash. Undefined for any other text.
 */
function misspelled(text: string): NotARange | undefined {
  if (text.length > longestMisspelled) return undefined;
  const spelled = text
    .trim()
    .replace(/\s*([-–—/])\s*/g, '$1')
    .replace(/[–—]/, '-')
    .replace(/\/0+(?=\d)/, '/')
    .replace(/^(.*[.:])([0-9a-f]+)-([0-9a-f]+)$/i, '$1$2-$1$3');
  const parsed = parseExactly(spelled);
  const meant = isRange(parsed) ? spelled : parsed.meant;
  if (meant === undefined) return undefined;
  const [form, noun] = meant.includes('/') ? ['a CIDR block', 'block'] : ["'first-last'", 'range'];
  const reason = `'${text}' is not written as ${form}; the ${noun} is ${meant}`;
  return { kind: 'syntax', reason, meant };
}

/** ::ffff:0:0/96. Many programs read these addresses as IPv4, so none is ever allocated. */
const mappedRange: AddressRange = {
  from: { family: 'ipv6', value: 0xffff_0000_0000n },
  to: { family: 'ipv6', value: 0xffff_ffff_ffffn },
};

/** True for a parsed range, false for a reason. */
export function isRange(parsed: AddressRange | NotARange): parsed is AddressRange {
  return 'from' in parsed;
}

/** How many addresses a range has. */
export function rangeSize(range: AddressRange): bigint {
  return range.to.value - range.from.value + 1n;
}

/** True when the address is in the range. */
export function rangeHas(range: AddressRange, address: Address): boolean {
  return (
    range.from.family === address.family &&
    range.from.value <= address.value &&
    address.value <= range.to.value
  );
}

/** The address of a CIDR block with the host part of another address: its bits after the prefix. */
export function withHostPart(block: AddressRange, { value }: Address): Address {
  const { family, value: prefix } = block.from;
  return { family, value: prefix | (value & (rangeSize(block) - 1n)) };
}

/** True when the two ranges have an address in common. */
export function rangesOverlap(left: AddressRange, right: AddressRange): boolean {
  return (
    left.from.family === right.from.family &&
    left.from.value <= right.to.value &&
    right.from.value <= left.to.value
  );
}

/** Order by first address, then last; IPv4 first. */
export function compareRanges(left: AddressRange, right: AddressRange): number {
  return compareAddresses(left.from, right.from) || compareAddresses(left.to, right.to);
}

/**
 * The index of the first item whose range does not end before the address, or the number of items.
 * The items are sorted by range, and their ranges never overlap. O(log n).
 */
export function firstReaching<Item>(
  items: readonly Item[],
  rangeOf: (item: Item) => AddressRange,
  address: Address,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && compareAddresses(rangeOf(item).to, address) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Canonical text: a CIDR block where the range is one, else `first-last`. */
export function formatRange(range: AddressRange): string {
  const length = prefixLength(range);
  return length === undefined
    ? `${formatAddress(range.from)}-${formatAddress(range.to)}`
    : `${formatAddress(range.from)}/${length}`;
}

/** As {@link formatRange}, but a single address has no prefix length. */
export function formatShortRange(range: AddressRange): string {
  return rangeSize(range) === 1n ? formatAddress(range.from) : formatRange(range);
}

/**
 * The lengths of the fewest CIDR prefixes that make up the range, in the order of their addresses.
 * MetalLB splits a range this way before it compares aggregation lengths (config.go, mikioh/ipaddr
 * Summarize).
 */
export function prefixLengths(range: AddressRange): number[] {
  const bits = familyBits[range.from.family];
  const lengths: number[] = [];
  let start = range.from.value;
  while (start <= range.to.value) {
    let size = start === 0n ? 1n << BigInt(bits) : start & -start;
    while (start + size - 1n > range.to.value) size >>= 1n;
    lengths.push(bits - bitLength(size) + 1);
    start += size;
  }
  return lengths;
}

function parseCidr(text: string): AddressRange | NotARange {
  const [base = '', suffix = '', ...rest] = text.split('/');
  const address = parseAddress(base);
  if (!isAddress(address)) return { kind: 'syntax', reason: address.reason };
  const bits = familyBits[address.family];
  if (rest.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(suffix) || Number(suffix) > bits) {
    return {
      kind: 'syntax',
      reason: `'${shortened(text)}' needs a prefix length from 1 to ${bits}`,
    };
  }
  const hostMask = (1n << BigInt(bits - Number(suffix))) - 1n;
  const first = { family: address.family, value: address.value & ~hostMask };
  // For a block of all addresses the error is its size, not its host bits.
  if (first.value !== address.value && suffix !== '0') {
    const meant = `${formatAddress(first)}/${suffix}`;
    const reason = `'${text}' has host bits set; the block is ${meant}`;
    return { kind: 'hostBits', reason, meant };
  }
  return { from: first, to: { family: first.family, value: first.value | hostMask } };
}

function parseFromTo(text: string): AddressRange | NotARange {
  const [first = '', last = first, ...rest] = text.split('-');
  if (text.includes('-') && (first === '' || last === '')) {
    const lacks = first === '' ? 'first' : 'last';
    const reason = `'${shortened(text)}' lacks its ${lacks} address, expected such as 192.0.2.7-192.0.2.9`;
    return { kind: 'syntax', reason };
  }
  const from = parseAddress(first);
  const to = parseAddress(last);
  if (!isAddress(from)) return { kind: 'syntax', reason: from.reason };
  if (!isAddress(to)) return { kind: 'syntax', reason: to.reason };
  if (rest.length > 0)
    return { kind: 'syntax', reason: `'${shortened(text)}' is not 'first-last'` };
  if (from.family !== to.family) {
    return { kind: 'mixed', reason: `'${text}' goes from one address family to the other` };
  }
  if (from.value > to.value) return { kind: 'order', reason: `'${text}' ends before it starts` };
  return { from, to };
}

function prefixLength(range: AddressRange): number | undefined {
  const size = rangeSize(range);
  const isBlock = (size & (size - 1n)) === 0n && range.from.value % size === 0n;
  return isBlock ? familyBits[range.from.family] - bitLength(size) + 1 : undefined;
}

function bitLength(value: bigint): number {
  return value.toString(2).length;
}
