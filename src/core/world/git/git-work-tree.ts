import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Commits } from '../../interfaces/commits.ts';
import type { History, MergeState, Merging, UnmergedFile } from '../../interfaces/work-tree.ts';
import { byPath, compareText } from '../../model/order.ts';
import { EnvironmentError } from '../../model/problem.ts';
import { distFolder, recordFolders } from '../../model/repository-paths.ts';
import { reasonOf } from '../system-error.ts';
import { type Git, isInWorkTree } from './git.ts';
import { firstLineOf, literal, partsIn } from './git-text.ts';

/**
 * Git's index. Without git, half a checkout cannot be told from a lease that ended: an
 * EnvironmentError.
 */
export function gitHistory(git: Git, commits: Commits): History {
  const head = async () => (isInWorkTree(git.root) ? (await git.idOf('HEAD'))?.trim() : undefined);
  return {
    async tracked(folders) {
      if (!isInWorkTree(git.root)) return undefined;
      const lines = await indexLines(git, folders);
      return [...new Set(lines.map(pathIn))].sort(compareText);
    },
    async unmerged(folders) {
      // A path can have a single version: the folder that it belongs into was renamed, or the file was.
      const lines = isInWorkTree(git.root) ? await indexLines(git, folders) : [];
      return [...new Set(lines.filter((line) => !/^\d+ [0-9a-f]+ 0\t/.test(line)).map(pathIn))];
    },
    isSparse: async () => (await git.ask(['config', '--bool', 'core.sparseCheckout'])) === 'true',
    async committed() {
      const commit = await head();
      return commit === undefined ? undefined : commits.tree(commit);
    },
    async landings(days) {
      const commit = await head();
      return commit === undefined ? new Map() : commits.landings(commit, days);
    },
  };
}

/** The path in a line of the index, such as `100644 <id> 0\tleases/pools.yaml`. */
function pathIn(line: string): string {
  return line.slice(line.indexOf('\t') + 1);
}

/**
 * Lines of the index, in git's order, with paths relative to root: one for each version of a path.
 * Includes files that a sparse checkout leaves out of the tree. Both readers ask the same, once.
 */
async function indexLines(git: Git, folders: readonly string[]): Promise<readonly string[]> {
  try {
    const output = await git.readIndex([
      'ls-files',
      '-z',
      '--stage',
      '--',
      ...folders.map(literal),
    ]);
    return partsIn(output);
  } catch (error) {
    await git.assertOpen();
    const names = folders.join(', ');
    throw new EnvironmentError(
      `git cannot list the tracked files of ${names}: ${firstLineOf(error)}`,
    );
  }
}

/**
 * Updates the index for some paths from the working tree; deleted files are removed from it. Does
 * nothing outside git.
 */
export async function addToIndex(git: Git, paths: readonly string[]): Promise<void> {
  if (!isInWorkTree(git.root)) return;
  const input = paths.map((path) => `${path}\0`).join('');
  try {
    await git.changeIndex(['update-index', '--add', '--remove', '-z', '--stdin'], { input });
  } catch (error) {
    await git.assertInstalled();
    throw new EnvironmentError(
      `the files are written, but git cannot add them to its index; run \`git add -A leases dist\`: ${firstLineOf(error)}`,
    );
  }
}

/** Folders that were changed by hand, and the commit to restore them from. */
export interface SoundState {
  /** `HEAD`, or the commit before one. */
  readonly commit: string;
  /** Some of the folders that only leasehold writes. */
  readonly folders: readonly string[];
}

const writtenFolders: readonly string[] = [...recordFolders, distFolder];

/**
 * The state of the folders that only leasehold writes, before a change by hand: HEAD
 * for folders that differ from it; otherwise the commit before the newest one that changed them.
 * Undefined when git has no commit before that, or when that commit has none of the folders.
 */
export async function soundState(git: Git): Promise<SoundState | undefined> {
  const changed = await changedFolders(git);
  if (changed.length > 0) return { commit: 'HEAD', folders: changed };
  const newest = [
    'log',
    '-1',
    '--no-show-signature',
    '--format=%h %P',
    '--',
    ...writtenFolders.map(literal),
  ];
  const [id, parent] = (await git.read(newest)).trim().split(' ');
  if (!parent) return undefined;
  // git refuses to restore a folder that the commit does not have.
  const present = await git.read(['ls-tree', '-d', '--name-only', parent, ...writtenFolders]);
  const folders = writtenFolders.filter((folder) => present.split('\n').includes(folder));
  return folders.length > 0 ? { commit: `${id}~1`, folders } : undefined;
}

/** Folders in which a tracked file differs from HEAD. */
async function changedFolders(git: Git): Promise<readonly string[]> {
  // Without optional locks, git does not refresh the index file.
  const command = ['--no-optional-locks', 'status', '--porcelain', '-z', '--no-renames'];
  const output = await git.read([
    ...command,
    '--untracked-files=no',
    '--',
    ...writtenFolders.map(literal),
  ]);
  const paths = output.split('\0').map((line) => line.slice(3));
  return writtenFolders.filter((folder) => paths.some((path) => path.includes(`${folder}/`)));
}

