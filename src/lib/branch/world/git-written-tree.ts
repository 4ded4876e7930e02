import type { TreeChanges } from '../../../core/interfaces/tree.ts';
import { EnvironmentError, InternalError } from '../../../core/model/problem.ts';
import type { Git } from '../../../core/world/git/git.ts';

/** An entry of a git tree. */
interface Entry {
  readonly mode: string;
  readonly type: string;
  readonly id: string;
}

/** The entries of a folder by name. */
type Folder = Map<string, Entry>;

/** The top folder of a repository. */
const top = '';

/**
 * Writes the tree of a commit with some changes and returns its object name. Only objects are
 * written, no index and no working tree: a killed process leaves nothing but objects that git
 * collects as garbage. Paths are relative to root.
 */
export async function writeTree(
  git: Git,
  commit: string,
  { writes, removes }: TreeChanges,
): Promise<string> {
  const prefix = await git.prefix();
  if (prefix === undefined) throw new EnvironmentError('git does not open this repository');
  const blobs = await writeBlobs(git, [...writes.values()]);
  const paths = [...writes.keys(), ...removes].map((path) => `${prefix}${path}`);
  const folders = await readFolders(git, commit, [...new Set(paths.flatMap(foldersAbove))]);
  [...writes.keys()].forEach((path, index) => {
    const id = blobs[index] ?? '';
    placeEntry(folders, `${prefix}${path}`, { mode: '100644', type: 'blob', id });
  });
  for (const path of removes) placeEntry(folders, `${prefix}${path}`, undefined);
  return writeFolders(git, folders);
}

/** Every folder around a path, with the top one. */
function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return [top, ...names.map((_, index) => names.slice(0, index + 1).join('/'))];
}

/** Sets or deletes the entry at a path. */
function placeEntry(
  folders: ReadonlyMap<string, Folder>,
  path: string,
  entry: Entry | undefined,
): void {
  const cut = path.lastIndexOf('/');
  const folder = folders.get(path.slice(0, Math.max(cut, 0)));
  if (folder === undefined) throw new InternalError(`the folder of ${path} was not read`);
  const name = path.slice(cut + 1);
  if (entry === undefined) folder.delete(name);
  else folder.set(name, entry);
}

/** Writes texts with one process and returns their object names in order. */
async function writeBlobs(git: Git, texts: readonly string[]): Promise<readonly string[]> {
  if (texts.length === 0) return [];
  const input = texts
    .map((text, index) => {
      const mark = `:${index + 1}`;
      return `blob\nmark ${mark}\ndata ${Buffer.byteLength(text)}\n${text}\nget-mark ${mark}\n`;
    })
    .join('');
  const output = await git.run(['fast-import', '--quiet'], { input });
  return output.split('\n').slice(0, texts.length);
}

/** Bounds the length of a command line. */
const foldersAtOnce = 300;

/** The entries of some folders of a commit; a missing folder is empty. */
async function readFolders(
  git: Git,
  commit: string,
  wanted: readonly string[],
): Promise<Map<string, Folder>> {
  const folders = new Map(wanted.map((folder): [string, Folder] => [folder, new Map()]));
  const below = wanted.filter((folder) => folder !== top).map((folder) => `${folder}/`);
  const commands: (readonly string[])[] = [[]];
  for (let start = 0; start < below.length; start += foldersAtOnce) {
    commands.push(['--', ...below.slice(start, start + foldersAtOnce)]);
  }
  for (const names of commands) {
    const command = ['ls-tree', '-z', '--full-tree', commit, ...names];
    for (const line of (await git.run(command)).split('\0')) {
      const [, mode = '', type = '', id = '', path = ''] = entryLine.exec(line) ?? [];
      const cut = path.lastIndexOf('/');
      if (id === '') continue;
      folders.get(path.slice(0, Math.max(cut, 0)))?.set(path.slice(cut + 1), { mode, type, id });
    }
  }
  return folders;
}

const entryLine = /^(\d{6}) (\w+) ([0-9a-f]+)\t(.+)$/s;

/** Writes folders, the deepest first, and returns the object name of the top one. */
async function writeFolders(git: Git, folders: ReadonlyMap<string, Folder>): Promise<string> {
  const depthOf = (folder: string): number => (folder === top ? 0 : folder.split('/').length);
  const deepest = [...folders.keys()].reduce((most, one) => Math.max(most, depthOf(one)), 0);
  for (let depth = deepest; depth > 0; depth -= 1) {
    const level = [...folders].filter(([path]) => depthOf(path) === depth);
    for (const [path, folder] of level) if (folder.size === 0) placeEntry(folders, path, undefined);
    const full = level.filter(([, folder]) => folder.size > 0);
    const ids = await writeLevel(git, full);
    full.forEach(([path], index) => {
      const id = ids[index] ?? '';
      placeEntry(folders, path, { mode: '040000', type: 'tree', id });
    });
  }
  const [id = ''] = await writeLevel(git, [[top, folders.get(top) ?? new Map()]]);
  return id;
}

/** Writes folders of one depth with one process and returns their object names in order. */
async function writeLevel(
  git: Git,
  level: readonly (readonly [string, Folder])[],
): Promise<readonly string[]> {
  if (level.length === 0) return [];
  const input = level
    .map(([, folder]) =>
      [...folder].map(([name, { mode, type, id }]) => `${mode} ${type} ${id}\t${name}\0`).join(''),
    )
    .join('\0');
  const output = await git.run(['mktree', '-z', '--batch'], { input });
  return output.split('\n').slice(0, level.length);
}
