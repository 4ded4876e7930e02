import { type Address, formatAddress, isAddress, parseAddress } from '../../../core/net/address.ts';
import { type AddressRange, formatRange, isRange, parseRange } from '../../../core/net/range.ts';
import { unroutableReason } from '../../../core/net/special-ranges.ts';

/**
 * How MetalLB reads a text in `addresses`: a range, no address (`empty`), or an error for its whole
 * configuration (`refused`). `unfit` is a range that leasehold does not allocate from.
 */
export type MetalLBRange =
  | { readonly kind: 'range'; readonly range: AddressRange }
  | { readonly kind: 'empty' | 'refused' | 'unfit'; readonly reason: string };

/**
 * Reads a text as MetalLB does (config.go ParseCIDR, with Go's net.ParseCIDR and net.ParseIP): host
 * bits and leading zeros of a prefix length are ignored, spaces are allowed around the ends of a
 * range but not around a CIDR block, IPv4-mapped IPv6 is IPv4, and a range from IPv4 to IPv6 has no
 * address.
 */
export function parseGoRange(text: string): MetalLBRange {
  return text.includes('-') ? readFromTo(text) : readCidr(text);
}

function readCidr(text: string): MetalLBRange {
  const [base = '', suffix = '', ...rest] = text.split('/');
  const address = readAddress(base);
  if (!address || rest.length > 0 || !/^\d{1,9}$/.test(suffix)) {
    return refused(`'${text}' is not a CIDR block for MetalLB`);
  }
  const isMapped = address.family === 'ipv4' && base.includes(':');
  const length = Number(suffix) - (isMapped ? 96 : 0);
  if (Number(suffix) > (base.includes(':') ? 128 : 32)) {
    return refused(`'${text}' has a prefix length that is too long`);
  }
  if (length < 0) return unfit(`'${text}' contains IPv4-mapped IPv6 addresses`);
  if (length === 0) return unfit(`'${text}' is the whole address space`);
  const bits = address.family === 'ipv4' ? 32n : 128n;
  const hostMask = (1n << (bits - BigInt(length))) - 1n;
  const first = { family: address.family, value: address.value & ~hostMask };
  return sound(`${formatAddress(first)}/${length}`);
}

function readFromTo(text: string): MetalLBRange {
  const cut = text.indexOf('-');
  const from = readAddress(text.slice(0, cut).trim());
  const to = readAddress(text.slice(cut + 1).trim());
  if (!from || !to) return refused(`'${text}' is not a range for MetalLB`);
  if (from.family !== to.family) {
    return from.family === 'ipv4'
      ? {
          kind: 'empty',
          reason: `'${text}' goes from IPv4 to IPv6: MetalLB uses no address of it`,
        }
      : refused(`'${text}' goes from IPv6 to IPv4`);
  }
  if (from.value > to.value) return refused(`'${text}' ends before it starts`);
  return sound(formatRange({ from, to }));
}

/** The range of a text in canonical form, if leasehold allows it too. */
function sound(text: string): MetalLBRange {
  const range = parseRange(text);
  if (!isRange(range)) return unfit(range.reason);
  const reason = unroutableReason(range);
  return reason === undefined ? { kind: 'range', range } : unfit(reason);
}

/**
 * Parses as Go's net.ParseIP does: IPv6 may end in dotted decimal, and IPv4-mapped IPv6 is IPv4.
 */
function readAddress(text: string): Address | undefined {
  const [, head, tail] = /^([0-9a-fA-F:]*:)([0-9.]+)$/.exec(text) ?? [];
  if (head === undefined || tail === undefined || !tail.includes('.')) return readPlain(text);
  const last = parseAddress(tail);
  if (!isAddress(last) || last.family !== 'ipv4') return undefined;
  const words = [last.value >> 16n, last.value & 0xffffn].map((word) => word.toString(16));
  return readPlain(`${head}${words.join(':')}`);
}

const mapped =
  /^(?:::|(?:0{1,4}:){5}|::(?:0{1,4}:){1,4}|(?:0{1,4}:){1,4}:)ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i;

function readPlain(text: string): Address | undefined {
  const [, high, low] = mapped.exec(text) ?? [];
  if (high !== undefined && low !== undefined) {
    const value = (BigInt(`0x${high}`) << 16n) | BigInt(`0x${low}`);
    return { family: 'ipv4', value };
  }
  const address = parseAddress(text);
  return isAddress(address) ? address : undefined;
}

function refused(reason: string): MetalLBRange {
  return { kind: 'refused', reason };
}

function unfit(reason: string): MetalLBRange {
  return { kind: 'unfit', reason };
}
