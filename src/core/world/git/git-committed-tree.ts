import { hash } from 'node:crypto';
import type { CommittedTree } from '../../interfaces/commits.ts';
import type { ParseCache, TreeEntry } from '../../interfaces/tree.ts';
import { CommitProblem, EnvironmentError, InternalError, startOf } from '../../model/problem.ts';
import { readRegularFile } from '../disk/regular-file.ts';
import { saveMemory } from '../machine.ts';
import { type Git, pathInWorkTree } from './git.ts';
import { workspaceTop } from './git-moved-workspace.ts';
import { type GitObject, mostBytes, mostBytesTogether, tooLarge } from './git-objects.ts';
import { parseTree } from './git-tree-object.ts';

/** A place in a commit, and the object name of what is there. */
interface Place {
  /** Relative to the folder of git, which is the empty path. */
  readonly path: string;
  readonly id: string;
}

/** The entries of a folder of a commit. Commits share the folders that they have in common. */
interface Folder {
  readonly path: string;
  /** By path. */
  readonly entries: ReadonlyMap<string, CommittedEntry>;
  readonly folders: readonly Place[];
  /** An entry that git does not make. Such entries are in neither list. */
  readonly fault: CommitProblem | undefined;
}

/** The most files and folders of one commit: 100,000 leases have about 0.5 million. */
const mostEntries = 2_000_000;
/** The longest path that Linux takes. */
const longestPath = 4096;

/** The caches that the trees of one repository share. */
export class SharedFiles {
  /** Files by object name: commits share most of them. */
  readonly known = new Map<string, GitObject>();
  /** The files that were parsed, by reader, and by path and object name. */
  readonly parsed: ParseCache = new Map();
  /** The files whose contents in the working tree differ from HEAD. */
  changed: ReadonlySet<string> = new Set();
  /** The object names of files of the working tree that were read there. */
  readonly #checkedOut = new Map<string, string>();
  readonly #git: Git;
  /** The folders that were parsed, by path and object name. */
  readonly #folders = new Map<string, Folder>();
  /** The folders of the tree that was opened last, by those that were asked for. */
  readonly #last = new Map<string, readonly Folder[]>();
  #missing = 0;

  constructor(git: Git) {
    this.#git = git;
  }

