import { EnvironmentError, InternalError } from '../../model/problem.ts';
import type { CommittedTree } from '../../ports/commits.ts';
import type { TreeChanges, TreeEntry } from '../../ports/tree.ts';
import type { Git } from './git.ts';

/** An object of a repository. */
export interface GitObject {
  /** The object name, 40 or 64 hex digits. */
  readonly id: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/**
 * The objects of some names (an object name, or `<commit>:./<path>` from root) in their order;
 * undefined for a name without an object. One process reads all of them as committed, without
 * filters or conversion of line ends. A name must not contain a line break. An EnvironmentError
 * when git fails.
 */
export async function readGitObjects(
  git: Git,
  names: readonly string[],
): Promise<readonly (GitObject | undefined)[]> {
  if (names.length === 0) return [];
  // For each name: `<id> <type> <size>`, a line break, the bytes, a line break.
  const output = await git.readBatch(names);
  let start = 0;
  return names.map((name) => {
    const end = output.indexOf(10, start);
    const header = end < 0 ? '' : output.subarray(start, end).toString('utf8');
    start = end + 1;
    if (header === `${name} missing` || header === `${name} ambiguous`) return undefined;
    const [, id, type, size] = /^([0-9a-f]+) (\w+) (\d+)$/.exec(header) ?? [];
    if (id === undefined || type === undefined) {
      throw new EnvironmentError(`git cannot read the object ${name}: ${header.slice(0, 80)}`);
    }
    const bytes = output.subarray(start, start + Number(size));
    start += Number(size) + 1;
    return { id, type, bytes };
  });
}

/** Contents by object name: commits share most of them. */
export type Contents = Map<string, Uint8Array>;

/** The largest file that is read. */
const mostBytes = 16 * 1024 * 1024;

/** One line of `git ls-tree -l`. */
interface Listed extends TreeEntry {
  readonly id: string;
}

/** Folders of a commit. */
interface CommittedFolders {
  readonly commit: string;
  readonly folders: readonly string[];
}

/** Reads folders of a commit, with the contents of all their files. */
export async function readCommittedTree(
  git: Git,
  { commit, folders }: CommittedFolders,
  contents: Contents,
): Promise<CommittedTree> {
  const listed = await listTree(git, { commit, folders });
  const wanted = listed.filter(
    ({ kind, id, size }) => kind === 'file' && size <= mostBytes && !contents.has(id),
  );
  await readContents(git, [...new Set(wanted.map(({ id }) => id))], contents);
  const ids = new Map(listed.map(({ path, id }) => [path, id]));
  return {
    list: (folder) => listed.filter(({ path }) => path === folder || path.startsWith(`${folder}/`)),
    read(path) {
      const bytes = contents.get(ids.get(path) ?? '');
      if (bytes !== undefined) return bytes;
      if (!ids.has(path)) throw new InternalError(`${path} of ${commit} was not listed`);
      throw new EnvironmentError(`${path} of ${commit} is not a file of at most 16 MiB`);
    },
    idOf: (path) => ids.get(path),
  };
}

async function listTree(
  git: Git,
  { commit, folders }: CommittedFolders,
): Promise<readonly Listed[]> {
  const command = ['ls-tree', '-r', '-l', '-z', commit, '--', ...folders];
  const output = await git.read(command);
  return output.split('\0').flatMap((line) => {
    if (line === '') return [];
    const [, mode, id, size, path] = /^(\d{6}) \w+ ([0-9a-f]+) +(\d+|-)\t(.+)$/s.exec(line) ?? [];
    // Git lists a missing object with the size BAD.
    if (mode === undefined || id === undefined || path === undefined) {
      throw new EnvironmentError(`git cannot read a file of the commit ${commit}: ${line}`);
    }
    const isFile = mode === '100644' || mode === '100755';
    return [{ path, id, kind: isFile ? 'file' : 'other', size: Number(size) || 0 }];
  });
}

async function readContents(git: Git, ids: readonly string[], contents: Contents): Promise<void> {
  const objects = await readGitObjects(git, ids);
  ids.forEach((id, index) => {
    const object = objects[index];
    if (object?.type !== 'blob') throw new EnvironmentError(`git cannot read the object ${id}`);
    contents.set(id, object.bytes);
  });
}

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
  const deepest = Math.max(...[...folders.keys()].map(depthOf));
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
