import type { FaultyCommit, SignatureReport } from '../../model/signatures.ts';
import type { CommitLog, SignedCommit } from '../ports/commit-log.ts';
import type { Commits } from '../ports/commits.ts';

/** Which commits are judged, and by whom they may be signed. */
export interface HistoryToVerify {
  /** A ref whose commits are trusted already; undefined trusts none. */
  readonly base: string | undefined;
  readonly head: string;
  /** The absolute path of a file of allowed signers, which must not come from what is judged. */
  readonly allowedSigners: string;
  /** Passes a merge in which every file is as one of its parents has it. */
  readonly passCleanMerges: boolean;
}

/**
 * Judges the signature of every commit of a range that touched `leases/` or `dist/`.
 */
export async function verifyHistory(
  { commits, log }: { readonly commits: Commits; readonly log: CommitLog },
  { base, head, allowedSigners, passCleanMerges }: HistoryToVerify,
): Promise<SignatureReport> {
  const to = await commits.resolve(head);
  const from = base === undefined ? undefined : await commits.resolve(base);
  const signed = await log.signed({ base: from?.id, head: to.id }, allowedSigners);
  const faulty: FaultyCommit[] = [];
  let passed = 0;
  for (const one of signed) {
    const fault = faultOf(one);
    if (!fault) continue;
    if (passCleanMerges && one.isCleanMerge) passed += 1;
    else faulty.push(fault);
  }
  return { commits: signed.length, faulty, passed };
}

function faultOf({ commit, fault, key }: SignedCommit): FaultyCommit | undefined {
  if (fault === undefined) return undefined;
  const { id, at, author, message } = commit;
  const subject = message.split('\n', 1)[0] ?? '';
  return { commit: id, at, author, subject, fault, ...(key ? { key } : {}) };
}
