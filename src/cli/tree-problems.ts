import { mergeNotice } from '../app/merge/merge-notice.ts';
import { isWrittenByHand } from '../app/synth/written-by-hand.ts';
import { isInWorkTree } from '../io/git/git.ts';
import { gitMergeState } from '../io/git/git-merge-state.ts';
import { soundState } from '../io/git/git-sound-state.ts';
import type { Problem } from '../model/problem.ts';
import { plain } from '../report/plain.ts';
import { reportProblems } from './failure.ts';
import type { World } from './world.ts';

/**
 * Prints the problems of the working tree at root and gives their exit status. First it says what merge, rebase or the like the
 * tree is in the middle of, if that has a part in them; else what takes back that somebody has written where leasehold alone does.
 * Git is asked only here, once a run has failed.
 */
export async function reportTreeProblems(
  world: World,
  root: string,
  problems: readonly Problem[],
): Promise<number> {
  const notice = await noticeOf(root, problems);
  if (notice === undefined) return reportProblems(world, await mendable(root, problems));
  world.err(`leasehold: ${plain(notice)}\n`);
  return reportProblems(world, problems);
}

/** With the command that takes back what was written by hand. */
async function mendable(root: string, problems: readonly Problem[]): Promise<readonly Problem[]> {
  if (!isInWorkTree(root) || !problems.some(isWrittenByHand)) return problems;
  const hint = await restoreHint(root);
  if (hint === undefined) return problems;
  return problems.map((problem) => (isWrittenByHand(problem) ? { ...problem, hint } : problem));
}

async function restoreHint(root: string): Promise<string | undefined> {
  try {
    const sound = await soundState(root);
    if (sound === undefined) return undefined;
    const command = `git restore --source=${sound.commit} --staged --worktree ${sound.folders.join(' ')}`;
    return `take back what was not written by leasehold: ${command}, then run leasehold synth`;
  } catch {
    return undefined;
  }
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