/** The merge, rebase or the like that is in progress. Only `stage` writes, to the index. */
export function gitMergeState(git: Git): Merging {
  return {
    async state() {
      return { ...(await underWay(git)), unmerged: await unmergedFiles(git) };
    },
    stage: (folders) => stage(git, folders),
  };
}

/** The content of a commit made now. */
export interface CheckedOut {
  /** The short name of the branch; undefined for a detached HEAD. */
  readonly branch: string | undefined;
  /** The commits that are being merged into HEAD. */
  readonly merged: readonly string[];
}

/** The checked-out branch. Starts git once. An EnvironmentError without a commit. */
export async function checkedOut(git: Git): Promise<CheckedOut> {
  const command = ['rev-parse', '--absolute-git-dir', '--symbolic-full-name', 'HEAD'];
  const [folder = '', ref = ''] = (await git.read(command)).split('\n');
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1];
  return { branch, merged: linesOf(folder, 'MERGE_HEAD') };
}

type UnderWay = Omit<MergeState, 'unmerged'>;

async function underWay(git: Git): Promise<UnderWay> {
  const folder = (await git.run(['rev-parse', '--absolute-git-dir'])).trim();
  const onto = linesOf(folder, 'rebase-merge/onto')[0] ?? rebaseOfPatches(folder);
  const merged = linesOf(folder, 'MERGE_HEAD');
  if (merged.length > 0) return { unfinished: 'merge', incoming: merged, onto };
  const [rebased, picked, reverted] = await idsOf(git, pickedHeads);
  if (onto !== undefined) return { unfinished: 'rebase', incoming: listOf(rebased), onto };
  if (picked !== undefined) return { unfinished: 'cherry-pick', incoming: [picked], onto };
  if (reverted !== undefined) return { unfinished: 'revert', incoming: [reverted], onto };
  const squashed = squashedCommit(folder);
  if (squashed !== undefined) return { unfinished: 'squash', incoming: [squashed], onto };
  return { unfinished: undefined, incoming: [], onto };
}

const pickedHeads = ['REBASE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'];

function listOf(id: string | undefined): readonly string[] {
  return id === undefined ? [] : [id];
}

/** The target of `git rebase --apply`. `git am` uses the same folder and has no target. */
function rebaseOfPatches(folder: string): string | undefined {
  if (!existsSync(join(folder, 'rebase-apply/rebasing'))) return undefined;
  return linesOf(folder, 'rebase-apply/onto')[0];
}

/** The other side of `git merge --squash`: its message lists the commits, newest first. */
function squashedCommit(folder: string): string | undefined {
  const lines = linesOf(folder, 'SQUASH_MSG');
  return lines.flatMap((line) => /^commit ([0-9a-f]{40,64})$/.exec(line)?.[1] ?? [])[0];
}

/** The lines of a file in git's folder; none when it is missing. */
function linesOf(folder: string, name: string): string[] {
  const path = join(folder, name);
  if (!existsSync(path)) return [];
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch (error) {
    throw new EnvironmentError(`git's file ${name} cannot be read: ${reasonOf(error)}`);
  }
}

/** Each path once, in order. */
async function unmergedFiles(git: Git): Promise<readonly UnmergedFile[]> {
  const output = await git.run(['ls-files', '--unmerged', '-z']);
  const files = new Map<string, UnmergedFile>();
  for (const line of output.split('\0')) {
    const [, mode, stage, path] = /^(\d{6}) [0-9a-f]+ (\d)\t(.+)$/s.exec(line) ?? [];
    if (mode === undefined || path === undefined) continue;
    const former = files.get(path);
    const isSubmodule = mode === '160000' || (former?.isSubmodule ?? false);
    files.set(path, { path, isSubmodule, stages: [...(former?.stages ?? []), Number(stage)] });
  }
  return [...files.values()].sort(byPath);
}

/** The commits of some refs, in their order; undefined for a ref without one. */
async function idsOf(git: Git, refs: readonly string[]): Promise<readonly (string | undefined)[]> {
  const input = refs.map((ref) => `${ref}^{commit}\n`).join('');
  const lines = (await git.run(['cat-file', '--batch-check'], { input })).split('\n');
  return refs.map((_, index) => /^([0-9a-f]+) commit \d+$/.exec(lines[index] ?? '')?.[1]);
}

async function stage(git: Git, folders: readonly string[]): Promise<void> {
  const tracked = (await git.run(['ls-files', '-z', '--', ...folders.map(literal)])).split('\0');
  const there = folders.filter(
    (folder) =>
      existsSync(join(git.root, folder)) ||
      tracked.some((path) => `${path}/`.startsWith(`${folder}/`)),
  );
  if (there.length === 0) return;
  try {
    await git.changeIndex(['add', '--all', '--', ...there.map(literal)]);
  } catch (error) {
    throw new EnvironmentError(
      `the files are written, but git cannot add them to its index; run \`git add -A ${folders.join(' ')}\`: ${firstLineOf(error)}`,
    );
  }
}
