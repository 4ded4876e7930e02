import type { Address } from './address.ts';
import {
  type AddressRange,
  formatRange,
  isRange,
  parseRange,
  prefixLengths,
  rangeSize,
  rangesOverlap,
} from './range.ts';

/** Blocks whose addresses are not forwarded (IANA: special-purpose address registries). */
const withoutHosts = blocks({
  '0.0.0.0/8': 'this network',
  '127.0.0.0/8': 'loopback',
  '224.0.0.0/4': 'multicast',
  '240.0.0.0/4': 'reserved, with the broadcast address',
  '::': 'the unspecified address',
  '::1': 'loopback',
  'ff00::/8': 'multicast',
});

/** Blocks whose addresses are reachable on their own link only (RFC 3927, RFC 4291). */
const linkLocal = blocks({ '169.254.0.0/16': 'link-local', 'fe80::/10': 'link-local' });

/** The link-local block that a range has addresses of. */
export function linkLocalOf(range: AddressRange): AddressRange | undefined {
  return linkLocal.find(({ block }) => rangesOverlap(block, range))?.block;
}

/**
 * The addresses of a CIDR block that a host cannot have if the block is a network of its own: the
 * first and the last address of IPv4, and the first of IPv6, the router anycast address (RFC 4291).
 * None for a range that is not a block, or has at most two addresses.
 */
export function blockEnds(range: AddressRange): readonly Address[] {
  if (prefixLengths(range).length > 1 || rangeSize(range) <= 2n) return [];
  return range.from.family === 'ipv4' ? [range.from, range.to] : [range.from];
}

/**
 * Why a range cannot be used, for a message: it has addresses that are not forwarded. Undefined if
 * it has none.
 */
export function unroutableReason(range: AddressRange): string | undefined {
  const found = withoutHosts.find(({ block }) => rangesOverlap(block, range));
  return (
    found &&
    `'${formatRange(range)}' has addresses of ${formatRange(found.block)}, ${found.what}, which routers do not forward`
  );
}

function blocks(named: Readonly<Record<string, string>>) {
  return Object.entries(named).flatMap(([text, what]) => {
    const block = parseRange(text);
    return isRange(block) ? [{ block, what }] : [];
  });
}
