import type { FaultyCommit, SignatureReport } from '../../../model/signatures.ts';
import { columns } from '../../../text/print/columns.ts';
import { plain } from '../../../text/print/plain.ts';

/** The commits that nobody signed who may make them, as a table; empty when there is none. */
export function faultyTable({ faulty }: SignatureReport): string {
  if (faulty.length === 0) return '';
  const rows = faulty.map((one) => {
    const { commit, at, author, subject } = one;
    return [commit, at, reasonText(one), author, subject].map(plain);
  });
  return columns([['COMMIT', 'TIME', 'REASON', 'AUTHOR', 'SUBJECT'], ...rows]);
}

/** How many commits were looked at, and what came of it, as one sentence. */
export function signatureCounts({ commits, faulty, passed }: SignatureReport): string {
  if (commits === 0) return 'no commit of the range touches leases/ or dist/\n';
  const touch = commits === 1 ? '1 commit touches' : `${commits} commits touch`;
  const signed = commits - faulty.length - passed;
  const merges = passed === 0 ? '' : `, ${passed} passed as clean merges`;
  return `${touch} leases/ or dist/: ${signed} signed by an allowed signer${merges}, ${faulty.length} not\n`;
}

function reasonText({ fault, key, signer, missing }: FaultyCommit): string {
  if (missing) return `${signer ?? 'nobody'} does not sign for ${missing.join(', ')}`;
  return key === undefined ? fault : `${fault} ${key}`;
}
