import { EnvironmentError } from '../../../core/model/problem.ts';
import {
  type RawDifference,
  rawDifferences,
  rawFormat,
} from '../../../core/world/git/git-differences.ts';
import type { Divergence } from '../../branch/diverged-branches.ts';

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
