import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseDay } from '../../model/day.ts';
import { distFolder, leasesFolder, sourceIgnorePath, stateFolder } from '../../model/folders.ts';
import { EnvironmentError, InternalError } from '../../model/problem.ts';
import type { Commit, Commits, CommittedTree, EachCommit } from '../../ports/commits.ts';
import { assertInstalled, isInWorkTree, quietGit, readRepository } from './git.ts';
import { timeOf } from './git-log-fields.ts';
import { type GitObject, readObjects } from './git-objects.ts';
import { type Contents, readCommittedTree } from './git-tree.ts';

/** What leasehold reads of a commit. */
const readFolders: readonly string[] = [leasesFolder, distFolder, stateFolder, sourceIgnorePath];

/** The commits of the repository that root lies in, which may be a folder of it. */
export function gitCommits(root: string): Commits {
  const contents: Contents = new Map();
  // A commit and its tree never change. A ref may: a bot fetches between two questions.
  const commits = new Map<string, Commit>();
  const trees = new Map<string, Promise<CommittedTree>>();
  const commitOf = async (id: string): Promise<Commit> => {
    const commit = commits.get(id) ?? firstOf(await log(root, ['--no-walk', id]));
    commits.set(id, commit);
    return commit;
  };
  const mergeBases = async (
    left: string,
    ...right: readonly string[]
  ): Promise<readonly Commit[]> => {
    if (right.includes(left)) return [await commitOf(left)];
    const ids = (await ask(root, ['merge-base', '--all', left, ...right]))?.trim().split('\n');
    if (ids === undefined) throw new EnvironmentError(await unrelated(root));
    const [id] = ids;
    if (id !== undefined && ids.length === 1) return [await commitOf(id)];
    return log(root, ['--no-walk=unsorted', ...ids]);
  };
  const resolveEach = async <const Refs extends readonly string[]>(
    refs: Refs,
  ): Promise<EachCommit<Refs>> => {
    if (!isInWorkTree(root)) throw new EnvironmentError(noWorkTree(root));
    const unknown = refs.filter((ref) => !commits.has(ref));
    const named = await namedCommits(root, unknown);
    for (const commit of named.values()) commits.set(commit.id, commit);
    const found: Commit[] = [];
    for (const ref of refs) {
      const commit = commits.get(ref) ?? named.get(ref);
      if (commit === undefined) throw new EnvironmentError(await whyUnknown(root, ref));
      found.push(commit);
    }
    return found as EachCommit<Refs>;
  };
  return {
    resolve: async (ref) => (await resolveEach([ref]))[0],
    resolveEach,
    mergeBase: async (left, right) => firstOf(await mergeBases(left, right)),
    mergeBases,
    async tree(commit, folders = readFolders) {
      const key = [commit, ...folders].join(' ');
      const tree = trees.get(key) ?? readCommittedTree(root, { commit, folders }, contents);
      trees.set(key, tree);
      return tree;
    },
    between: async (from, to) => (from === to ? [] : log(root, [`${from}..${to}`])),
    async mergedFiles(merge) {
      const names = ['--name-only', '--no-commit-id', '-z', '--relative'];
      const command = ['diff-tree', '-r', '-c', '--no-renames', ...names, merge, '--'];
      return parts(await readRepository(root, [...command, leasesFolder]));
    },
    async isDirty() {
      // Without its locks, git does not write what it finds about files into the index.
      const command = ['--no-optional-locks', 'status'];
      const shown = ['--porcelain', '-z', '--untracked-files=all', '--no-renames'];
      const folders = [leasesFolder, distFolder];
      return (await quietGit(root).raw([...command, ...shown, '--', ...folders])) !== '';
    },
  };
}

const objectName = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * The commits that refs, tags, branches and object names name, all asked at once. Without what names none, such as a
 * range, and without any when git does not read the repository.
 */
async function namedCommits(
  root: string,
  refs: readonly string[],
): Promise<ReadonlyMap<string, Commit>> {
  const asked = refs.filter((ref) => !/\.\.|\n/.test(ref));
  const objects = await committed(root, asked);
  return new Map(
    asked.flatMap((ref, index) => {
      const object = objects[index];
      return object === undefined ? [] : [[ref, commitIn(object)] as const];
    }),
  );
}

async function committed(root: string, refs: readonly string[]) {
  try {
    return await readObjects(
      root,
      refs.map((ref) => `${ref}^{commit}`),
    );
  } catch (error) {
    if (error instanceof EnvironmentError) return [];
    throw error;
  }
}

