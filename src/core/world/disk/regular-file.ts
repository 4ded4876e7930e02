import { hash } from 'node:crypto';
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { TreeEntry } from '../../interfaces/tree.ts';
import { compareText } from '../../model/order.ts';
import { EnvironmentError } from '../../model/problem.ts';
import { stateFolder } from '../../model/repository-paths.ts';
import { hasCode, reasonOf } from '../system-error.ts';

/** Where a path below root is. `join` of node:path takes as long as it takes to read a small file. */
function pathBelow(root: string, path: string): string {
  return `${root}/${path}`;
}

/** The status of a path below root, without following links; undefined when it does not exist. */
export function lookAt(root: string, path: string): Stats | undefined {
  try {
    return lstatSync(pathBelow(root, path), { throwIfNoEntry: false });
  } catch (error) {
    throw new EnvironmentError(`${path} cannot be read: ${reasonOf(error)}`);
  }
}

/** Most files of a repository fit. All reads use it, one after another. */
const buffer = Buffer.allocUnsafeSlow(16 * 1024);

/**
 * The bytes of a regular file below root; undefined when it does not exist or has more than
 * `mostBytes`. Symbolic links are not followed and pipes are not waited for: everything but a
 * readable regular file is an EnvironmentError that names the path below root.
 */
export function readRegularFile(
  root: string,
  path: string,
  mostBytes = Number.POSITIVE_INFINITY,
): Uint8Array | undefined {
  return withOpenFile(root, path, (descriptor) => {
    // A small file is read without a look at its size, which costs as much as the read.
    const read = readSync(descriptor, buffer, 0, buffer.length, null);
    if (read === 0 || read === buffer.length) return readBySize(descriptor, path, mostBytes);
    if (read > mostBytes) return undefined;
    const bytes = Buffer.allocUnsafe(read);
    buffer.copy(bytes, 0, 0, read);
    return bytes;
  });
}

/** Reads a file that is larger than {@link buffer}, or empty, or not regular, from its start. */
function readBySize(descriptor: number, path: string, mostBytes: number): Uint8Array | undefined {
  const { size } = regularStats(descriptor, path);
  if (size > mostBytes) return undefined;
  // One byte more, to notice a file that grew.
  const bytes = Buffer.allocUnsafe(size + 1);
  let read = 0;
  let more: number;
  do {
    more = readSync(descriptor, bytes, read, size + 1 - read, read);
    read += more;
  } while (more > 0 && read < size);
  if (read !== size) {
    throw new EnvironmentError(`${path} changed while it was read; run the command again`);
  }
  return bytes.subarray(0, size);
}

/** A part of a file. */
export interface Section {
  readonly start: number;
  readonly size: number;
}

/** The bytes of a part of a regular file below root; undefined when it is not that long. */
export function readSection(
  root: string,
  path: string,
  { start, size }: Section,
): Uint8Array | undefined {
  return withOpenFile(root, path, (descriptor) => {
    if (start + size > regularStats(descriptor, path).size) return undefined;
    const bytes = Buffer.alloc(size);
    return readSync(descriptor, bytes, 0, size, start) === size ? bytes : undefined;
  });
}

function regularStats(descriptor: number, path: string): Stats {
  const stats = fstatSync(descriptor);
  if (!stats.isFile()) throw notRegular(path);
  return stats;
}

