import type { Commit, Commits } from '../../core/interfaces/commits.ts';
import { EnvironmentError, type Outcome, ok } from '../../core/model/problem.ts';
import { distFolder } from '../../core/model/repository-paths.ts';
import { check } from '../../core/run/synth/check.ts';
import { committedHistory } from '../../core/tree/workspace.ts';
import {
  addCommit,
  type CommitContext,
  type CommitStep,
  commitMessage,
  trailerOf,
} from '../../lib/branch/branch-commit.ts';
import type { RemoteBranch } from '../../lib/branch/remote-branch.ts';
import type { PublishedBranch } from './bot-answer.ts';

/** The trailer of a published commit with the id of its source commit. */
const sourceTrailer = 'Leasehold-Source';

/** The dependencies of a publish run, with the branch of each cluster. */
export interface Publishing extends Omit<CommitContext, 'branch'> {
  readonly commits: Commits;
  readonly branchFor: (cluster: string) => RemoteBranch;
}

/** The clusters of a valid commit. Problems: those of check. */
export async function publishable(
  commits: Commits,
  source: Commit,
): Promise<Outcome<readonly string[]>> {
  const tree = await commits.tree(source.id);
  const outcome = await check(tree, committedHistory(tree));
  if (!outcome.ok) return outcome;
  return ok(outcome.value.workspace.pools.clusters.map(({ name }) => name));
}

/**
 * Publishes the manifests of a cluster from a valid commit to the root of a separate branch: one
 * commit, whose trailers name the source. Refuses a branch with other commits on top, and a source
 * that is an ancestor of the published one.
 */
export async function publishCluster(
  { commits, branchFor, ...context }: Publishing,
  source: Commit,
  cluster: string,
): Promise<Omit<PublishedBranch, 'cluster' | 'branch'>> {
  const branch = branchFor(cluster);
  const tree = await branch.treeOf(source.id, `${distFolder}/${cluster}`);
  if (tree === undefined) throw new EnvironmentError(`${distFolder}/${cluster} is not committed`);
  const ended = await addCommit<string | undefined>(
    { ...context, branch },
    async (head): Promise<CommitStep<string | undefined>> => {
      const nothing = { kind: 'nothing', value: undefined } as const;
      if (head !== undefined && (await branch.treeOf(head)) === tree) return nothing;
      const reason = head && (await refusal({ commits, branch, head, source }));
      if (reason) return { kind: 'nothing', value: reason };
      const draft = { tree, parent: head, message: messageOf(source, cluster) };
      return { kind: 'commit', draft, value: undefined };
    },
  );
  const reason = ended.kind === 'done' ? ended.value : undefined;
  if (reason !== undefined) return { result: 'refused', reason };
  if (ended.kind === 'done' && ended.commit !== undefined) {
    return { result: 'pushed', commit: ended.commit };
  }
  return { result: 'unchanged' };
}

/** The reason why the source cannot be published on top of a branch's head. */
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
    return `its last commit ${short(head)} was not made by \`leasehold publish\`: name another branch, or delete this one`;
  }
  if (published === source.id || !(await branch.fetch(published))) return undefined;
  if ((await branch.comesFrom(published, source.id)) !== true) return undefined;
  return `it already has ${short(published)}, which descends from ${short(source.id)}: to go back, revert in a new commit and publish that`;
}

/** Argo CD shows the source of a commit from its trailers `Argocd-reference-commit-*`. */
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
