import { EnvironmentError, InternalError } from '../../model/problem.ts';
import type { CommittedTree } from '../../ports/commits.ts';
import type { TreeEntry } from '../../ports/tree.ts';
import { readRepository } from './git.ts';
import { readObjects } from './git-objects.ts';

/** Contents by object name: two commits share most of them. */
export type Contents = Map<string, Uint8Array>;

/** A larger file is not read: nothing of ours comes near it, and a commit may hold anything. */
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

/**
 * Folders of a commit, all of it read at once. Bytes come as they are committed: no filter, line end or attribute of the
 * repository changes them.
 */
export async function readCommittedTree(
  root: string,
  { commit, folders }: CommittedFolders,
  contents: Contents,
): Promise<CommittedTree> {
  const listed = await listTree(root, { commit, folders });
  const wanted = listed.filter(
    ({ kind, id, size }) => kind === 'file' && size <= mostBytes && !contents.has(id),
  );
  await readContents(root, [...new Set(wanted.map(({ id }) => id))], contents);
  const ids = new Map(listed.map(({ path, id }) => [path, id]));
  return {
    list: (folder) => listed.filter(({ path }) => path === folder || path.startsWith(`${folder}/`)),
    read(path) {
      const bytes = contents.get(ids.get(path) ?? '');
      if (bytes !== undefined) return bytes;
      if (!ids.has(path)) throw new InternalError(`${path} of ${commit} was not listed`);
      throw new EnvironmentError(`${path} of ${commit} is no file of at most 16 MiB`);
    },
    idOf: (path) => ids.get(path),
  };
}

async function listTree(
  root: string,
  { commit, folders }: CommittedFolders,
): Promise<readonly Listed[]> {
  const command = ['ls-tree', '-r', '-l', '-z', commit, '--', ...folders];
  const output = await readRepository(root, command);
  return output.split('\0').flatMap((line) => {
    if (line === '') return [];
    const [, mode, id, size, path] = /^(\d{6}) \w+ ([0-9a-f]+) +(\d+|-)\t(.+)$/s.exec(line) ?? [];
    // Git lists a file that it has lost with the size BAD.
    if (mode === undefined || id === undefined || path === undefined) {
      throw new EnvironmentError(`git cannot read a file of the commit ${commit}: ${line}`);
    }
    const isFile = mode === '100644' || mode === '100755';
    return [{ path, id, kind: isFile ? 'file' : 'other', size: Number(size) || 0 }];
  });
}

async function readContents(
  root: string,
  ids: readonly string[],
  contents: Contents,
): Promise<void> {
  const objects = await readObjects(root, ids);
  ids.forEach((id, index) => {
    const object = objects[index];
    if (object?.type !== 'blob') throw new EnvironmentError(`git cannot read the object ${id}`);
    contents.set(id, object.bytes);
  });
}
