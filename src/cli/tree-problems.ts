import { mergeNotice } from '../app/merge/merge-notice.ts';
import { isInWorkTree } from '../io/git/git.ts';
import { gitMergeState } from '../io/git/git-merge-state.ts';
import type { Problem } from '../model/problem.ts';
import { plain } from '../report/plain.ts';
import { reportProblems } from './failure.ts';
import type { World } from './world.ts';

/**
 * Prints the problems of the working tree at root and gives their exit status. First it says what merge, rebase or the like the
 * tree is in the middle of, if that has a part in them: git is asked only here, once a run has failed.
 */
export async function reportTreeProblems(
  world: World,
  root: string,
  problems: readonly Problem[],
): Promise<number> {
  const notice = await noticeOf(root, problems);
  if (notice !== undefined) world.err(`leasehold: ${plain(notice)}\n`);
  return reportProblems(world, problems);
}

/** None where git does not tell: the problems are what was asked for. */
async function noticeOf(root: string, problems: readonly Problem[]): Promise<string | undefined> {
  if (!isInWorkTree(root)) return undefined;
  try {
    return mergeNotice(await gitMergeState(root).state(), problems);
  } catch {
    return undefined;
  }
}