  /**
   * Reads some folders, unless they were read before. A folder is the same object each time. `trees`
   * are tree objects by name; those that are read are added. Takes what the folders have from `remaining`,
   * and throws a CommitProblem when nothing is left.
   */
  async folders(
    places: readonly Place[],
    trees: Map<string, GitObject>,
    remaining: { entries: number },
  ): Promise<readonly Folder[]> {
    const unread = places.filter((place) => !this.#folders.has(folderKey(place)));
    await readObjects(this.#git, unread, trees);
    return places.map((place) => {
      const key = folderKey(place);
      const folder = this.#folders.get(key) ?? folderOf(trees.get(place.id), place.path, this);
      this.#folders.set(key, folder);
      remaining.entries -= folder.entries.size + folder.folders.length;
      if (remaining.entries < 0) throw tooLarge('2,000,000 files and folders');
      if (place.path.length > longestPath) throw tooLarge('4,096 characters in a path');
      return folder;
    });
  }

  /**
   * Reads the files of an opened tree that the working tree is not likely to have: those that
   * changed there, and those in which it differs from the last tree of the same folders. When it
   * lacks most of a few samples, as in a bare repository, all files are read.
   */
  async open(wanted: readonly string[], tree: readonly Folder[]): Promise<void> {
    const key = wanted.join(' ');
    const elsewhere = differing(this.#last.get(key) ?? tree, tree);
    this.#last.set(key, tree);
    const files = filesIn(tree);
    saveMemory(files.length);
    for (const file of files) if (this.changed.has(file.path)) elsewhere.add(file);
    const isOther = !this.#isCheckedOut(files.filter((file) => !elsewhere.has(file)));
    await readObjects(this.#git, isOther ? files : [...elsewhere], this.known);
  }

  /** True when the working tree has most of a few of the files. */
  #isCheckedOut(files: readonly Place[]): boolean {
    const step = Math.max(1, Math.floor(files.length / samples));
    const some = files.filter((_, index) => index % step === 0);
    const missing = some.filter(({ path, id }) => !fileWithId(this.#git.root, path, id));
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
  read({ path, id }: Place): Uint8Array | undefined {
    const object = this.known.get(id);
    if (object) return object.type === 'blob' ? object.bytes : undefined;
    const bytes = fileWithId(this.#git.root, path, id);
    if (bytes) {
      this.#checkedOut.set(path, id);
      return bytes;
    }
    this.#missing += 1;
    // Several are missing: the working tree has other contents, or filters change its files.
    const others = this.#missing > mostSingle ? [...this.#last.values()].flatMap(filesIn) : [];
    const wanted = new Set([id, ...others.map((file) => file.id)]);
    const unknown = [...wanted].filter((one) => !this.known.has(one));
    this.#git.readNow(unknown).forEach((found, index) => {
      if (found) this.known.set(unknown[index] ?? '', found);
    });
    return this.known.get(id)?.bytes;
  }
}

function folderKey({ path, id }: Place): string {
  return `${path} ${id}`;
}

/** The files of two trees that are not in both of them. */
function differing(left: readonly Folder[], right: readonly Folder[]): Set<CommittedEntry> {
  const [first, second] = [new Set(left), new Set(right)];
  const before = filesIn(left.filter((folder) => !second.has(folder)));
  const after = filesIn(right.filter((folder) => !first.has(folder)));
  const places = (files: readonly Place[]) => new Map(files.map(({ path, id }) => [path, id]));
  const [old, now] = [places(before), places(after)];
  return new Set([
    ...before.filter(({ path, id }) => now.get(path) !== id),
    ...after.filter(({ path, id }) => old.get(path) !== id),
  ]);
}

/** The regular files in some folders. */
function filesIn(folders: readonly Folder[]): readonly CommittedEntry[] {
  return folders.flatMap(({ entries }) => [...entries.values()].filter(isFile));
}

function isFile({ kind }: TreeEntry): boolean {
  return kind === 'file';
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
  /** A base is read although it has entries that git does not make: the head may repair it. */
  readonly isBase: boolean;
}

/**
 * Lists folders of a commit. Their files are read when they are asked for. A CommitProblem for a
 * commit beyond the bounds and, unless it is a base, with an entry that git does not make.
 */
export async function readCommittedTree(
  git: Git,
  wanted: CommittedFolders,
  shared: SharedFiles,
): Promise<CommittedTree> {
  const tree = await foldersBelow(git, wanted, shared);
  const fault = wanted.isBase ? undefined : tree.find((folder) => folder.fault)?.fault;
  if (fault) throw fault;
  await shared.open(wanted.folders, tree);
  const folders = new Map(tree.map((folder) => [folder.path, folder]));
  const counted = new Set<CommittedEntry>();
  let remaining = mostBytesTogether;
  const entryAt = (path: string): CommittedEntry | undefined =>
    folders.get(folderPath(path))?.entries.get(path);
  const read = (path: string): Uint8Array => {
    const entry = entryAt(path);
    if (!entry) throw new InternalError(`${path} of ${wanted.commit} was not listed`);
    const bytes = isFile(entry) ? shared.read(entry) : undefined;
    if (bytes && !counted.has(entry)) {
      counted.add(entry);
      remaining -= bytes.length;
      if (remaining < 0) throw tooLarge('2 GiB');
    }
    if (bytes) return bytes;
    throw new EnvironmentError(
      `git cannot read ${path} of ${wanted.commit}: it is not a file of at most 16 MiB, or is lost; \`git fsck\` shows what is wrong`,
    );
  };
  const listed = (folder: string): readonly TreeEntry[] => {
    const entry = entryAt(folder);
    if (entry) return [entry];
    const below = tree.filter(({ path }) => isBelow(path, folder));
    return below.flatMap(({ entries }) => [...entries.values()]);
  };
  const lists = new Map<string, readonly TreeEntry[]>();
  return {
    list(folder) {
      const entries = lists.get(folder) ?? listed(folder);
      lists.set(folder, entries);
      return entries;
    },
    read,
    readUpTo(path, mostBytes) {
      const bytes = read(path);
      return bytes.length > mostBytes ? undefined : bytes;
    },
    idOf: (path) => entryAt(path)?.id,
    parsed: shared.parsed,
  };
}

/** An entry that reads its file when its size is asked for: most lists are read for their paths. */
class CommittedEntry implements TreeEntry, Place {
  readonly path: string;
  readonly id: string;
  readonly kind: TreeEntry['kind'];
  readonly #shared: SharedFiles;

  constructor({ path, id }: Place, kind: TreeEntry['kind'], shared: SharedFiles) {
    this.path = path;
    this.id = id;
    this.kind = kind;
    this.#shared = shared;
  }

  get size(): number {
    return (isFile(this) && this.#shared.read(this)?.length) || 0;
  }
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The path of the folder that a path is in. */
function folderPath(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

/** Some folders of a commit, and all below them. Reads one level after another. */
async function foldersBelow(
  git: Git,
  { commit, folders }: CommittedFolders,
  shared: SharedFiles,
): Promise<readonly Folder[]> {
  // An entry of a folder above can be a path that leads into the folder of git.
  const above = (pathInWorkTree(git.root) ?? '').split('/').slice(1);
  const names = ['./', ...above.map((_, index) => `./${'../'.repeat(index + 1)}`)];
  const [here, ...around] = await git.objects.read(names.map((name) => `${commit}:${name}`));
  const top = await workspaceTop(git, commit, here);
  if (top === undefined) {
    // The commit lacks the folder of git; ls-tree fails when the repository is damaged.
    await git.read(['ls-tree', commit, '--', ...folders]);
    return [];
  }
  const trees = new Map([[top.id, top]]);
  const isWanted = ({ path }: Pick<Place, 'path'>) => folders.some((one) => isBelow(path, one));
  const leadsToWanted = ({ path }: Place) => folders.some((one) => isBelow(one, path));
  // A commit from before the workspace was moved has none of the folders around it.
  const found = around.flatMap((tree): Folder[] =>
    tree ? [{ ...folderOf(tree, '', shared), ...empty }] : [],
  );
  const remaining = { entries: mostEntries };
  let level: readonly Place[] = [{ path: '', id: top.id }];
  while (level.length > 0) {
    const read = (await shared.folders(level, trees, remaining)).map((folder) =>
      isWanted(folder) ? folder : partOf(folder, isWanted),
    );
    for (const folder of read) found.push(folder);
    level = read.flatMap((folder) =>
      folder.folders.filter((place) => isWanted(place) || leadsToWanted(place)),
    );
  }
  return found;
}

const empty = { entries: new Map<string, CommittedEntry>(), folders: [] };

/** A folder with only some of its entries. */
function partOf(folder: Folder, isWanted: (place: Place) => boolean): Folder {
  const entries = [...folder.entries].filter(([, entry]) => isWanted(entry));
  return { ...folder, entries: new Map(entries) };
}

/** Reads the objects of some places that are not known yet. */
async function readObjects(
  git: Git,
  places: readonly Place[],
  known: Map<string, GitObject>,
): Promise<void> {
  const unknown = new Map(
    places.flatMap(({ path, id }) => (known.has(id) ? [] : [[id, path] as const])),
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
    `git cannot read ${path || 'the top folder'} of a commit; \`git fsck\` shows what is wrong`,
  );
}

/** The folder at a path by its tree object. */
function folderOf(tree: GitObject | undefined, path: string, shared: SharedFiles): Folder {
  const parsed = tree && parseTree(tree);
  if (parsed === undefined) throw unreadable(path);
  const pathOf = (name: string) => (path === '' ? name : `${path}/${name}`);
  const entries = new Map<string, CommittedEntry>();
  const folders: Place[] = [];
  for (const { name, id, kind } of parsed.entries) {
    const place = { path: pathOf(name), id };
    if (kind === 'folder') folders.push(place);
    else entries.set(place.path, new CommittedEntry(place, kind, shared));
  }
  const { refused } = parsed;
  return { path, entries, folders, fault: refused && malformed(pathOf(refused.name), refused.why) };
}

function malformed(path: string, why: string): CommitProblem {
  return new CommitProblem({
    code: 'TREE_MALFORMED',
    message: `a commit has an entry here that git does not make: ${why}`,
    at: startOf(path),
    hint: '`git fsck` names the object: make the commit again with `git add` and `git commit`',
  });
}
