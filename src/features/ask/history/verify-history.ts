import { readPolicy } from '../../../core/declarations/policy-file.ts';
import type {
  CommitLog,
  FaultyCommit,
  LoggedCommit,
  SignatureReport,
  SignedCommit,
} from '../../../core/interfaces/commit-log.ts';
import type { Commits } from '../../../core/interfaces/commits.ts';
import { type Policy, partyText, tenantsOf } from '../../../core/model/policy.ts';
import { counted } from '../../../core/model/problem.ts';
import { isRecordPath, policyPath } from '../../../core/model/repository-paths.ts';
import { csvText } from '../../../core/text/print/escape.ts';
import { type Column, type TableStyle, tableText } from '../../../core/text/print/table.ts';

interface VerifyHistoryOptions {
  /** A ref whose commits are already trusted; undefined trusts none. */
  readonly base: string | undefined;
  readonly head: string;
  /** The absolute path of an allowed signers file. It must not come from the verified commits. */
  readonly allowedSigners: string;
  /** Accepts unsigned merges in which every file equals that of a parent. */
  readonly passCleanMerges: boolean;
}

/**
 * Verifies the signature of every commit of a range that touches `leases/` or `dist/`. With a
 * policy, the signer must be an operator, or a signer of each tenant whose files in `leases/` the
 * commit changes.
 */
export async function verifyHistory(
  { commits, log }: { readonly commits: Commits; readonly log: CommitLog },
  { base, head, allowedSigners, passCleanMerges }: VerifyHistoryOptions,
): Promise<SignatureReport> {
  const to = await commits.resolve(head);
  const from = base === undefined ? undefined : await commits.resolve(base);
  const range = { base: from?.id, head: to.id };
  const signed = await log.signed(range, allowedSigners);
  const requirements = await signingRequirements(log, signed, range);
  const faulty: FaultyCommit[] = [];
  let passed = 0;
  for (const one of signed) {
    const requirement = requirements.get(one.commit.id);
    const fault = faultOf(one, requirement);
    if (!fault) continue;
    // A merge that reverts a file to the version of one parent changes it.
    const isCleanMerge = one.isCleanMerge && (requirement?.files.length ?? 0) === 0;
    if (passCleanMerges && isCleanMerge) passed += 1;
    else faulty.push(fault);
  }
  return { commits: signed.length, faulty, passed };
}

function faultOf(
  one: SignedCommit,
  requirement: SigningRequirement | undefined,
): FaultyCommit | undefined {
  const { id, at, author, message } = one.commit;
  const named = { commit: id, at, author, subject: message.split('\n', 1)[0] ?? '' };
  const { fault, key, signer } = one;
  if (fault !== undefined) return { ...named, fault, ...(key ? { key } : {}) };
  if (!requirement || requirement.files.length === 0) return undefined;
  if (requirement.policy === 'unreadable') return { ...named, fault: 'unreadable policy' };
  const missing = missingSigners(requirement.policy, requirement.files, signer);
  if (missing.length === 0) return undefined;
  return { ...named, fault: 'not theirs', missing, ...(signer === undefined ? {} : { signer }) };
}

/** The policy that applies to a commit, and the files it changes. */
interface SigningRequirement {
  readonly policy: Policy | 'unreadable';
  /** The files of `leases/` that the commit itself changes, without derived allocation files. */
  readonly files: readonly string[];
}

/**
 * Returns by object name the commits that a policy applies to: the policy of their first parent.
 * For a commit that does not descend from the base of the range it is the policy of the base, so
 * that building on older commits cannot bypass a policy.
 */
