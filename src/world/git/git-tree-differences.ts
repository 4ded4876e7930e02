import { EnvironmentError } from '../../model/problem.ts';
import type { Parting } from '../../ports/parted-branches.ts';
import { type RawDifference, rawDifferences, rawFormat } from './git-raw-differences.ts';

/** Runs a command of git with lines of input, and gives what it prints. */
export type ReadLines = (command: readonly string[], lines: readonly string[]) => Promise<string>;

/** Below their folder, records stand in no more folders than these: `<the /64>/<two digits>/<address>.yaml`. */
const deepest = 3;

/** More files and folders than that are not looked at together. */
const mostFound = 200_000;

/** Two versions of a folder of a branch. */
interface Folder {
  readonly head: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/**
 * By head the files of a folder in which branches differ from where they part. Git is asked for one level of folders after the other,
 * for each pair of versions once: what it would find all by itself has no end in a tree that holds itself many times over.
 */
export async function treeDifferences(
  read: ReadLines,
  partings: readonly Parting[],
  folder: string,
): Promise<ReadonlyMap<string, readonly RawDifference[]>> {
  const trees = await treesOf(read, partings, folder);
  let folders: readonly Folder[] = partings.map(({ base, head }) => {
    const none = emptyTree(head);
    return { head, path: folder, before: trees.get(base) ?? none, after: trees.get(head) ?? none };
  });
  const found = new Map<string, RawDifference[]>(partings.map(({ head }) => [head, []]));
  let count = 0;
  for (let depth = 0; depth < deepest && folders.length > 0; depth += 1) {
    const differences = await levelOf(read, folders);
    const next: Folder[] = [];
    for (const own of folders) {
      const entries = differences.get(pairText(own)) ?? [];
      count += entries.length;
      if (count > mostFound) throw new EnvironmentError('there is too much of it to be read');
      const placed = entries.map((one) => ({ ...one, path: `${own.path}/${one.path}` }));
      found.get(own.head)?.push(...placed.filter((one) => !isFolder(one)));
      next.push(...placed.filter(isFolder).map((one) => folderIn(own.head, one)));
    }
    folders = next;
  }
  return found;
}

function isFolder({ modes }: RawDifference): boolean {
  return modes.includes(folderMode);
}

const folderMode = '040000';

/** What is a file on one side is left out there: no path is both. */
function folderIn(head: string, { path, before, after, modes }: RawDifference): Folder {
  const side = (id: string | undefined, mode: string) =>
    id !== undefined && mode === folderMode ? id : emptyTree(head);
  return { head, path, before: side(before, modes[0]), after: side(after, modes[1]) };
}

function pairText({ before, after }: Folder): string {
  return `${before} ${after}`;
}

/** Git knows the tree without entries in every repository, by either of its two kinds of names. */
function emptyTree({ length }: string): string {
  return length === 64
    ? '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321'
    : '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
}

/** By commit the object of a folder, of those that have it. */
async function treesOf(
  read: ReadLines,
  partings: readonly Parting[],
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const commits = [...new Set(partings.flatMap(({ base, head }) => [base, head]))];
  const names = commits.map((commit) => `${commit}:./${folder}`);
  const lines = (await read(['cat-file', '--batch-check'], names)).split('\n');
  return new Map(
    commits.flatMap((commit, index): [string, string][] => {
      const id = /^([0-9a-f]+) tree \d+$/.exec(lines[index] ?? '')?.[1];
      return id === undefined ? [] : [[commit, id]];
    }),
  );
}

/** Each pair that differs is followed by what differs in it. */
async function levelOf(
  read: ReadLines,
  folders: readonly Folder[],
): Promise<ReadonlyMap<string, readonly RawDifference[]>> {
  const pairs = [...new Set(folders.map(pairText))];
  const fields = (await read(['diff-tree', '--stdin', ...rawFormat], pairs)).split('\0');
  const found = new Map<string, readonly RawDifference[]>();
  let index = 0;
  while (index < fields.length) {
    // The line of a pair stands before its first field, after those of pairs that do not differ.
    const [first = '', pair = ''] = (fields[index] ?? '').split('\n').reverse();
    fields[index] = first;
    const { files, end } = rawDifferences(fields, index);
    if (files.length > 0) found.set(pair, files);
    index = Math.max(end, index + 1);
  }
  return found;
}
