import type { History } from '../../app/ports/history.ts';
import type { SourceTree } from '../../app/ports/tree.ts';
import type { WatchedTree } from '../../app/ports/watched-tree.ts';
import { EnvironmentError } from '../../model/problem.ts';
import { gitCommits } from './git-commits.ts';
import { type Clone, remoteBranch } from './git-remote-branch.ts';

/** A branch of a remote, fetched into a clone at every look; neither working tree nor index matter. */
export function watchedBranch(
  clone: Clone,
  branch: string,
  historyOf: (tree: SourceTree) => History,
): WatchedTree {
  const { name, head } = remoteBranch(clone, branch);
  const found = async (): Promise<string> => {
    const commit = await head();
    if (commit === undefined) throw new EnvironmentError(`there is no branch ${name}`);
    return commit;
  };
  let newest: string | undefined;
  return {
    name,
    async fingerprint() {
      newest = await found();
      return newest;
    },
    async open() {
      // A new one each time, which keeps nothing of the files of earlier commits.
      const commits = gitCommits(clone.root);
      const commit = await commits.resolve(newest ?? (await found()));
      const tree = await commits.tree(commit.id);
      return { tree, history: historyOf(tree), commit, isUncommitted: false };
    },
  };
}