async function signingRequirements(
  log: CommitLog,
  signed: readonly SignedCommit[],
  { base, head }: { readonly base: string | undefined; readonly head: string },
): Promise<ReadonlyMap<string, SigningRequirement>> {
  const commits = signed.map(({ commit }) => commit);
  const parents = await policiesOf(log, commits.flatMap(firstParent));
  const ofBase = base === undefined ? undefined : (await policiesOf(log, [base])).get(base);
  const late = base !== undefined && ofBase ? await log.descending(base, head) : undefined;
  const policyOf = (commit: LoggedCommit): SigningRequirement['policy'] | undefined => {
    if (ofBase && late?.has(commit.id) === false) return ofBase;
    const [parent] = firstParent(commit);
    return parent === undefined ? undefined : parents.get(parent);
  };
  const own = await log.ownFiles(commits.filter((commit) => policyOf(commit) !== undefined));
  return new Map(
    commits.flatMap((commit): [string, SigningRequirement][] => {
      const policy = policyOf(commit);
      const files = (own.get(commit.id) ?? []).filter((file) => !isRecordPath(file));
      return policy ? [[commit.id, { policy, files }]] : [];
    }),
  );
}

/**
 * Returns the tenants whose signature is missing; none when an operator or all of them signed, or
 * when the policy names no signers at all.
 */
function missingSigners(
  policy: Policy,
  files: readonly string[],
  signer: string | undefined,
): readonly string[] {
  const signs = (signers: readonly string[]): boolean =>
    signer !== undefined && signers.includes(signer);
  const parties = [policy.operators, ...policy.tenants];
  if (signs(policy.operators.signers) || parties.every(({ signers }) => signers.length === 0)) {
    return [];
  }
  const missing = files
    .map((file) => tenantsOf(policy, file))
    .filter((tenants) => !tenants.some(({ signers }) => signs(signers)));
  return [...new Set(missing.map(partyText))];
}

function firstParent({ parents }: LoggedCommit): readonly string[] {
  return parents.slice(0, 1);
}

/** Returns the policies of the commits that have one. Equal files are parsed once. */
async function policiesOf(
  log: CommitLog,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SigningRequirement['policy']>> {
  const commits = [...new Set(ids)];
  const contents = await log.contents(commits, policyPath);
  const read = new Map<string, SigningRequirement['policy']>();
  const policies = new Map<string, SigningRequirement['policy']>();
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

/** The pool file is not read: names of clusters, zones and pools do not matter for signatures. */
function policyIn(bytes: Uint8Array): SigningRequirement['policy'] {
  const policy = readPolicy(policyPath, bytes, undefined);
  return policy.ok ? policy.value : 'unreadable';
}

const columns: readonly Column<FaultyCommit>[] = [
  { name: 'COMMIT', cell: ({ commit }) => commit },
  { name: 'TIME', cell: ({ at }) => at, drop: 1 },
  { name: 'REASON', cell: reasonText },
  { name: 'AUTHOR', cell: ({ author }) => author, prose: 'cut' },
  { name: 'SUBJECT', cell: ({ subject }) => subject, prose: 'cut' },
];

/** Returns a table of the commits without a valid signature; empty when there are none. */
export function faultyTable({ faulty }: SignatureReport, style: TableStyle): string {
  return faulty.length === 0 ? '' : tableText(columns, faulty, style);
}

/** Returns the same commits as CSV. */
export function faultyCsv({ faulty }: SignatureReport): string {
  const rows = faulty.map((one) => ({ ...one, time: one.at, reason: reasonText(one) }));
  return csvText('commit,time,reason,author,subject', rows);
}

/** Returns a one-line summary of the verified commits. */
export function signatureCounts({ commits, faulty, passed }: SignatureReport): string {
  if (commits === 0) return 'no commit in the range touches leases/ or dist/\n';
  const touch = counted(commits, 'commit touches', 'commits touch');
  const signed = commits - faulty.length - passed;
  const merges = passed === 0 ? '' : `, ${passed} passed as clean merges`;
  return `${touch} leases/ or dist/: ${signed} signed by an allowed signer${merges}, ${faulty.length} not\n`;
}

function reasonText({ fault, key, signer, missing }: FaultyCommit): string {
  if (missing) return `${signer ?? 'the signer'} does not sign for ${missing.join(', ')}`;
  return key === undefined ? fault : `${fault} ${key}`;
}
