import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareText } from '../../model/order.ts';
import { EnvironmentError } from '../../model/problem.ts';
import type { MergeState, Merging, UnmergedFile } from '../../ports/merge-state.ts';
import { reasonOf } from '../system-error.ts';
import { firstLine, quietGit } from './git.ts';
import { ask } from './git-commits.ts';

/**
 * The merge, rebase or the like that the repository around root is in the middle of, which must be one
 * that gitCommits reads. Writes nothing but the index, and that only in `stage`.
 */
export function gitMergeState(root: string): Merging {
  return {
    async state() {
      return { ...(await underWay(root)), unmerged: await unmergedFiles(root) };
    },
    stage: (folders) => stage(root, folders),
  };
}

/** What a commit made now would be made of. */
export interface CheckedOut {
  /** The short name of the branch; undefined for none. */
  readonly branch: string | undefined;
  /** The commits that a merge is bringing to HEAD; none without one. */
  readonly merged: readonly string[];
}

/** What is checked out in the repository around root, which has a commit. Asks git once. */
export async function checkedOut(root: string): Promise<CheckedOut> {
  const command = ['rev-parse', '--absolute-git-dir', '--symbolic-full-name', 'HEAD'];
  const [folder = '', ref = ''] = (await quietGit(root).raw(command)).split('\n');
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1];
  return { branch, merged: linesOf(folder, 'MERGE_HEAD') };
}

type UnderWay = Omit<MergeState, 'unmerged'>;

async function underWay(root: string): Promise<UnderWay> {
  const folder = (await quietGit(root).raw(['rev-parse', '--absolute-git-dir'])).trim();
  const onto = linesOf(folder, 'rebase-merge/onto')[0] ?? rebaseOfPatches(folder);
  const merged = linesOf(folder, 'MERGE_HEAD');
  if (merged.length > 0) return { unfinished: 'merge', incoming: merged, onto };
  if (onto !== undefined) return picking(root, 'rebase', { ref: 'REBASE_HEAD', onto });
  for (const [unfinished, ref] of picks) {
    const state = await picking(root, unfinished, { ref, onto });
    if (state.incoming.length > 0) return state;
  }
  const squashed = squashedCommit(folder);
  if (squashed !== undefined) return { unfinished: 'squash', incoming: [squashed], onto };
  return { unfinished: undefined, incoming: [], onto };
}

const picks = [
  ['cherry-pick', 'CHERRY_PICK_HEAD'],
  ['revert', 'REVERT_HEAD'],
] as const;

async function picking(
  root: string,
  unfinished: UnderWay['unfinished'],
  { ref, onto }: { readonly ref: string; readonly onto: string | undefined },
): Promise<UnderWay> {
  const id = await idOf(root, ref);
  return { unfinished, incoming: id === undefined ? [] : [id], onto };
}

/** What `git rebase --apply` builds on; `git am` has the same folder, and builds on nothing. */
function rebaseOfPatches(folder: string): string | undefined {
  if (!existsSync(join(folder, 'rebase-apply/rebasing'))) return undefined;
  return linesOf(folder, 'rebase-apply/onto')[0];
}

/** The other side of `git merge --squash`: its message lists the commits, the last one first. */
function squashedCommit(folder: string): string | undefined {
  const lines = linesOf(folder, 'SQUASH_MSG');
  return lines.flatMap((line) => /^commit ([0-9a-f]{40,64})$/.exec(line)?.[1] ?? [])[0];
}

/** The lines of a file of git's own folder; none when it is not there. */
function linesOf(folder: string, name: string): string[] {
  const path = join(folder, name);
  if (!existsSync(path)) return [];
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch (error) {
    throw new EnvironmentError(`git's file ${name} cannot be read: ${reasonOf(error)}`);
  }
}

/** Each path once, whatever its versions are. */
async function unmergedFiles(root: string): Promise<readonly UnmergedFile[]> {
  const output = await quietGit(root).raw(['ls-files', '--unmerged', '-z']);
  const files = new Map<string, UnmergedFile>();
  for (const line of output.split('\0')) {
    const [, mode, path] = /^(\d{6}) [0-9a-f]+ \d\t(.+)$/s.exec(line) ?? [];
    if (mode === undefined || path === undefined) continue;
    const isSubmodule = mode === '160000' || (files.get(path)?.isSubmodule ?? false);
    files.set(path, { path, isSubmodule });
  }
  return [...files.values()].sort((left, right) => compareText(left.path, right.path));
}

async function idOf(root: string, ref: string): Promise<string | undefined> {
  const command = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  return (await ask(root, command))?.trim();
}

async function stage(root: string, folders: readonly string[]): Promise<void> {
  const there: string[] = [];
  for (const folder of folders) {
    const tracked = await quietGit(root).raw(['ls-files', '-z', '--', `:(literal)${folder}`]);
    if (tracked !== '' || existsSync(join(root, folder))) there.push(`:(literal)${folder}`);
  }
  if (there.length === 0) return;
  try {
    await quietGit(root).raw(['add', '--all', '--', ...there]);
  } catch (error) {
    throw new EnvironmentError(
      `the files are written, but git does not take them into its index; run git add -A ${folders.join(' ')}: ${firstLine(error)}`,
    );
  }
}
