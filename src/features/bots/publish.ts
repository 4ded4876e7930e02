import { distFolder } from '../../model/folders.ts';
import { EnvironmentError, type Outcome } from '../../model/problem.ts';
import type { Commit, Commits } from '../../ports/commits.ts';
import type { RemoteBranch } from '../../ports/remote-branch.ts';
import { committedHistory } from '../../workspace/committed-history.ts';
import { check } from '../synth/check.ts';
import { addCommit, commitMessage, type Desk, type Step, trailerOf } from './branch-commit.ts';

/** What became of one branch. */
export interface Published {
  readonly cluster: string;
  readonly branch: string;
  /** `refused`: nothing was pushed, and `reason` says why. */
  readonly result: 'pushed' | 'unchanged' | 'refused';
  /** The branch's new head. */
  readonly commit?: string;
  readonly reason?: string;
}

/** The trailer of a published commit that names the commit it was rendered in. */
const sourceTrailer = 'Leasehold-Source';

/** Where the manifests of each cluster go. */
export interface Publishing extends Omit<Desk, 'branch'> {
  readonly commits: Commits;
  readonly branchFor: (cluster: string) => RemoteBranch;
}

/** The clusters of a commit that is sound; its problems when it is not what synth gives. */
export async function publishable(
  commits: Commits,
  source: Commit,
): Promise<Outcome<readonly string[]>> {
  const tree = await commits.tree(source.id);
  const outcome = await check(tree, committedHistory(tree));
  if (!outcome.ok) return outcome;
  return { ok: true, value: outcome.value.workspace.pools.clusters.map(({ name }) => name) };
}

/**
 * Puts the manifests of a cluster, as a sound commit has them, at the top of a branch of their own: one
 * commit, whose trailers name the source. Refuses a branch that something else was pushed to, and to
 * go back to a commit that the published one comes from.
 */
export async function publishCluster(
  { commits, branchFor, ...desk }: Publishing,
  source: Commit,
  cluster: string,
): Promise<Published> {
  const branch = branchFor(cluster);
  const tree = await branch.treeOf(source.id, `${distFolder}/${cluster}`);
  if (tree === undefined) throw new EnvironmentError(`${distFolder}/${cluster} is not committed`);
  const ended = await addCommit<string | undefined>(
    { ...desk, branch },
    async (head): Promise<Step<string | undefined>> => {
      const nothing = { kind: 'nothing', value: undefined } as const;
      if (head !== undefined && (await branch.treeOf(head)) === tree) return nothing;
      const reason = head && (await refusal({ commits, branch, head, source }));
      if (reason) return { kind: 'nothing', value: reason };
      const draft = { tree, parent: head, message: messageOf(source, cluster) };
      return { kind: 'commit', draft, value: undefined };
    },
  );
  const named = { cluster, branch: branch.name };
  const reason = ended.kind === 'done' ? ended.value : undefined;
  if (reason !== undefined) return { ...named, result: 'refused', reason };
  if (ended.kind === 'done' && ended.commit !== undefined) {
    return { ...named, result: 'pushed', commit: ended.commit };
  }
  return { ...named, result: 'unchanged' };
}

/** Why a branch's head is not to be followed by a source's manifests. */
async function refusal({
  commits,
  branch,
  head,
  source,
}: {
  readonly commits: Commits;
  readonly branch: RemoteBranch;
  readonly head: string;
  readonly source: Commit;
}): Promise<string | undefined> {
  const published = trailerOf((await commits.resolve(head)).message, sourceTrailer);
  if (published === undefined || !/^[0-9a-f]{40,64}$/.test(published)) {
    return `its last commit ${short(head)} is not one of leasehold publish: name another branch, or delete this one`;
  }
  if (published === source.id || !(await branch.fetch(published))) return undefined;
  if ((await branch.comesFrom(published, source.id)) !== true) return undefined;
  return `it has ${short(published)} already, which comes after ${short(source.id)}: to go back, revert in a commit, and publish that`;
}

/** Argo CD shows where a commit comes from by its trailers `Argocd-reference-commit-*`. */
function messageOf(source: Commit, cluster: string): string {
  const [subject = ''] = source.message.split('\n', 1);
  return commitMessage({
    subject: `Publish ${cluster} of ${short(source.id)}`,
    trailers: [
      [sourceTrailer, source.id],
      ['Argocd-reference-commit-sha', source.id],
      ['Argocd-reference-commit-subject', subject],
    ],
  });
}

function short(commit: string): string {
  return commit.slice(0, 12);
}
