import type { Address } from '../net/address.ts';
import { compareDnsNames } from '../net/dns-name.ts';
import { type Claim, wantsFamily } from './claim.ts';

/** One A record, or AAAA record of an IPv6 address. */
export interface DnsRecord {
  readonly name: string;
  readonly address: Address;
}

/** The type of the record of an address. */
export function recordType({ family }: Address): 'A' | 'AAAA' {
  return family === 'ipv4' ? 'A' : 'AAAA';
}

/**
 * The records of the names of claims on the addresses of their holder, each once: by name, then in
 * the order of the addresses. A name has an address of each family that one of its claims requests.
 */
export function dnsRecords(
  claims: readonly Claim[],
  addresses: readonly Address[],
): readonly DnsRecord[] {
  const names = new Set(claims.flatMap(({ dns }) => dns.map(({ name }) => name)));
  return [...names].sort(compareDnsNames).flatMap((name) => {
    const own = claims.filter(({ dns }) => dns.some((request) => request.name === name));
    return addresses
      .filter(({ family }) => own.some((claim) => wantsFamily(claim, family)))
      .map((address) => ({ name, address }));
  });
}
