import type { LoggedCommit } from '../../interfaces/commit-log.ts';
import type { Divergence } from '../../interfaces/diverged-branches.ts';
import { addToGroup } from '../../model/order.ts';
import { EnvironmentError } from '../../model/problem.ts';
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

/** Runs a git command with lines of input and returns its output. */
export type ReadLines = (command: readonly string[], lines: readonly string[]) => Promise<string>;

/** The depth of records in their folder: `<the /64>/<two digits>/<address>.yaml`. */
const deepest = 3;

/** The most files and folders that are compared together. */
const mostFound = 200_000;

/** Two versions of a folder of a branch. */
interface Folder {
  readonly head: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/**
 * By head the files of a folder in which branches differ from their base. Git compares one level of
 * folders after another, and each pair of trees once: a recursive comparison would be endless in a
 * tree that contains itself many times over.
 */
export async function treeDifferences(
  read: ReadLines,
  divergences: readonly Divergence[],
  folder: string,
): Promise<ReadonlyMap<string, readonly RawDifference[]>> {
  const trees = await treesOf(read, divergences, folder);
  let folders: readonly Folder[] = divergences.map(({ base, head }) => {
    const none = emptyTree(head);
    return { head, path: folder, before: trees.get(base) ?? none, after: trees.get(head) ?? none };
  });
  const found = new Map<string, RawDifference[]>(divergences.map(({ head }) => [head, []]));
  let count = 0;
  for (let depth = 0; depth < deepest && folders.length > 0; depth += 1) {
    const differences = await levelOf(read, folders);
    const next: Folder[] = [];
    for (const own of folders) {
      const entries = differences.get(pairText(own)) ?? [];
      count += entries.length;
      if (count > mostFound) throw new EnvironmentError('it is too large to be read');
      entries
        .map((one) => ({ ...one, path: `${own.path}/${one.path}` }))
        .forEach((one) => {
          if (isFolder(one)) next.push(folderIn(own.head, one));
          else found.get(own.head)?.push(one);
        });
    }
    folders = next;
  }
  return found;
}

function isFolder({ modes }: RawDifference): boolean {
  return modes.includes(folderMode);
}

const folderMode = '040000';

/** A side that is a file becomes the empty tree. */
function folderIn(head: string, { path, before, after, modes }: RawDifference): Folder {
  const side = (id: string | undefined, mode: string) =>
    id !== undefined && mode === folderMode ? id : emptyTree(head);
  return { head, path, before: side(before, modes[0]), after: side(after, modes[1]) };
}

function pairText({ before, after }: Folder): string {
  return `${before} ${after}`;
}

/** The tree without entries, which git knows in every repository, by its SHA-1 or SHA-256 name. */
function emptyTree({ length }: string): string {
  return length === 64
    ? '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321'
    : '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
}

/** By commit the tree of a folder; commits without the folder are left out. */
async function treesOf(
  read: ReadLines,
  divergences: readonly Divergence[],
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const commits = [...new Set(divergences.flatMap(({ base, head }) => [base, head]))];
  const names = commits.map((commit) => `${commit}:./${folder}`);
  const lines = (await read(['cat-file', '--batch-check'], names)).split('\n');
  return new Map(
    commits.flatMap((commit, index): [string, string][] => {
      const id = /^([0-9a-f]+) tree \d+$/.exec(lines[index] ?? '')?.[1];
      return id === undefined ? [] : [[commit, id]];
    }),
  );
}

/** The differences of each pair of trees, by the pair's text. */
async function levelOf(
  read: ReadLines,
  folders: readonly Folder[],
): Promise<ReadonlyMap<string, readonly RawDifference[]>> {
  const pairs = [...new Set(folders.map(pairText))];
  const fields = (await read(['diff-tree', '--stdin', ...rawFormat], pairs)).split('\0');
  const found = new Map<string, readonly RawDifference[]>();
  let index = 0;
  while (index < fields.length) {
    // The pair's line precedes its first field, after the lines of pairs that do not differ.
    const [first = '', pair = ''] = (fields[index] ?? '').split('\n').reverse();
    fields[index] = first;
    const { files, end } = rawDifferences(fields, index);
    if (files.length > 0) found.set(pair, files);
    index = Math.max(end, index + 1);
  }
  return found;
}
