import { hash } from 'node:crypto';
import { EnvironmentError, InternalError } from '../../model/problem.ts';
import type { CommittedTree } from '../../ports/commits.ts';
import type { MadeOfFiles, TreeEntry } from '../../ports/tree.ts';
import { readRegularFile } from '../disk/regular-file.ts';
import type { Git } from './git.ts';
import { type GitObject, mostBytes } from './git-objects.ts';

/** What the trees of one repository share. */
export class SharedFiles {
  /** Trees and files by object name: commits share most of them. */
  readonly known = new Map<string, GitObject>();
  /** What was made of files, by what made it, and by path and object name. */
  readonly made: MadeOfFiles = new Map();
  /** The files whose contents in the working tree differ from HEAD. */
  changed: ReadonlySet<string> = new Set();
  /** The object names of files of the working tree that were read there. */
  readonly #checkedOut = new Map<string, string>();
  readonly #git: Git;
  /** The object name of each file in the tree that was opened last, by its folders. */
  readonly #last = new Map<string, ReadonlyMap<string, string>>();
  #missing = 0;

  constructor(git: Git) {
    this.#git = git;
  }

  /**
   * Reads the files of an opened tree that the working tree is not likely to have: those that
   * changed there, and those in which it differs from the last tree of the same folders. When it
   * lacks most of a few samples, as in a bare repository, all files are read.
   */
  async open(folders: readonly string[], ids: ReadonlyMap<string, string>): Promise<void> {
    const elsewhere = new Map<string, string>();
    for (const path of this.changed) {
      const id = ids.get(path);
      if (id !== undefined) elsewhere.set(id, path);
    }
    const last = this.#last.get(folders.join(' ')) ?? ids;
    for (const [path, id] of [...last, ...ids]) {
      if (last.get(path) !== ids.get(path)) elsewhere.set(id, path);
    }
    this.#last.set(folders.join(' '), ids);
    const isOther = !this.#isCheckedOut([...ids].filter(([, id]) => !elsewhere.has(id)));
    const entries = isOther
      ? [...ids].map(([path, id]) => ({ id, path }))
      : [...elsewhere].map(([id, path]) => ({ id, path }));
    await readObjects(this.#git, entries, this.known);
  }

  /** True when the working tree has most of a few of the files. */
  #isCheckedOut(files: readonly (readonly [path: string, id: string])[]): boolean {
    const step = Math.max(1, Math.floor(files.length / samples));
    const some = files.filter((_, index) => index % step === 0);
    const missing = some.filter(([path, id]) => !fileWithId(this.#git.root, path, id));
    return missing.length * 2 <= some.length;
  }

  /** The object name of a file of the working tree; undefined when it was not read so far. */
  idOf(path: string): string | undefined {
    return this.#checkedOut.get(path);
  }

  /**
   * The bytes of a file. Those of the working tree, when they have the object name: to read a file
   * there takes a fraction of what git needs. Else those of git.
   */
  read(path: string, id: string, ids: ReadonlyMap<string, string>): Uint8Array | undefined {
    const object = this.known.get(id);
    if (object) return object.type === 'blob' ? object.bytes : undefined;
    const bytes = fileWithId(this.#git.root, path, id);
    if (bytes) {
      this.#checkedOut.set(path, id);
      return bytes;
    }
    this.#missing += 1;
    // Several are missing: the working tree has other contents, or filters change its files.
    const wanted = this.#missing > mostSingle ? [...ids.values()] : [id];
    const unknown = [...new Set(wanted)].filter((one) => !this.known.has(one));
    this.#git.readNow(unknown).forEach((found, index) => {
      if (found) this.known.set(unknown[index] ?? '', found);
    });
    return this.known.get(id)?.bytes;
  }
}

/** How many files are looked at to tell whether the working tree has a commit's files. */
const samples = 8;

/** Files that are read from git one by one. */
const mostSingle = 4;

/** The file of the working tree if it has the bytes of a blob. */
function fileWithId(root: string, path: string, id: string): Uint8Array | undefined {
  let bytes: Uint8Array | undefined;
  try {
    bytes = readRegularFile(root, path, mostBytes);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
  }
  return bytes && blobId(bytes, id.length) === id ? bytes : undefined;
}

/** The object name of a blob: SHA-1, or SHA-256 in a repository of that format. */
function blobId(bytes: Uint8Array, length: number): string {
  const header = `blob ${bytes.length}\0`;
  const object = Buffer.allocUnsafe(header.length + bytes.length);
  object.write(header, 'latin1');
  object.set(bytes, header.length);
  return hash(length === 64 ? 'sha256' : 'sha1', object, 'hex');
}

/** Folders of a commit. */
interface CommittedFolders {
  readonly commit: string;
  readonly folders: readonly string[];
}

/** Lists folders of a commit. Their files are read when they are asked for. */
export async function readCommittedTree(
  git: Git,
  wanted: CommittedFolders,
  shared: SharedFiles,
): Promise<CommittedTree> {
  const found = await entriesBelow(git, wanted, shared.known);
  const ids = new Map(found.map(({ path, id }) => [path, id]));
  const files = new Map(found.flatMap(({ path, mode, id }) => (isFile(mode) ? [[path, id]] : [])));
  await shared.open(wanted.folders, files);
  const read = (path: string): Uint8Array => {
    const id = ids.get(path);
    if (id === undefined) throw new InternalError(`${path} of ${wanted.commit} was not listed`);
    const bytes = files.has(path) ? shared.read(path, id, files) : undefined;
    if (bytes) return bytes;
    throw new EnvironmentError(
      `git cannot read ${path} of ${wanted.commit}: it is not a file of at most 16 MiB, or is lost; git fsck shows what is wrong`,
    );
  };
  const listed = found.map(({ path, mode }) => new CommittedEntry(path, isFile(mode), read));
  const lists = new Map<string, readonly TreeEntry[]>();
  return {
    list(folder) {
      const entries = lists.get(folder) ?? listed.filter(({ path }) => isBelow(path, folder));
      lists.set(folder, entries);
      return entries;
    },
    read,
    readUpTo(path, mostBytes) {
      const bytes = read(path);
      return bytes.length > mostBytes ? undefined : bytes;
    },
    idOf: (path) => ids.get(path),
    made: shared.made,
  };
}

/** An entry that reads its file when its size is asked for: most lists are read for their paths. */
class CommittedEntry implements TreeEntry {
  readonly path: string;
  readonly kind: TreeEntry['kind'];
  readonly #read: (path: string) => Uint8Array;

