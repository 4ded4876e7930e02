import { type Address, familyBits } from '../../core/net/address.ts';

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

/**
 * The first label of a reverse zone for a part of 256 addresses with the dot behind it, as RFC 2317
 * writes it: `0/25.`. Empty for another zone.
 */
export function subnetLabel(zone: string): string {
  return /^\d{1,3}\/\d{1,3}\./.exec(zone)?.[0] ?? '';
}

/**
 * True for a zone of RFC 2317 by its form: `0/25.113.0.203.in-addr.arpa`, or with a dash in place
 * of the slash. No reverse name is in it.
 */
export function isSubnetZone(zone: string): boolean {
  return subnetLabel(zone) !== '' || /^\d+-\d+(?:\.\d+){3}\.in-addr\.arpa$/.test(zone);
}

/**
 * The reverse zone of the 256 IPv4 addresses around one: `113.0.203.in-addr.arpa`. Zones of RFC
 * 2317 for a part of them are below it, or outside of `in-addr.arpa` (RFC 2317, 5.2).
 */
export function reverseZone(address: Address): string {
  const name = reverseName(address);
  return name.slice(name.indexOf('.') + 1);
}
