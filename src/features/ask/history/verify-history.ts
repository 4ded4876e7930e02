import { readPolicy } from '../../../declarations/policy-file.ts';
import { allocationsFolder, policyPath } from '../../../model/folders.ts';
import { type Policy, partyText, tenantsOf } from '../../../model/policy.ts';
import type { FaultyCommit, SignatureReport } from '../../../model/signatures.ts';
import type { CommitLog, LoggedCommit, SignedCommit } from '../../../ports/commit-log.ts';
import type { Commits } from '../../../ports/commits.ts';
import { columns } from '../../../text/print/columns.ts';
import { plain } from '../../../text/print/plain.ts';

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

/** By what the signer of a commit is judged, and what the commit changes. */
export interface JudgedCommit {
  readonly policy: Policy | 'unreadable';
  /** The files of `leases/` that it changes by itself, without the allocations: those follow from the others. */
  readonly files: readonly string[];
}

/**
 * The commits that a policy judges, by object name: that of their first parent. A commit that was begun before the
 * base of the range is judged by the base's, so that nobody gets around a policy by building on what was before it.
 */
export async function judgedCommits(
  log: CommitLog,
  signed: readonly SignedCommit[],
  { base, head }: { readonly base: string | undefined; readonly head: string },
): Promise<ReadonlyMap<string, JudgedCommit>> {
  const commits = signed.map(({ commit }) => commit);
  const parents = await policiesOf(log, commits.flatMap(firstParent));
  const ofBase = base === undefined ? undefined : (await policiesOf(log, [base])).get(base);
  const late = base !== undefined && ofBase ? await log.descending(base, head) : undefined;
  const policyOf = (commit: LoggedCommit): JudgedCommit['policy'] | undefined => {
    if (ofBase && late?.has(commit.id) === false) return ofBase;
    const [parent] = firstParent(commit);
    return parent === undefined ? undefined : parents.get(parent);
  };
  const own = await log.ownFiles(commits.filter((commit) => policyOf(commit) !== undefined));
  return new Map(
    commits.flatMap((commit): [string, JudgedCommit][] => {
      const policy = policyOf(commit);
      const files = (own.get(commit.id) ?? []).filter(
        (file) => !file.startsWith(`${allocationsFolder}/`),
      );
      return policy ? [[commit.id, { policy, files }]] : [];
    }),
  );
}

/** Whose signer a commit lacks, each once; none when the operators or all whose files it changes have signed. */
export function missingSigners(
  policy: Policy,
  files: readonly string[],
  signer: string | undefined,
): readonly string[] {
  const signs = (signers: readonly string[]): boolean =>
    signer !== undefined && signers.includes(signer);
  if (signs(policy.operators.signers)) return [];
  const missing = files
    .map((file) => tenantsOf(policy, file))
    .filter((tenants) => !tenants.some(({ signers }) => signs(signers)));
  return [...new Set(missing.map(partyText))];
}

function firstParent({ parents }: LoggedCommit): readonly string[] {
  return parents.slice(0, 1);
}

/** The policies of some commits that have one. Commits in a row mostly have the same. */
async function policiesOf(
  log: CommitLog,
  ids: readonly string[],
): Promise<ReadonlyMap<string, JudgedCommit['policy']>> {
  const commits = [...new Set(ids)];
  const contents = await log.contents(commits, policyPath);
  const read = new Map<string, JudgedCommit['policy']>();
  const policies = new Map<string, JudgedCommit['policy']>();
  for (const [index, commit] of commits.entries()) {
    const bytes = contents[index];
    if (bytes === undefined) continue;
    const text = Buffer.from(bytes).toString('latin1');
    const policy = read.get(text) ?? policyIn(bytes);
    read.set(text, policy);
    policies.set(commit, policy);
  }
  return policies;
}

/** Names of clusters, zones and pools say nothing of signatures, and the pools are not looked at. */
function policyIn(bytes: Uint8Array): JudgedCommit['policy'] {
  const policy = readPolicy(policyPath, bytes, undefined);
  return policy.ok ? policy.value : 'unreadable';
}

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