  constructor(path: string, isRegular: boolean, read: (path: string) => Uint8Array) {
    this.path = path;
    this.kind = isRegular ? 'file' : 'other';
    this.#read = read;
  }

  get size(): number {
    return this.kind === 'file' ? this.#read(this.path).length : 0;
  }
}

/** An entry of a tree. */
interface Entry {
  /** Six octal digits. */
  readonly mode: string;
  /** Relative to the folder of git. */
  readonly path: string;
  readonly id: string;
}

function isFile(mode: string): boolean {
  return mode === '100644' || mode === '100755';
}

function isFolder(mode: string): boolean {
  return mode === '040000';
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The entries of some folders of a commit, other than folders. Reads one level after another. */
async function entriesBelow(
  git: Git,
  { commit, folders }: CommittedFolders,
  known: Map<string, GitObject>,
): Promise<readonly Entry[]> {
  const [top] = await git.objects.read([`${commit}:./`]);
  if (top === undefined) {
    // The commit lacks the folder of git; ls-tree fails when the repository is damaged.
    await git.read(['ls-tree', commit, '--', ...folders]);
    return [];
  }
  known.set(top.id, top);
  const found: Entry[] = [];
  let level = [{ path: '', id: top.id }];
  while (level.length > 0) {
    await readObjects(git, level, known);
    const entries = level.flatMap(({ path, id }) => entriesIn(known.get(id), path));
    for (const entry of entries) {
      if (!isFolder(entry.mode) && folders.some((one) => isBelow(entry.path, one))) {
        found.push(entry);
      }
    }
    level = entries.filter(
      ({ path, mode }) =>
        isFolder(mode) && folders.some((one) => isBelow(path, one) || isBelow(one, path)),
    );
  }
  return found;
}

/** Reads the objects of some entries that are not known yet. */
async function readObjects(
  git: Git,
  entries: readonly { readonly path: string; readonly id: string }[],
  known: Map<string, GitObject>,
): Promise<void> {
  const unknown = new Map(
    entries.flatMap(({ path, id }) => (known.has(id) ? [] : [[id, path] as const])),
  );
  const objects = await git.objects.read([...unknown.keys()]);
  [...unknown].forEach(([id, path], index) => {
    const object = objects[index];
    if (object === undefined) throw unreadable(path);
    known.set(id, object);
  });
}

/** The error for a damaged repository; the empty path is the folder of git. */
function unreadable(path: string): EnvironmentError {
  return new EnvironmentError(
    `git cannot read ${path || 'the top folder'} of a commit; git fsck shows what is wrong`,
  );
}

/** Parses a tree object: for each entry mode, space, name, NUL and the bytes of the object name. */
function entriesIn(tree: GitObject | undefined, folder: string): readonly Entry[] {
  const { id = '', type, bytes } = tree ?? {};
  if (type !== 'tree' || bytes === undefined) throw unreadable(folder);
  const width = id.length / 2;
  const entries: Entry[] = [];
  for (let start = 0; start < bytes.length; ) {
    const space = bytes.indexOf(0x20, start);
    const end = bytes.indexOf(0, space);
    if (space < 0 || end < 0) throw unreadable(folder);
    const name = bytes.toString('utf8', space + 1, end);
    entries.push({
      mode: bytes.toString('latin1', start, space).padStart(6, '0'),
      path: folder === '' ? name : `${folder}/${name}`,
      id: bytes.toString('hex', end + 1, end + 1 + width),
    });
    start = end + 1 + width;
  }
  return entries;
}
