import { readPolicy } from '../../../declarations/policy-file.ts';
import { allocationsFolder, policyPath } from '../../../model/folders.ts';
import { type Policy, partyText, tenantsOf } from '../../../model/policy.ts';
import type { CommitLog, LoggedCommit, SignedCommit } from '../../../ports/commit-log.ts';

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
