import { EnvironmentError } from '../../../core/model/problem.ts';
import { type Environment, Git, userGit } from '../../../core/world/git/git.ts';
import type { CommitDraft, Pushed, RemoteBranch } from '../remote-branch.ts';
import { areComplete, assertRemote, failure, gitResult, unreachable } from './git-remote.ts';
import { writeTree } from './git-written-tree.ts';

/** A clone and one of its remotes. */
export interface Clone {
  /** The folder in which leasehold runs: the clone's top folder, or one below it. */
  readonly root: string;
  /** The name of a configured remote. */
  readonly remote: string;
  readonly environment: Environment;
}

/** Throws an EnvironmentError, with advice, when the clone cannot make or push a commit. */
export async function assertReady(clone: Clone): Promise<void> {
  const { root, remote, environment } = clone;
  await assertRemote(root, remote);
  for (const who of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT']) {
    try {
      await userGit(root, environment, { settings: ['user.useConfigOnly=true'] }).raw(['var', who]);
    } catch {
      throw new EnvironmentError(
        'git does not know who makes the commit: set user.name and user.email with `git config`',
      );
    }
  }
}

/** A branch of a clone's remote, by a valid name without `refs/heads/`. */
export function remoteBranch(clone: Clone, branch: string): RemoteBranch {
  const git = new Git(clone.root);
  const ref = `refs/heads/${branch}`;
  const name = `${branch} of ${clone.remote}`;
  return {
    name,
    head: () => fetchHead(clone, git, branch),
    treeOf: (commit, folder) => treeOf(git, commit, folder),
    treeWith: (commit, changes) =>
      gitResult(writeTree(git, commit, changes), 'the files are not written'),
    write: (draft) => writeCommit(clone, draft),
    push: (commit) => push(clone, commit, ref),
    comesFrom: (commit, earlier) => comesFrom(git, commit, earlier),
    fetch: (commit) => fetchCommit(clone, git, commit),
    async isBehind(commit) {
      if ((await git.ask(['symbolic-ref', '--quiet', 'HEAD'])) !== ref) return false;
      const here = await git.idOf('HEAD');
      return here !== undefined && here !== commit && (await comesFrom(git, commit, here)) === true;
    },
  };
}

/** Several are needed when the branch is rewritten between ls-remote and the fetch. */
const fetches = 3;

/**
 * Asks for one ref, and fetches only when its commit is not complete here: a branch that does not
 * move costs one request. The fetch also updates the remote-tracking ref by the remote's refspec.
 */
async function fetchHead(clone: Clone, git: Git, branch: string): Promise<string | undefined> {
  const { root, remote, environment } = clone;
  const ref = `refs/heads/${branch}`;
  const problem = unreachable(remote);
  for (let tries = 1; ; tries += 1) {
    const question = ['ls-remote', '--quiet', '--', remote, ref];
    const lines = (await gitResult(userGit(root, environment).raw(question), problem)).split('\n');
    const id = lines.map((line) => line.split('\t')).find(([, found]) => found === ref)?.[0];
    if (id === undefined || (await areComplete(git, [id]))) return id;
    try {
      await userGit(root, environment).raw(['fetch', ...fetchOptions, '--', remote, ref]);
    } catch (error) {
      // A concurrent fetch may hold the lock of the remote-tracking ref.
      if (!(await areComplete(git, [id])) && tries >= fetches) throw failure(problem, error);
    }
    if (await areComplete(git, [id])) return id;
    if (tries >= fetches) throw new EnvironmentError(`${problem}: ${branch} keeps moving`);
  }
}

/** Fetches a commit by object name, which protocol version 2 and the forges allow. */
async function fetchCommit(
  { root, remote, environment }: Clone,
  git: Git,
  commit: string,
): Promise<boolean> {
  if (await areComplete(git, [commit])) return true;
  try {
    await userGit(root, environment).raw(['fetch', ...fetchOptions, '--', remote, commit]);
  } catch (error) {
    const isGone = /not our ref|unadvertised object|no such remote ref/i.test(String(error));
    if (!isGone) throw failure(unreachable(remote), error);
  }
  return areComplete(git, [commit]);
}

