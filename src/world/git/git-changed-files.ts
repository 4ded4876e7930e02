import { leasesFolder } from '../../model/folders.ts';
import type { LoggedCommit } from '../../ports/commit-log.ts';
import { quietGit } from './git.ts';
import { ask } from './git-commits.ts';

/**
 * What some commits change below folders of root, commit by commit, the names relative to root. `way` says how they
 * are compared with their parents, and whether folders are looked into (`-r`).
 */
export async function changedFiles(
  root: string,
  ids: readonly string[],
  way: readonly string[],
  folders: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const changed = new Map<string, string[]>();
  if (ids.length === 0) return changed;
  const command = ['diff-tree', '--stdin', ...way, ...named, '--', ...folders];
  const input = ids.map((id) => `${id}\n`).join('');
  const output = await quietGit(root, { input }).raw(command);
  // Each commit is followed by the names of what changed, if anything did.
  let commit: string | undefined;
  for (const part of output.split('\0')) {
    const id = commitLine.exec(part)?.[1];
    if (id !== undefined) commit = id;
    else if (part !== '' && commit !== undefined) {
      changed.set(commit, [...(changed.get(commit) ?? []), part]);
    }
  }
  return changed;
}

/**
 * The files of `leases/` that some commits change by themselves, by commit. A merge changes what is not what a merge
 * of its parents gives: a file that differs from both, that both had changed, or that is without what one of them had
 * changed. One of more than two parents, or of parents that have merged each other's past, changes all that differs
 * from any of them.
 */
export async function ownFiles(
  root: string,
  commits: readonly LoggedCommit[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const single = commits.filter(({ parents }) => parents.length < 2).map(({ id }) => id);
  const own = new Map(await changedFiles(root, single, ['-r', '--root'], [leasesFolder]));
  for (const { id, parents } of commits) {
    if (parents.length > 1) own.set(id, await ownOfMerge(root, id, parents));
  }
  return own;
}

async function ownOfMerge(
  root: string,
  merge: string,
  parents: readonly string[],
): Promise<readonly string[]> {
  const fromParents: ReadonlySet<string>[] = [];
  for (const parent of parents) fromParents.push(await between(root, parent, merge));
  const all = [...new Set(fromParents.flatMap((files) => [...files]))];
  const base = await onlyBase(root, parents);
  if (base === undefined) return all;
  const sides: ReadonlySet<string>[] = [];
  for (const parent of parents) sides.push(await between(root, base, parent));
  return all.filter((file) => {
    const changing = sides.flatMap((files, index) => (files.has(file) ? [index] : []));
    const [side, ...others] = changing;
    const isTaken = side !== undefined && others.length === 0 && !fromParents[side]?.has(file);
    return !isTaken;
  });
}

/** What a merge of two starts from, if that is one commit. */
async function onlyBase(root: string, parents: readonly string[]): Promise<string | undefined> {
  if (parents.length !== 2) return undefined;
  const output = (await ask(root, ['merge-base', '--all', ...parents])) ?? '';
  const [base, ...others] = output.trim().split('\n');
  return others.length === 0 && base !== '' ? base : undefined;
}

async function between(root: string, from: string, to: string): Promise<ReadonlySet<string>> {
  const output = await quietGit(root).raw([
    'diff-tree',
    '-r',
    ...named,
    from,
    to,
    '--',
    leasesFolder,
  ]);
  return new Set(output.split('\0').filter((name) => name !== ''));
}

const named = ['--no-renames', '--name-only', '-z', '--relative'] as const;

const commitLine = /^([0-9a-f]{40,64})(?: \(from [0-9a-f]+\))?\n?$/;
