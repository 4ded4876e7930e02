import * as z from 'zod';
import { readKind } from '../declarations/object-meta.ts';
import type { DomainProof } from '../model/domain-proof.ts';
import { type Outcome, okUnless, type Problem, startOf } from '../model/problem.ts';
import { proofsFolder } from '../model/repository-paths.ts';
import { calendarDay, dnsDomain } from '../text/common-fields.ts';
import { holderOfHostnames, portableName } from './hostname-file.ts';

/** A file under `leases/proofs/`: the proof of one holder for one domain. */
export const domainProofSchema = z
  .strictObject({
    apiVersion: z.literal('leasehold.dev/v1'),
    kind: z.literal('DomainProof'),
    domain: dnsDomain
      .regex(/\./, 'expected a domain of two labels or more')
      .describe('The domain; the proof counts for it and all names below it.'),
    holder: holderOfHostnames.describe('The holder that the TXT record of the domain names.'),
    checked: calendarDay('FIELD_VALUE').describe(
      'The day on which leasehold prove last saw the TXT record, UTC.',
    ),
  })
  .describe('The proof that a holder controls a domain. leasehold prove writes it.');

/**
 * The file of a proof, from the repository root: `leases/proofs/<holder>/<domain>.yaml`. A label
 * that is the name of a Windows device ends in `_`.
 */
export function domainProofPath({
  holder,
  domain,
}: Pick<DomainProof, 'holder' | 'domain'>): string {
  const folders = holder.split('/').map(portableName);
  const file = domain.split('.').map(portableName).join('.');
  return `${[proofsFolder, ...folders].join('/')}/${file}.yaml`;
}

/** Prints the canonical text of a proof: equal proofs give equal bytes. */
export function printDomainProof({ domain, holder, checked }: DomainProof): string {
  return `apiVersion: leasehold.dev/v1\nkind: DomainProof\ndomain: '${domain}'\nholder: ${holder}\nchecked: ${checked}\n`;
}

/**
 * Reads a proof. Problems: those of {@link readKind}, DNS_INVALID, and FIELD_VALUE for a file that
 * does not belong to its holder and domain.
 */
export function readDomainProof(file: string, bytes: Uint8Array): Outcome<DomainProof> {
  const read = readKind(file, bytes, { kind: 'DomainProof', schema: domainProofSchema });
  if (!read.ok) return read;
  const { written, document } = read.value;
  const { domain, holder, checked } = written;
  const path = domainProofPath({ domain, holder });
  const message = `the file does not belong to ${domain} of ${holder}, expected ${path}`;
  const at = document.at(['domain']);
  const hint = `remove it, and run \`leasehold prove ${domain} --holder ${holder}\``;
  const misplaced: Problem[] = file === path ? [] : [{ code: 'FIELD_VALUE', message, at, hint }];
  return okUnless(misplaced, { domain, holder, checked, at: startOf(file) });
}
