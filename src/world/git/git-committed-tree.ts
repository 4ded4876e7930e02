import { EnvironmentError, InternalError } from '../../model/problem.ts';
import type { CommittedTree } from '../../ports/commits.ts';
import type { TreeEntry } from '../../ports/tree.ts';
import type { Git } from './git.ts';
import type { GitObject } from './git-objects.ts';

/** Trees and files by object name: commits share most of them. */
export type KnownObjects = Map<string, GitObject>;

/** Folders of a commit. */
interface CommittedFolders {
  readonly commit: string;
  readonly folders: readonly string[];
}

/** Reads folders of a commit, with the contents of all their files. */
export async function readCommittedTree(
  git: Git,
  wanted: CommittedFolders,
  known: KnownObjects,
): Promise<CommittedTree> {
  const found = await entriesBelow(git, wanted, known);
  const files = found.filter(({ mode }) => isFile(mode));
  await readObjects(git, files, known);
  const listed = found.map(({ path, mode, id }): TreeEntry => {
    if (!isFile(mode)) return { path, kind: 'other', size: 0 };
    return { path, kind: 'file', size: known.get(id)?.size ?? 0 };
  });
  const ids = new Map(found.map(({ path, id }) => [path, id]));
  return {
    list: (folder) => listed.filter(({ path }) => isBelow(path, folder)),
    read(path) {
      const id = ids.get(path);
      if (id === undefined) throw new InternalError(`${path} of ${wanted.commit} was not listed`);
      const object = known.get(id);
      if (object?.type === 'blob' && object.bytes !== undefined) return object.bytes;
      throw new EnvironmentError(`${path} of ${wanted.commit} is not a file of at most 16 MiB`);
    },
    idOf: (path) => ids.get(path),
  };
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
  known: KnownObjects,
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
  known: KnownObjects,
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