/** A commit as git keeps it: lines of fields, an empty line, the message. */
function commitIn({ id, bytes }: GitObject): Commit {
  const text = Buffer.from(bytes).toString('latin1');
  const end = text.indexOf('\n\n');
  const fields = text.slice(0, end < 0 ? text.length : end).split('\n');
  const valuesOf = (name: string) =>
    fields.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []));
  const seconds = / (\d+) [-+]\d+$/.exec(valuesOf('committer')[0] ?? '')?.[1];
  const message = end < 0 ? new Uint8Array() : bytes.subarray(end + 2);
  const [encoding = 'utf-8'] = valuesOf('encoding');
  return {
    id,
    ...timesOf(id, seconds),
    parents: valuesOf('parent'),
    message: decoded(message, encoding),
  };
}

/** Text of an encoding that nobody knows is read as UTF-8, as git log does. */
function decoded(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** A sentence that says why git names no commit at all here, or not this one. */
async function whyUnknown(root: string, ref: string): Promise<string> {
  await assertInstalled(root);
  if ((await ask(root, ['rev-parse', '--git-dir'])) === undefined) {
    return 'git does not open this repository; git status says why (it may belong to another user: git config safe.directory)';
  }
  if ((await ask(root, ['rev-parse', '--verify', '--quiet', 'HEAD'])) === undefined) {
    return 'the repository has no commit yet: commit what there is first';
  }
  return unknownRef(root, ref);
}

/** True for a folder that is a bare repository, or git's own in a clone. */
export function isBareRepository(root: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(root, name)));
}

function noWorkTree(root: string): string {
  return isBareRepository(root)
    ? 'this is a bare repository: clone it, and run leasehold in the clone'
    : 'this folder is in no git repository: run leasehold in a clone, or name one with -C';
}

/** What to do about a clone that is too shallow. */
export const deepen =
  'fetch its history (git fetch --unshallow; fetch-depth: 0 in a GitHub workflow, GIT_DEPTH: 0 in a GitLab pipeline)';

async function unknownRef(root: string, ref: string): Promise<string> {
  const shallow = (await isShallow(root)) ? `, and the clone is shallow: ${deepen}` : '';
  return `git knows no commit '${ref}'${shallow === '' ? ': fetch it, or name another' : shallow}`;
}

async function unrelated(root: string): Promise<string> {
  return (await isShallow(root))
    ? `the clone is too shallow to tell where base and head part: ${deepen}`
    : 'base and head have no commit in common: name a base that the head comes from';
}

/** True for a clone that lacks the older commits. */
export async function isShallow(root: string): Promise<boolean> {
  return (await ask(root, ['rev-parse', '--is-shallow-repository']))?.trim() === 'true';
}

/** What a command prints; undefined when it fails. */
export async function ask(root: string, command: string[]): Promise<string | undefined> {
  try {
    return await quietGit(root).raw(command);
  } catch {
    return undefined;
  }
}

/** Committer's day, parents and message of some commits, newest first. */
async function log(root: string, which: readonly string[]): Promise<readonly Commit[]> {
  return commitsIn(await readRepository(root, [...logCommand, ...which]));
}

const logFormat = '--format=%H%x00%ct%x00%P%x00%B';
const logCommand = ['log', '-z', '--no-show-signature', '--encoding=UTF-8', logFormat] as const;

function commitsIn(output: string): readonly Commit[] {
  const fields = output.split('\0');
  const commits: Commit[] = [];
  for (let index = 0; index + 3 < fields.length; index += 4) {
    const [id = '', seconds = '', parents = '', message = ''] = fields.slice(index, index + 4);
    // A message of a strange encoding can hold the character that fields end with.
    if (!objectName.test(id)) throw new EnvironmentError('git log shows a commit that has no name');
    const own = parents.split(' ').filter((parent) => parent);
    commits.push({ id, ...timesOf(id, seconds), parents: own, message });
  }
  return commits;
}

function timesOf(id: string, seconds: string | undefined): Pick<Commit, 'at' | 'day'> {
  const at = timeOf(id, seconds);
  const day = parseDay(at.slice(0, 10));
  if (day === undefined) throw new EnvironmentError(`commit ${id} has no readable date`);
  return { at, day };
}

function firstOf([commit]: readonly Commit[]): Commit {
  if (commit === undefined) throw new InternalError('git shows no commit for an object name');
  return commit;
}

function parts(output: string): string[] {
  return output.split('\0').filter((part) => part !== '');
}
