import { type Address, familyBits } from './address.ts';

/**
 * The name of an address in DNS: `7.113.0.203.in-addr.arpa` (RFC 1035, 3.5), or 32 nibbles below
 * `ip6.arpa` (RFC 3596, 2.5).
 */
export function reverseName({ family, value }: Address): string {
  const [bits, radix, domain] = family === 'ipv4' ? [8, 10, 'in-addr.arpa'] : [4, 16, 'ip6.arpa'];
  const mask = (1n << BigInt(bits)) - 1n;
  const labels = Array.from({ length: familyBits[family] / bits }, (_, index) =>
    ((value >> BigInt(bits * index)) & mask).toString(radix),
  );
  return [...labels, domain].join('.');
}
