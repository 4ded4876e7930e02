import { mergeNotice } from '../features/merge/unmerged.ts';
import { allocationsFolder } from '../model/folders.ts';
import type { Problem } from '../model/problem.ts';
import { plain } from '../text/print/plain.ts';
import { isInWorkTree } from '../world/git/git.ts';
import { openRepository } from '../world/git/git-repository.ts';
import { reportProblems } from './failure.ts';
import type { World } from './world.ts';

/**
 * Prints the problems of the working tree at root and returns their exit status. When a merge, a rebase or the like is under
 * way and may be the cause, that is printed first. Otherwise the problems get the command that takes back an edit of the
 * files that leasehold alone writes. Git is asked only here, after a run has failed.
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

/**
 * True for a problem that comes of an edit in the folders that leasehold alone writes: a record that cannot be read, or one
 * that is not what the manifests say.
 */
function isWrittenByHand({ code, at, hint }: Problem): boolean {
  if (hint !== undefined) return false;
  if (code === 'ALLOCATION_LOST') return true;
  return (
    at.file.startsWith(`${allocationsFolder}/`) && /^(?:ALLOCATION_INVALID|FIELD_|YAML_)/.test(code)
  );
}

/** Problems with the command that takes back what was written by hand. */
async function mendable(root: string, problems: readonly Problem[]): Promise<readonly Problem[]> {
  if (!isInWorkTree(root) || !problems.some(isWrittenByHand)) return problems;
  const hint = await restoreHint(root);
  if (hint === undefined) return problems;
  return problems.map((problem) => (isWrittenByHand(problem) ? { ...problem, hint } : problem));
}

async function restoreHint(root: string): Promise<string | undefined> {
  try {
    const sound = await openRepository(root).soundState();
    if (sound === undefined) return undefined;
    const command = `git restore --source=${sound.commit} --staged --worktree ${sound.folders.join(' ')}`;
    return `take back what was not written by leasehold: ${command}, then run leasehold synth`;
  } catch {
    return undefined;
  }
}

/** Undefined when no merge is under way or git fails: the problems are printed anyway. */
async function noticeOf(root: string, problems: readonly Problem[]): Promise<string | undefined> {
  if (!isInWorkTree(root)) return undefined;
  try {
    return mergeNotice(await openRepository(root).merging.state(), problems);
  } catch {
    return undefined;
  }
}
