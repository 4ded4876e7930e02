import ipaddr from 'ipaddr.js';

/** The two families of IP addresses, in the order of every report. */
export const bothFamilies = ['ipv4', 'ipv6'] as const;
export type Family = (typeof bothFamilies)[number];

/** One IP address. `value` is its bits as an unsigned number: 32 bits, or 128. */
export interface Address {
  readonly family: Family;
  readonly value: bigint;
}

/** Why a text is not an address, for a message. */
export interface NotAnAddress {
  readonly reason: string;
}

/** Bits of an address of a family. */
export const familyBits: Readonly<Record<Family, number>> = { ipv4: 32, ipv6: 128 };

/**
 * Parses an address. Stricter than `ipaddr.js`, which reads `010.0.0.1` as octal and `10.1` as
 * 10.0.0.1, and stricter than MetalLB, which takes IPv4-mapped IPv6 (config.go ParseCIDR): four
 * decimal parts without leading zeros, or IPv6 without zone id and without dots.
 */
export function parseAddress(text: string): Address | NotAnAddress {
  return text.includes(':') ? parseIPv6(text) : parseIPv4(text);
}

/** True for a parsed address, false for a reason. */
export function isAddress(parsed: Address | NotAnAddress): parsed is Address {
  return 'family' in parsed;
}

/** Canonical text: dotted decimal, or RFC 5952. Equal addresses have equal text. */
export function formatAddress(address: Address): string {
  const { value } = address;
  if (address.family === 'ipv4') {
    const bits = Number(value);
    return `${bits >>> 24}.${(bits >>> 16) & 255}.${(bits >>> 8) & 255}.${bits & 255}`;
  }
  groups.setBigUint64(0, value >> 64n);
  groups.setBigUint64(8, BigInt.asUintN(64, value));
  return formatGroups();
}

/** The eight groups of the IPv6 address that is being formatted. */
const groups = new DataView(new ArrayBuffer(16));

/** RFC 5952, 4: lower-case hex, and `::` for the first of the longest runs of several zero groups. */
function formatGroups(): string {
  const [from, to] = longestZeros();
  if (to - from < 2) return groupsText(0, 8);
  return `${groupsText(0, from)}::${groupsText(to, 8)}`;
}

/** The first of the longest runs of groups that are zero. */
function longestZeros(): [from: number, to: number] {
  let longest: [from: number, to: number] = [0, 0];
  let from = 0;
  for (let group = 0; group < 8; group += 1) {
    if (groups.getUint16(2 * group) !== 0) from = group + 1;
    else if (group + 1 - from > longest[1] - longest[0]) longest = [from, group + 1];
  }
  return longest;
}

function groupsText(from: number, to: number): string {
  let text = '';
  for (let group = from; group < to; group += 1) {
    text += `${group > from ? ':' : ''}${groups.getUint16(2 * group).toString(16)}`;
  }
  return text;
}

/** Numeric order; every IPv4 address before every IPv6 one. */
export function compareAddresses(left: Address, right: Address): number {
  if (left.family !== right.family) return left.family === 'ipv4' ? -1 : 1;
  return left.value < right.value ? -1 : left.value > right.value ? 1 : 0;
}

/** Order of items by their address. */
export function byAddress(
  left: { readonly address: Address },
  right: { readonly address: Address },
): number {
  return compareAddresses(left.address, right.address);
}

/**
 * True for IPv4 addresses that end in .0 or .255, which old firmware mistakes for network and
 * broadcast addresses. MetalLB's `avoidBuggyIPs` leaves them out (allocator.go
 * ipConfusesBuggyFirmwares).
 */
export function isBuggyIP({ family, value }: Address): boolean {
  const last = value & 255n;
  return family === 'ipv4' && (last === 0n || last === 255n);
}

function parseIPv4(text: string): Address | NotAnAddress {
  const parts = /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) ? text.split('.') : [];
  if (parts.some((part) => /^0\d/.test(part))) {
    return { reason: `'${text}' has a leading zero, which some programs read as octal` };
  }
  if (parts.length === 0 || parts.some((part) => Number(part) > 255)) {
    return { reason: `'${shortened(text)}' is not an IP address` };
  }
  const value = parts.reduce((bits, part) => bits * 256 + Number(part), 0);
  return { family: 'ipv4', value: BigInt(value) };
}

function parseIPv6(text: string): Address | NotAnAddress {
  if (!/^[0-9a-fA-F:]+$/.test(text)) {
    return {
      reason: text.includes('.')
        ? `'${shortened(text)}' mixes IPv4 into IPv6; write the plain IPv4 address`
        : `'${shortened(text)}' is not an IP address`,
    };
  }
  if (!ipaddr.IPv6.isValid(text)) return { reason: `'${shortened(text)}' is not an IP address` };
  const parsed = ipaddr.IPv6.parse(text);
  if (parsed.isIPv4MappedAddress()) {
    return { reason: `'${text}' is an IPv4-mapped IPv6 address; write the plain IPv4 address` };
  }
  return { family: 'ipv6', value: toValue(parsed.toByteArray()) };
}

function toValue(bytes: readonly number[]): bigint {
  return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

/** A text in a message: at most 60 characters. */
export function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** A family in a message, and in the fields of a Service: `IPv4` or `IPv6`. */
export function familyName(family: Family): 'IPv4' | 'IPv6' {
  return family === 'ipv4' ? 'IPv4' : 'IPv6';
}
