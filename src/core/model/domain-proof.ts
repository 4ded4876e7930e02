import { domainsAbove, isInDomain } from '../net/dns-name.ts';
import type { Day } from './day.ts';
import type { Hostname } from './hostname.ts';
import type { HostnameRules } from './pools.ts';
import type { Position } from './problem.ts';

/**
 * The proof that a holder of hostnames controls a domain: a TXT record of the domain named the
 * holder on a day. It counts for the domain and all names below it.
 */
export interface DomainProof {
  /** At least two labels, without a wildcard. */
  readonly domain: string;
  /** See `hostnameHolder` and `leaseHostnameHolder`. */
  readonly holder: string;
  /** The day on which the TXT record was last seen, UTC. */
  readonly checked: Day;
  /** Undefined for a proof that is not committed yet. */
  readonly at: Position | undefined;
}

/** The proofs by {@link proofKey}. */
export type DomainProofs = ReadonlyMap<string, DomainProof>;

/** The key of a proof in a table: one for each pair of a holder and a domain. */
export function proofKey({ holder, domain }: Pick<DomainProof, 'holder' | 'domain'>): string {
  return `${holder} ${domain}`;
}

/** The domains that prove a hostname: its own name and each domain above it with two labels or more. */
export function provingDomains(hostname: string): readonly string[] {
  const domains = [hostname, ...domainsAbove(hostname)];
  return domains.filter((domain) => !domain.startsWith('*.') && domain.includes('.'));
}

/** The proof of the nearest domain by which a hostname is that of its holder; undefined without one. */
export function proofOf(
  proofs: DomainProofs,
  { hostname, holder }: Pick<Hostname, 'hostname' | 'holder'>,
): DomainProof | undefined {
  return provingDomains(hostname)
    .map((domain) => proofs.get(proofKey({ holder, domain })))
    .find((proof) => proof !== undefined);
}

/** True when the rules of a pool file require a proof for a hostname. */
export function needsProof(hostname: string, { proof, exempt }: HostnameRules): boolean {
  return proof === 'required' && !exempt.some((domain) => isInDomain(hostname, domain));
}

/** The name of the TXT record that proves a domain. */
export function proofRecordName(domain: string): string {
  return `_leasehold.${domain}`;
}

/** The text of the TXT record by which a holder proves a domain. */
export function proofRecordText(holder: string): string {
  return `leasehold=${holder}`;
}

/** The TXT record that proves a hostname alone, as a zone file has it without a time to live. */
export function proofRecordOf({ hostname, holder }: Pick<Hostname, 'hostname' | 'holder'>): string {
  const [domain = hostname] = provingDomains(hostname);
  return `${proofRecordName(domain)} TXT "${proofRecordText(holder)}"`;
}
