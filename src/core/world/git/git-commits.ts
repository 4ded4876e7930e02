import type { Commit, Commits, CommittedTree, EachCommit } from '../../interfaces/commits.ts';
import { ifAvailable } from '../../model/calls.ts';
import { type Day, parseDay } from '../../model/day.ts';
import { nearest } from '../../model/order.ts';
import { EnvironmentError, InternalError } from '../../model/problem.ts';
import {
  distFolder,
  leasesFolder,
  readPaths,
  recordFolders,
} from '../../model/repository-paths.ts';
import { type Git, isBareRepository, isInWorkTree } from './git.ts';
import { automerge } from './git-automerge.ts';
import { readCommittedTree, SharedFiles } from './git-committed-tree.ts';
import { landings } from './git-landings.ts';
import { logFormat, loggedCommits, timeOf } from './git-log-format.ts';
import type { GitObject } from './git-objects.ts';
import { linesOf, partsIn } from './git-text.ts';

/** The commits of a repository. Each commit and tree is read once. */
export function gitCommits(git: Git, shared = new SharedFiles(git)): Commits {
  const resolveEach = commitResolver(git);
  const mergeBases: Commits['mergeBases'] = async (left, ...right) => {
    if (right.includes(left)) return resolveEach([left]);
    const ids = (await git.ask(['merge-base', '--all', left, ...right]))?.trim().split('\n');
    if (ids === undefined) throw new EnvironmentError(await unrelated(git));
    if (await hidesBases(git, [left, ...right], ids)) {
      throw new EnvironmentError(await unrelated(git));
    }
    return resolveEach(ids);
  };
  return {
    resolve: async (ref) => (await resolveEach([ref]))[0],
    resolveEach,
    find: async (ref) => (await namedCommits(git, [ref])).get(ref),
    mergeBase: async (left, right) => firstOf(await mergeBases(left, right)),
    mergeBases,
    tree: treeReader(git, shared),
    between: async (from, to) => (from === to ? [] : log(git, [`${from}..${to}`])),
    landings: (commit, days) => landings(git, commit, days),
    async mergedFiles(merge) {
      const names = ['--name-only', '--no-commit-id', '-z', '--relative'];
      const command = ['diff-tree', '-r', '-c', '--no-renames', ...names, merge, '--'];
      return partsIn(await git.read([...command, leasesFolder]));
    },
    automerge: (merge, paths) => automerge(git, merge, paths),
    async committerOf(commit) {
      const [object] = await git.objects.read([commit]);
      return /^committer .*<(.*)>/m.exec(object?.bytes?.toString('utf8') ?? '')?.[1] ?? '';
    },
    async isDirty() {
      // Without optional locks, git does not refresh the index file.
      const command = ['--no-optional-locks', 'status'];
      const shown = ['--porcelain', '-z', '--untracked-files=all', '--no-renames'];
      const folders = [leasesFolder, distFolder];
      const changes = partsIn(await git.read([...command, ...shown, '--', ...folders]));
      shared.changed = new Set(changes.map((change) => change.slice(3)));
      return changes.length > 0;
    },
    async hasChangedRecords() {
      const shown = ['--porcelain', '-z', '--untracked-files=no', '--no-renames'];
      const command = ['--no-optional-locks', 'status', ...shown, '--', ...recordFolders];
      // What the index alone has is not a record of HEAD, unless both sides of a merge have it.
      return partsIn(await git.read(command)).some((line) => !/^A[^AU]/.test(line));
    },
  };
}

/** Reads the commits that refs name. A commit never changes. A ref may: bots fetch meanwhile. */
function commitResolver(git: Git): Commits['resolveEach'] {
  const commits = new Map<string, Commit>();
  return async <const Refs extends readonly string[]>(refs: Refs): Promise<EachCommit<Refs>> => {
    assertWorkTree(git.root);
    const unknown = refs.filter((ref) => !commits.has(ref));
    const named = await namedCommits(git, unknown);
    for (const commit of named.values()) commits.set(commit.id, commit);
    const found: Commit[] = [];
    for (const ref of refs) {
      const commit = commits.get(ref) ?? named.get(ref);
      if (commit === undefined) throw new EnvironmentError(await whyUnknown(git, ref));
      found.push(commit);
    }
    return found as EachCommit<Refs>;
  };
}

/** Reads trees of commits, each with the same folders once. */
function treeReader(git: Git, shared: SharedFiles): Commits['tree'] {
  const trees = new Map<string, Promise<CommittedTree>>();
  return async (commit, folders = readPaths, isBase = false) => {
    const key = [commit, isBase, ...folders].join(' ');
    const tree = trees.get(key) ?? readCommittedTree(git, { commit, folders, isBase }, shared);
    trees.set(key, tree);
    return tree;
  };
}

/**
 * By name the commits that refs, tags, branches and object names name, read by one process. What
 * names no commit, such as a range, is left out; all are when git cannot read the repository.
 */
