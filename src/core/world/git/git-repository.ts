import type { CommitLog } from '../../interfaces/commit-log.ts';
import type { Commits } from '../../interfaces/commits.ts';
import type { GitStart, History, Merging } from '../../interfaces/work-tree.ts';
import { EnvironmentError } from '../../model/problem.ts';
import type { KnownFiles } from '../disk/disk-tree.ts';
import { Git, isInWorkTree, pathInWorkTree } from './git.ts';
import { gitCommits } from './git-commits.ts';
import { SharedFiles } from './git-committed-tree.ts';
import { gitLog } from './git-log.ts';
import { firstLineOf, linesIn } from './git-text.ts';
import {
  addToIndex,
  type CheckedOut,
  checkedOut,
  gitHistory,
  gitMergeState,
  type SoundState,
  soundState,
} from './git-work-tree.ts';

/**
 * The git repository around a folder, opened once for a run. Its parts share one {@link Git}, and
 * what they have read of commits and trees.
 */
export interface Repository {
  /** The folder around which it was opened. */
  readonly root: string;
  /** Its path in the work tree, with a slash at the end; empty for the top folder and outside git. */
  readonly path: string;
  readonly commits: Commits;
  /** Updates the index for some paths from the working tree; deleted files are removed from it. */
  addToIndex(paths: readonly string[]): Promise<void>;
  /** The state that its commits have in common with the working tree. */
  readonly files: KnownFiles;
  readonly log: CommitLog;
  readonly history: History;
  readonly merging: Merging;
  /**
   * The target of pull requests: the default branch of `origin`, or of the only remote; else `main`
   * there, or here. In a fork, that of the remote `upstream`, when it has all commits of `origin`. The
   * full ref name when the short one is ambiguous: a branch may itself be named `origin/main`.
   * Undefined when there is no such branch or no repository.
   */
  defaultRef(): Promise<string | undefined>;
  /**
   * Like {@link path}, as git has it. An EnvironmentError for characters other than ASCII letters,
   * digits, `.`, `_` and `-`: forges read patterns of such a path differently, and engines expand
   * braces and `$` in it.
   */
  folder(): Promise<string>;
  /** The content of a commit made now. The repository has a commit. */
  checkedOut(): Promise<CheckedOut>;
  /** The state before the last change that was made by hand; see {@link SoundState}. */
  soundState(): Promise<SoundState | undefined>;
  /** `origin` of a repository whose top folder this is; undefined without one. */
  origin(): Promise<Origin | undefined>;
  /** The state of the repository before its first push. */
  start(): Promise<GitStart>;
  /** Makes a repository without a commit in the folder, on a branch of this name. */
  make(branch: string): Promise<void>;
}

/** The remote `origin`. */
interface Origin {
  /** It may contain credentials. */
  readonly url: string;
  /** The version tag at HEAD, such as v0.1.0, or the commit, if a branch of the remote has it. */
  readonly ref: string | undefined;
}

/** Opens the repository around a folder. Git is not started yet. */
export function openRepository(root: string): Repository {
  const git = new Git(root);
  const files = new SharedFiles(git);
  const commits = gitCommits(git, files);
  return {
    root,
    path: pathInWorkTree(root) ?? '',
    commits,
    files: { parsed: files.parsed, idOf: (path) => files.idOf(path) },
    log: gitLog(git, () => defaultRef(git)),
    addToIndex: (paths) => addToIndex(git, paths),
    history: gitHistory(git, commits),
    merging: gitMergeState(git),
    defaultRef: () => defaultRef(git),
    folder: () => folderIn(git),
    checkedOut: () => checkedOut(git),
    soundState: () => soundState(git),
    origin: () => originOf(git),
    start: () => startOf(git),
    make: (branch) => make(git, branch),
  };
}

const localMain = 'refs/heads/main';

async function defaultRef(git: Git): Promise<string | undefined> {
  const names = await targetNames(git);
  const remote = await remoteOf(git, [...names.keys()]);
  const branchOf = (name: string) =>
    names.get(`refs/remotes/${name}/HEAD`) ?? names.get(`refs/remotes/${name}/main`);
  const [own, source] = [branchOf(remote), branchOf('upstream')];
  if (own === undefined || source === undefined || own === source) {
    return own ?? names.get(localMain);
  }
  const isFork = (await git.ask(['merge-base', '--is-ancestor', own, source])) !== undefined;
  return isFork ? source : own;
}

/**
 * By ref name: the local main, and HEAD and main of each remote, each with its unambiguous name.
 */
async function targetNames(git: Git): Promise<ReadonlyMap<string, string>> {
  const fields = '%(refname)%00%(refname:short)%00%(symref)%00%(symref:short)';
  const patterns = ['refs/remotes/**/HEAD', 'refs/remotes/**/main', localMain];
  const output = (await git.ask(['for-each-ref', `--format=${fields}`, ...patterns])) ?? '';
  return new Map(
    linesIn(output).map((line) => {
      const [ref = '', short = '', leadsTo = '', leadsToShort = ''] = line.split('\0');
      return [ref, leadsTo === '' ? refName(ref, short) : refName(leadsTo, leadsToShort)];
    }),
  );
}

/** The short name, or the full one when git's own short name shows that another ref has it. */
function refName(ref: string, short: string): string {
  return ref.replace(/^refs\/\w+\//, '') === short ? short : ref;
}

/** `origin`, if it has one of these refs; else the only remote. */
async function remoteOf(git: Git, refs: readonly string[]): Promise<string> {
  const isRemote = refs.some((ref) => ref !== localMain);
  if (!isRemote || refs.some((ref) => /^refs\/remotes\/origin\/(?:HEAD|main)$/.test(ref))) {
    return 'origin';
  }
  const remotes = linesIn((await git.ask(['remote'])) ?? '');
  return remotes.length === 1 ? (remotes[0] ?? 'origin') : 'origin';
}

async function folderIn(git: Git): Promise<string> {
  if (!isInWorkTree(git.root)) return '';
  const prefix = (await git.prefix()) ?? '';
  if (/^(?:[A-Za-z0-9._-]+\/)*$/.test(prefix)) return prefix;
  throw new EnvironmentError(
    'the path of this folder in its repository has characters that not every forge and engine reads alike: rename the folder',
  );
}

async function originOf(git: Git): Promise<Origin | undefined> {
  if (!isInWorkTree(git.root) || (await git.prefix()) !== '') return undefined;
  const url = await git.originUrl();
  if (!url) return undefined;
  const head = await git.idOf('HEAD');
  const containing = ['for-each-ref', '--count=1', '--contains', 'HEAD', 'refs/remotes/origin'];
  const isPushed = head !== undefined && (await git.ask(containing))?.trim();
  if (!isPushed) return { url, ref: undefined };
  const tag = await git.ask(['describe', '--tags', '--exact-match', '--match=v[0-9]*', 'HEAD']);
  return { url, ref: (tag ?? head).trim() };
}

async function startOf(git: Git): Promise<GitStart> {
  const branch = await git.ask(['symbolic-ref', '--quiet', '--short', 'HEAD']);
  const remotes = linesIn((await git.ask(['remote'])) ?? '');
  return {
    branch,
    hasCommit: (await git.idOf('HEAD')) !== undefined,
    hasOrigin: remotes.includes('origin'),
  };
}

async function make(git: Git, branch: string): Promise<void> {
  try {
    await git.run(['init', '--quiet', `--initial-branch=${branch}`]);
  } catch (error) {
    await git.assertInstalled();
    throw new EnvironmentError(
      `the files are written, but git cannot make a repository here; run \`git init\`: ${firstLineOf(error)}`,
    );
  }
}
