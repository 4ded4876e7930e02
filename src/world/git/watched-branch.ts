import { EnvironmentError } from '../../model/problem.ts';
import type { History } from '../../ports/history.ts';
import type { SourceTree } from '../../ports/tree.ts';
import type { SeenTree, WatchedTree } from '../../ports/watched-tree.ts';
import { ask, gitCommits } from './git-commits.ts';
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
  const opened = async (ref: string): Promise<SeenTree> => {
    // New ones each time, which keep nothing of the files of earlier commits.
    const commits = gitCommits(clone.root);
    const commit = await commits.resolve(ref);
    const tree = await commits.tree(commit.id);
    return { tree, history: historyOf(tree), commit, isUncommitted: false };
  };
  let newest: string | undefined;
  return {
    async fingerprint() {
      newest = await found();
      return newest;
    },
    open: async () => opened(newest ?? (await found())),
    async openKept() {
      const tracking = `refs/remotes/${clone.remote}/${branch}`;
      const id = await ask(clone.root, ['rev-parse', '--verify', '--quiet', tracking]);
      return id === undefined ? undefined : opened(id.trim());
    },
  };
}
