import { type AddressRange, formatRange, isRange, parseRange, rangesOverlap } from './range.ts';

/** Blocks of which no address can be that of a host which others reach (IANA: special-purpose address registries). */
const withoutHosts = blocks({
  '0.0.0.0/8': 'this network',
  '127.0.0.0/8': 'loopback',
  '224.0.0.0/4': 'multicast',
  '240.0.0.0/4': 'reserved, with the broadcast address',
  '::': 'the unspecified address',
  '::1': 'loopback',
  'ff00::/8': 'multicast',
});

/** Why a range has an address that can be nobody's, for a person; undefined when it has none. */
export function nobodys(range: AddressRange): string | undefined {
  const found = withoutHosts.find(({ block }) => rangesOverlap(block, range));
  return (
    found &&
    `'${formatRange(range)}' has addresses of ${formatRange(found.block)}, ${found.what}, which no router passes on`
  );
}

function blocks(named: Readonly<Record<string, string>>) {
  return Object.entries(named).flatMap(([text, what]) => {
    const block = parseRange(text);
    return isRange(block) ? [{ block, what }] : [];
  });
}