/** Returns what `read` returns of an open file; undefined when the file does not exist. */
function withOpenFile(
  root: string,
  path: string,
  read: (descriptor: number) => Uint8Array | undefined,
): Uint8Array | undefined {
  try {
    const descriptor = openSync(pathBelow(root, path), readWithoutFollowing);
    try {
      return read(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (error instanceof EnvironmentError) throw error;
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    if (hasCode(error, 'ELOOP', 'EMLINK', 'EISDIR')) throw notRegular(path);
    throw new EnvironmentError(`${path} cannot be read: ${reasonOf(error)}`);
  }
}

/** Looks at folders, each once, and not below one that does not exist. */
export class FolderStats {
  readonly #root: string;
  readonly #stats = new Map<string, Stats | undefined>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Undefined for a folder that does not exist. The folders around it were asked for before. */
  of(folder: string): Stats | undefined {
    if (this.#stats.has(folder)) return this.#stats.get(folder);
    const around = parentOf(folder);
    const isMissing = this.#stats.has(around) && this.#stats.get(around) === undefined;
    const stats = isMissing ? undefined : lookAt(this.#root, folder);
    this.#stats.set(folder, stats);
    return stats;
  }

  /** True when the folder of a file does not exist, and so neither does the file. */
  isMissingAround(path: string): boolean {
    const folder = parentOf(path);
    return this.#stats.has(folder) && this.#stats.get(folder) === undefined;
  }
}

/** SHA-256 of bytes or of a text's UTF-8 bytes, as 64 lower-case hex digits. */
export function digestOf(content: Uint8Array | string): string {
  return hash('sha256', content, 'hex');
}

/** Windows has neither flag. */
const readWithoutFollowing =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function notRegular(path: string): EnvironmentError {
  return new EnvironmentError(`${path} is not a regular file, and links are not followed`);
}

/** The folders around paths, each once, outer folders first: `a/b/c` has `a` and `a/b`. */
export function foldersAbove(paths: Iterable<string>): string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    let folder = parentOf(path);
    while (folder !== '' && !folders.has(folder)) {
      folders.add(folder);
      folder = parentOf(folder);
    }
  }
  return [...folders].sort(compareText);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/**
 * The first of some paths that exists and is not a folder. Through a symbolic link, reading or
 * writing would leave the repository.
 */
function obstacleIn(root: string, folders: readonly string[]): string | undefined {
  return folders.find((folder) => lookAt(root, folder)?.isDirectory() === false);
}

/**
 * Throws an EnvironmentError when a folder around one of the paths is a symbolic link or a file.
 * Missing folders are allowed. Each folder is checked once.
 */
export function assertRealFolders(root: string, paths: Iterable<string>): void {
  const obstacle = obstacleIn(root, foldersAbove(paths));
  if (obstacle !== undefined) throw notFolder(obstacle);
}

/** The error for a link or a file in the place of a folder. */
export function notFolder(path: string): EnvironmentError {
  return new EnvironmentError(
    `${path} is a link or a file, not a folder; leasehold neither reads nor writes through it`,
  );
}

/**
 * Everything below a folder except folders, with dot files, in code unit order of the path.
 *
 * Symbolic links are listed as `other` and not followed; when the folder or one around it is a link
 * or a file, that is the only entry. A missing folder has no entries. A folder that cannot be
 * listed is an EnvironmentError.
 */
export function walk(root: string, folder: string): TreeEntry[] {
  const obstacle = obstacleIn(root, [...foldersAbove([folder]), folder]);
  const top = obstacle ?? folder;
  const stats = lookAt(root, top);
  if (stats === undefined) return [];
  if (!stats.isDirectory()) return [entryOf(top, stats)];
  const entries: TreeEntry[] = [];
  collect(root, folder, entries);
  return entries;
}

/** Adds the entries below a folder. A folder sorts as git sorts it: with a slash at its end. */
function collect(root: string, folder: string, entries: TreeEntry[]): void {
  const found = entriesIn(root, folder).map((dirent) => {
    const isFolder = dirent.isDirectory();
    return { dirent, isFolder, name: isFolder ? `${dirent.name}/` : dirent.name };
  });
  found.sort((left, right) => compareText(left.name, right.name));
  for (const { dirent, isFolder } of found) {
    const path = `${folder}/${dirent.name}`;
    if (isUndecodable(dirent.name) && lookAt(root, path) === undefined) {
      entries.push({ path, kind: 'other', size: 0 });
    } else if (isFolder) collect(root, path, entries);
    else entries.push(new ListedEntry(root, path, dirent.isFile() ? 'file' : 'other'));
  }
}

function entriesIn(root: string, folder: string): Dirent[] {
  try {
    return readdirSync(pathBelow(root, folder), { withFileTypes: true });
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw new EnvironmentError(`${folder} cannot be listed: ${reasonOf(error)}`);
  }
}

/** A name that is not UTF-8 is read with replacement characters, under which nothing is found. */
function isUndecodable(name: string): boolean {
  return name.includes('\ufffd');
}

/** An entry that looks at the size when it is asked for: most lists are read for their paths. */
class ListedEntry implements TreeEntry {
  readonly path: string;
  readonly kind: TreeEntry['kind'];
  readonly #root: string;
  #size: number | undefined;

  constructor(root: string, path: string, kind: TreeEntry['kind']) {
    this.path = path;
    this.kind = kind;
    this.#root = root;
  }

  get size(): number {
    this.#size ??= lookAt(this.#root, this.path)?.size ?? 0;
    return this.#size;
  }
}

function entryOf(path: string, stats: Stats): TreeEntry {
  return { path, kind: stats.isFile() ? 'file' : 'other', size: stats.size };
}

/**
 * Makes `.leasehold/`, a `.gitignore` in it that ignores everything, and a folder in it, unless
 * they exist. A link or a file in their place is an EnvironmentError.
 */
export function makeStateFolder(root: string, folder: string): void {
  makeFolder(root, stateFolder);
  // A killed run may have made the folder without the file.
  unlessExists(`${stateFolder}/.gitignore`, () =>
    writeFileSync(join(root, stateFolder, '.gitignore'), '*\n', { flag: 'wx' }),
  );
  makeFolder(root, folder);
}

function makeFolder(root: string, folder: string): void {
  unlessExists(folder, () => mkdirSync(join(root, folder)));
  if (lookAt(root, folder)?.isDirectory() !== true) {
    throw new EnvironmentError(`${folder} is a link or a file, not a folder; remove it`);
  }
}

function unlessExists(path: string, make: () => void): void {
  try {
    make();
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return;
    throw new EnvironmentError(`${path} cannot be created: ${reasonOf(error)}`);
  }
}