async function namedCommits(
  git: Git,
  refs: readonly string[],
): Promise<ReadonlyMap<string, Commit>> {
  const asked = refs.filter((ref) => !/\.\.|\n/.test(ref));
  const objects = await committed(git, asked);
  return new Map(
    asked.flatMap((ref, index) => {
      const object = objects[index];
      return object === undefined ? [] : [[ref, commitIn(object)] as const];
    }),
  );
}

/** A short name is that of a branch, also when a tag has it too: git itself prefers the tag. */
async function committed(git: Git, refs: readonly string[]) {
  const names = refs.map((ref) =>
    /^(?!HEAD|refs\/)[\w./-]+(?:[~^]\d*)*$/.test(ref)
      ? [`refs/heads/${ref}`, `refs/remotes/${ref}`, ref]
      : [ref],
  );
  const asked = names.flat().map((name) => `${name}^{commit}`);
  const found = (await ifAvailable(() => git.objects.read(asked))) ?? [];
  let start = 0;
  return names.map(({ length }) => {
    start += length;
    return found.slice(start - length, start).find((object) => object !== undefined);
  });
}

/** Parses a commit object: lines of fields, an empty line, the message. */
function commitIn({ id, bytes }: GitObject): Commit {
  if (bytes === undefined) throw new EnvironmentError(`commit ${id} is larger than 16 MiB`);
  const text = bytes.toString('latin1');
  const end = text.indexOf('\n\n');
  const fields = text.slice(0, end < 0 ? text.length : end).split('\n');
  const valuesOf = (name: string) =>
    fields.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []));
  const seconds = / (\d+) [-+]\d+$/.exec(valuesOf('committer')[0] ?? '')?.[1];
  const message = end < 0 ? new Uint8Array() : bytes.subarray(end + 2);
  const [encoding = 'utf-8'] = valuesOf('encoding');
  const at = timeOf(id, seconds);
  return {
    id,
    at,
    day: dayOf(id, at),
    parents: valuesOf('parent'),
    message: decoded(message, encoding),
  };
}

/** Decodes text; an unknown encoding is read as UTF-8, as git log does. */
function decoded(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** The reason why a ref names no commit, as a sentence with what to do. */
async function whyUnknown(git: Git, ref: string): Promise<string> {
  await git.assertOpen();
  if ((await git.idOf('HEAD')) === undefined) {
    return 'the repository has no commit yet: commit what there is first';
  }
  return unknownRef(git, ref);
}

/** Throws an EnvironmentError for a folder that is not in a work tree. Works without git. */
function assertWorkTree(root: string): void {
  if (isInWorkTree(root)) return;
  throw new EnvironmentError(
    isBareRepository(root)
      ? 'this is a bare repository: clone it, and run leasehold in the clone'
      : 'this folder is not in a git repository: run leasehold in a clone, or name one with -C',
  );
}

/** Advice for a clone that is too shallow. */
export const deepen =
  'fetch its history (`git fetch --unshallow`; fetch-depth: 0 in a GitHub workflow, GIT_DEPTH: 0 in a GitLab pipeline)';

async function unknownRef(git: Git, ref: string): Promise<string> {
  const shallow = (await git.isShallow()) ? `, and the clone is shallow: ${deepen}` : '';
  if (shallow !== '') return `git knows no commit '${ref}'${shallow}`;
  const refs = ['refs/heads', 'refs/remotes', 'refs/tags'];
  const listed = await git.ask([
    'for-each-ref',
    '--count=1000',
    '--format=%(refname:short)',
    ...refs,
  ]);
  const meant = nearest(ref, listed?.split('\n') ?? []);
  const advice = meant === undefined ? 'fetch it, or name another' : `did you mean '${meant}'?`;
  return `git knows no commit '${ref}': ${advice}`;
}

/**
 * True when a shallow clone may lack a merge base: a way back from the commits ends before it
 * reaches one that all of them have. A commit that the others descend from is the only one.
 */
async function hidesBases(
  git: Git,
  commits: readonly string[],
  bases: readonly string[],
): Promise<boolean> {
  if (bases.some((base) => commits.includes(base)) || !(await git.isShallow())) return false;
  const [left = '', ...right] = commits;
  const ends = ['rev-list', '--max-count=1', '--max-parents=0', '--stdin'];
  const ways = right.map((one) => `${left}...${one}`);
  return (await git.read(ends, { input: linesOf(ways) })) !== '';
}

async function unrelated(git: Git): Promise<string> {
  return (await git.isShallow())
    ? `the clone is too shallow to find the merge base of base and head: ${deepen}`
    : 'base and head have no common commit: name a base that the head descends from';
}

/** Some commits, newest first. */
async function log(git: Git, which: readonly string[]): Promise<readonly Commit[]> {
  return loggedCommits(await git.read(['log', ...logFormat, ...which])).map(
    ({ id, at, parents, message }) => ({ id, at, day: dayOf(id, at), parents, message }),
  );
}

function dayOf(id: string, at: string): Day {
  const day = parseDay(at.slice(0, 10));
  if (day === undefined) throw new EnvironmentError(`commit ${id} has no readable date`);
  return day;
}

function firstOf([commit]: readonly Commit[]): Commit {
  if (commit === undefined) throw new InternalError('git finds no commit for an object name');
  return commit;
}
