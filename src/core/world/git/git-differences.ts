import type { LoggedCommit } from '../../interfaces/commit-log.ts';
import { addToGroup } from '../../model/order.ts';
import { leasesFolder } from '../../model/repository-paths.ts';
import type { Git } from './git.ts';
import { linesOf, partsIn } from './git-text.ts';

/**
 * A file that differs between two trees, with its object in each; undefined where it is missing.
 */
export interface RawDifference {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The modes of both sides, as git writes them. */
  readonly modes: readonly [before: string, after: string];
}

/**
 * Options for output that {@link rawDifferences} parses: `:<mode> <mode> <id> <id> <letter>`, path.
 */
export const rawFormat = ['--raw', '-z', '--no-abbrev', '--no-renames'] as const;

/** Parses the files from a field on; `end` is the index of the first field after them. */
export function rawDifferences(
  fields: readonly string[],
  start: number,
): { readonly files: readonly RawDifference[]; readonly end: number } {
  const files: RawDifference[] = [];
  let index = start;
  for (;;) {
    const found = /^\n?:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]/.exec(fields[index] ?? '');
    if (!found) return { files, end: index };
    const [, old = '', now = '', before = '', after = ''] = found;
    files.push({
      path: fields[index + 1] ?? '',
      before: realId(before),
      after: realId(after),
      modes: [old, now],
    });
    index += 2;
  }
}

/** Git writes zeros for a missing object. */
function realId(id: string): string | undefined {
  return /^0+$/.test(id) ? undefined : id;
}

/**
 * The names, relative to root, that some commits change below folders, by commit. `options` of
 * diff-tree choose the parents to compare with and whether to recurse (`-r`).
 */
export async function changedFiles(
  git: Git,
  ids: readonly string[],
  options: readonly string[],
  folders: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const changed = new Map<string, string[]>();
  if (ids.length === 0) return changed;
  const command = ['diff-tree', '--stdin', ...options, ...nameOnly, '--', ...folders];
  const output = await git.read(command, { input: linesOf(ids) });
  // Each commit is followed by the changed names, if there are any.
  let commit: string | undefined;
  for (const part of partsIn(output)) {
    const id = commitLine.exec(part)?.[1];
    if (id !== undefined) commit = id;
    else if (commit !== undefined) addToGroup(changed, commit, part);
  }
  return changed;
}

/**
 * The files of `leases/` that some commits change themselves, by commit. A merge changes a file
 * when it differs from both parents, when both had changed it, or when it lacks the change of one.
 * A merge of more than two parents, or with several merge bases, changes every file that differs
 * from any parent.
 */
export async function ownFiles(
  git: Git,
  commits: readonly LoggedCommit[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const single = commits.filter(({ parents }) => parents.length < 2).map(({ id }) => id);
  const own = new Map(await changedFiles(git, single, ['-r', '--root'], [leasesFolder]));
  for (const { id, parents } of commits) {
    if (parents.length > 1) own.set(id, await ownOfMerge(git, id, parents));
  }
  return own;
}

async function ownOfMerge(
  git: Git,
  merge: string,
  parents: readonly string[],
): Promise<readonly string[]> {
  const fromParents: ReadonlySet<string>[] = [];
  for (const parent of parents) fromParents.push(await between(git, parent, merge));
  const all = [...new Set(fromParents.flatMap((files) => [...files]))];
  const base = await onlyBase(git, parents);
  if (base === undefined) return all;
  const sides: ReadonlySet<string>[] = [];
  for (const parent of parents) sides.push(await between(git, base, parent));
  return all.filter((file) => {
    const changing = sides.flatMap((files, index) => (files.has(file) ? [index] : []));
    const [side, ...others] = changing;
    const isTaken = side !== undefined && others.length === 0 && !fromParents[side]?.has(file);
    return !isTaken;
  });
}

/** The merge base of two parents, if there is exactly one. */
async function onlyBase(git: Git, parents: readonly string[]): Promise<string | undefined> {
  if (parents.length !== 2) return undefined;
  const output = (await git.ask(['merge-base', '--all', ...parents])) ?? '';
  const [base, ...others] = output.trim().split('\n');
  return others.length === 0 && base !== '' ? base : undefined;
}

async function between(git: Git, from: string, to: string): Promise<ReadonlySet<string>> {
  const output = await git.read(['diff-tree', '-r', ...nameOnly, from, to, '--', leasesFolder]);
  return new Set(partsIn(output));
}

const nameOnly = ['--no-renames', '--name-only', '-z', '--relative'] as const;

const commitLine = /^([0-9a-f]{40,64})(?: \(from [0-9a-f]+\))?\n?$/;
