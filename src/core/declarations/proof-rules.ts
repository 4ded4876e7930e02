import { type DomainProofs, needsProof, proofOf, proofRecordOf } from '../model/domain-proof.ts';
import { holderText } from '../model/holder.ts';
import type { Hostname } from '../model/hostname.ts';
import type { HostnameRules } from '../model/pools.ts';
import type { Problem } from '../model/problem.ts';
import { shellWord } from '../text/print/escape.ts';

/** HOSTNAME_UNPROVEN for each hostname that needs a proof of its domain, and has none. */
export function unprovenProblems(
  hostnames: readonly Hostname[],
  proofs: DomainProofs,
  rules: HostnameRules,
): Problem[] {
  return hostnames
    .filter((one) => needsProof(one.hostname, rules) && proofOf(proofs, one) === undefined)
    .map(unproven);
}

/** HOSTNAME_UNPROVEN, with the TXT record that proves the hostname. */
export function unproven(one: Pick<Hostname, 'hostname' | 'holder' | 'at'>): Problem {
  const { hostname, holder, at } = one;
  return {
    code: 'HOSTNAME_UNPROVEN',
    message: `${holderText(holder)} has not proven the domain of ${hostname}`,
    at,
    hint: `publish ${proofRecordOf(one)}, there or at a domain above, and run \`leasehold prove ${shellWord(hostname)} --holder ${holder}\``,
  };
}
