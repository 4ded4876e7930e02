import type { FaultyCommit, SignatureReport } from '../../../model/signatures.ts';
import type { CommitLog, SignedCommit } from '../../../ports/commit-log.ts';
import type { Commits } from '../../../ports/commits.ts';
import { type JudgedCommit, judgedCommits, missingSigners } from './signing-policy.ts';

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
 * Judges the signature of every commit of a range that touched `leases/` or `dist/`. Where there is a policy, the
 * signer must be the operators', or sign for each tenant whose files of `leases/` the commit changes.
 */
export async function verifyHistory(
  { commits, log }: { readonly commits: Commits; readonly log: CommitLog },
  { base, head, allowedSigners, passCleanMerges }: HistoryToVerify,
): Promise<SignatureReport> {
  const to = await commits.resolve(head);
  const from = base === undefined ? undefined : await commits.resolve(base);
  const range = { base: from?.id, head: to.id };
  const signed = await log.signed(range, allowedSigners);
  const judged = await judgedCommits(log, signed, range);
  const faulty: FaultyCommit[] = [];
  let passed = 0;
  for (const one of signed) {
    const known = judged.get(one.commit.id);
    const fault = faultOf(one, known);
    if (!fault) continue;
    // What a merge takes back of another's change is a change, although a parent has it so.
    const isCleanMerge = one.isCleanMerge && (known?.files.length ?? 0) === 0;
    if (passCleanMerges && isCleanMerge) passed += 1;
    else faulty.push(fault);
  }
  return { commits: signed.length, faulty, passed };
}

function faultOf(one: SignedCommit, judged: JudgedCommit | undefined): FaultyCommit | undefined {
  const { id, at, author, message } = one.commit;
  const named = { commit: id, at, author, subject: message.split('\n', 1)[0] ?? '' };
  const { fault, key, signer } = one;
  if (fault !== undefined) return { ...named, fault, ...(key ? { key } : {}) };
  if (!judged || judged.files.length === 0) return undefined;
  if (judged.policy === 'unreadable') return { ...named, fault: 'unreadable policy' };
  const missing = missingSigners(judged.policy, judged.files, signer);
  if (missing.length === 0) return undefined;
  return { ...named, fault: 'not theirs', missing, ...(signer === undefined ? {} : { signer }) };
}
