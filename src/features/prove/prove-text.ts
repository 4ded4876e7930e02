import { proofRecordOf } from '../../core/model/domain-proof.ts';
import type { HostnameRules } from '../../core/model/pools.ts';
import { counted } from '../../core/model/problem.ts';
import { sanitize } from '../../core/text/print/escape.ts';
import { type Column, type TableStyle, tableText } from '../../core/text/print/table.ts';
import type { HostnameProofs, ProofCheck, ProvenHostname } from './prove-answer.ts';

const hostnameColumns: readonly Column<ProvenHostname>[] = [
  { name: 'HOSTNAME', cell: ({ hostname }) => hostname },
  { name: 'STATE', cell: stateText },
  { name: 'DOMAIN', cell: ({ domain }) => domain ?? '-' },
  { name: 'CHECKED', cell: ({ checked }) => checked ?? '-' },
  { name: 'HOLDER', cell: ({ holder }) => holder },
];

function stateText({ state, required }: ProvenHostname): string {
  if (state === 'proven') return state;
  const text = state === 'unanswered' ? 'no answer' : state;
  return required ? text : `${text}, not required`;
}

/** A table with a line per hostname. */
export function hostnameProofsText({ items }: HostnameProofs, style: TableStyle): string {
  if (items.length === 0) return 'no hostname is declared\n';
  return tableText(hostnameColumns, items, style);
}

/**
 * The TXT records that prove the hostnames which need a proof, or all hostnames where the pool file
 * requires none; empty without any.
 */
export function recordsToPublish(
  items: readonly ProvenHostname[],
  { proof }: Pick<HostnameRules, 'proof'>,
): string {
  const lines = items
    .filter(({ state, required }) => state !== 'proven' && (required || proof !== 'required'))
    .map((one) => `  ${sanitize(proofRecordOf(one))}\n`);
  if (lines.length === 0) return '';
  return `\npublish these records, there or at a domain above, and run \`leasehold prove\` again:\n${[...new Set(lines)].join('')}`;
}

/** The files of proofs that no declared hostname uses; empty without any. */
export function unusedProofsText(paths: readonly string[]): string {
  if (paths.length === 0) return '';
  const lines = paths.map((path) => `  ${path}\n`).join('');
  return `\nno declared hostname uses these proofs; remove those of domains that changed hands:\n${lines}`;
}

/** The sentence for proofs that all hold. */
export function proofCheckText({ checked }: ProofCheck): string {
  if (checked === 0) return 'there is no proof to check\n';
  return checked === 1 ? '1 proof holds\n' : `${counted(checked, 'proof')} hold\n`;
}