const fetchOptions = [
  '--no-progress',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
];

async function isPresent(git: Git, id: string): Promise<boolean> {
  return (await git.ask(['cat-file', '-t', id])) === 'commit';
}

async function treeOf(git: Git, commit: string, folder = ''): Promise<string | undefined> {
  const path = folder === '' ? '^{tree}' : `:./${folder}`;
  const id = await git.idOf(`${commit}${path}`);
  if (id === undefined) return undefined;
  return (await git.ask(['cat-file', '-t', id])) === 'tree' ? id : undefined;
}

/** Writes a commit, signed if commit.gpgSign is set: `git commit-tree` ignores that setting. */
async function writeCommit(clone: Clone, { tree, parent, message }: CommitDraft): Promise<string> {
  const { root, environment } = clone;
  const settings = ['user.useConfigOnly=true', 'i18n.commitEncoding=UTF-8'];
  const signs = await settingOf(clone, 'commit.gpgSign');
  const options = [...(parent === undefined ? [] : ['-p', parent]), ...(signs ? ['-S'] : [])];
  const git = userGit(root, environment, { input: message, settings });
  const id = await gitResult(
    git.raw(['commit-tree', ...options, '-F', '-', tree]),
    signs ? 'the commit is not signed' : 'the commit is not written',
  );
  return id.trim();
}

async function settingOf({ root, environment }: Clone, name: string): Promise<boolean> {
  try {
    const git = userGit(root, environment);
    return (
      (await git.raw(['config', '--type=bool', '--default=false', '--get', name])).trim() === 'true'
    );
  } catch {
    return false;
  }
}

/** Pushes without `+` and `--force`, so the remote accepts only descendants of its branch. */
async function push(
  { root, remote, environment }: Clone,
  commit: string,
  ref: string,
): Promise<Pushed> {
  const options = ['--porcelain', '--no-follow-tags', '--recurse-submodules=no'];
  try {
    await userGit(root, environment).raw(['push', ...options, '--', remote, `${commit}:${ref}`]);
    return { kind: 'pushed' };
  } catch (error) {
    const found = pushAnswer(error instanceof Error ? error.message : '');
    if (found) return found;
    throw failure(`the commit is not pushed to the remote '${remote}'`, error);
  }
}

async function comesFrom(git: Git, commit: string, earlier: string): Promise<boolean | undefined> {
  const base = await git.ask(['merge-base', earlier, commit]);
  if (base !== undefined) return base === earlier;
  return (await isPresent(git, earlier)) && (await isPresent(git, commit)) ? false : undefined;
}

/** Messages of a remote about a branch that another push has moved or is moving. */
const races =
  /fetch first|non-fast-forward|stale info|already exists|incorrect old value|failed to update ref|(?:cannot|failed to|unable to) lock|lock file|is at [0-9a-f]+ but expected/i;

/**
 * Parses the output of a failed `git push --porcelain` of one ref, standard error after standard
 * output. Undefined when the remote was not reached or did not answer.
 *
 * Git itself prints `[rejected]` for a branch that has moved. `[remote rejected]` comes from the
 * remote: the lock of another push is a race too; anything else is a refusal.
 */
export function pushAnswer(printed: string): Pushed | undefined {
  const [, mark, reason = ''] =
    /^!\t[^\t]*\t\[(rejected|remote rejected)\] \((.*)\)$/m.exec(printed) ?? [];
  if (mark === undefined) return undefined;
  const kind = mark === 'rejected' || races.test(reason) ? 'outrun' : 'refused';
  return { kind, reason: kind === 'outrun' ? reason : [reason, ...remarks(printed)].join('; ') };
}

/** The most lines of a hook's output that are shown. */
const mostRemarks = 5;

/** The output of the remote's hooks. */
function remarks(printed: string): readonly string[] {
  return [...printed.matchAll(/^remote: ?(.*?)\s*$/gm)]
    .flatMap(([, line = '']) => (line === '' ? [] : [line]))
    .slice(0, mostRemarks);
}
