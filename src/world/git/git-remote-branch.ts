import { EnvironmentError } from '../../model/problem.ts';
import type { CommitDraft, Pushed, RemoteBranch } from '../../ports/remote-branch.ts';
import { quietGit } from './git.ts';
import { asked, assertRemote, failure, notReached } from './git-remote.ts';
import { writeTree } from './git-tree-write.ts';
import { type Environment, userGit } from './git-user.ts';
import { pushAnswer } from './push-answer.ts';

/** A clone, and where its remote is found. */
export interface Clone {
  /** The folder that leasehold runs in: the clone's top folder, or one below it. */
  readonly root: string;
  /** The name of a configured remote. */
  readonly remote: string;
  readonly environment: Environment;
}

/** An EnvironmentError, with what to do, for a clone in which no commit can be made or pushed. */
export async function assertReady(clone: Clone): Promise<void> {
  const { root, remote, environment } = clone;
  await assertRemote(root, remote);
  for (const who of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT']) {
    try {
      await userGit(root, environment, { settings: ['user.useConfigOnly=true'] }).raw(['var', who]);
    } catch {
      throw new EnvironmentError(
        'git does not know who makes the commit: git config user.name and git config user.email say it',
      );
    }
  }
}

/** A branch of a clone's remote. Its name is one that git allows, without `refs/heads/`. */
export function remoteBranch(clone: Clone, branch: string): RemoteBranch {
  const { root, remote } = clone;
  const ref = `refs/heads/${branch}`;
  const name = `${branch} of ${remote}`;
  return {
    name,
    head: () => fetchHead(clone, branch),
    treeOf: (commit, folder) => treeOf(root, commit, folder),
    treeWith: (commit, changes) =>
      asked(writeTree(root, commit, changes), 'the files are not written'),
    write: (draft) => writeCommit(clone, draft),
    push: (commit) => push(clone, commit, ref),
    comesFrom: (commit, earlier) => comesFrom(root, commit, earlier),
    fetch: (commit) => fetchCommit(clone, commit),
    async isBehind(commit) {
      if ((await answer(root, ['symbolic-ref', '--quiet', 'HEAD'])) !== ref) return false;
      const here = await answer(root, ['rev-parse', '--verify', '--quiet', 'HEAD']);
      return (
        here !== undefined && here !== commit && (await comesFrom(root, commit, here)) === true
      );
    },
  };
}

/** More than one is needed when the branch is rewritten between the question and the fetch. */
const fetches = 3;

/**
 * Asks for one ref, and fetches only when its commit is not here: following a branch that does not move
 * costs one question. The clone's own remote-tracking ref goes along, as its refspec says.
 */
async function fetchHead(clone: Clone, branch: string): Promise<string | undefined> {
  const { root, remote, environment } = clone;
  const ref = `refs/heads/${branch}`;
  const problem = notReached(remote);
  for (let tries = 1; ; tries += 1) {
    const question = ['ls-remote', '--quiet', '--', remote, ref];
    const lines = (await asked(userGit(root, environment).raw(question), problem)).split('\n');
    const id = lines.map((line) => line.split('\t')).find(([, found]) => found === ref)?.[0];
    if (id === undefined || (await isHere(root, id))) return id;
    try {
      await userGit(root, environment).raw(['fetch', ...fetchOptions, '--', remote, ref]);
    } catch (error) {
      // Another process that fetches at the same time may have the lock of the remote-tracking ref.
      if (!(await isHere(root, id)) && tries >= fetches) throw failure(problem, error);
    }
    if (await isHere(root, id)) return id;
    if (tries >= fetches) throw new EnvironmentError(`${problem}: ${branch} moves all the time`);
  }
}

/** By its name alone, as protocol version 2 and the forges allow it. */
async function fetchCommit({ root, remote, environment }: Clone, commit: string): Promise<boolean> {
  if (await isHere(root, commit)) return true;
  try {
    await userGit(root, environment).raw(['fetch', ...fetchOptions, '--', remote, commit]);
  } catch (error) {
    const isGone = /not our ref|unadvertised object|no such remote ref/i.test(String(error));
    if (!isGone) throw failure(notReached(remote), error);
  }
  return isHere(root, commit);
}

const fetchOptions = [
  '--no-progress',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
];

/**
 * Asked so that there is an answer to read: for a command that prints nothing, simple-git waits 50 ms, in
 * which somebody else could be first.
 */
async function isHere(root: string, id: string): Promise<boolean> {
  return (await answer(root, ['cat-file', '-t', id])) === 'commit';
}

async function treeOf(root: string, commit: string, folder = ''): Promise<string | undefined> {
  const path = folder === '' ? '^{tree}' : `:./${folder}`;
  const id = await answer(root, ['rev-parse', '--verify', '--quiet', `${commit}${path}`]);
  if (id === undefined) return undefined;
  return (await answer(root, ['cat-file', '-t', id])) === 'tree' ? id : undefined;
}

/** Signed, when the user's settings say so: `git commit-tree` does not look at them itself. */
async function writeCommit(clone: Clone, { tree, parent, message }: CommitDraft): Promise<string> {
  const { root, environment } = clone;
  const settings = ['user.useConfigOnly=true', 'i18n.commitEncoding=UTF-8'];
  const signs = await settingOf(clone, 'commit.gpgSign');
  const options = [...(parent === undefined ? [] : ['-p', parent]), ...(signs ? ['-S'] : [])];
  const git = userGit(root, environment, { input: message, settings });
  const id = await asked(
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

/** Without `+` and `--force`, the remote takes only what comes from where its branch is. */
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

async function comesFrom(
  root: string,
  commit: string,
  earlier: string,
): Promise<boolean | undefined> {
  const base = await answer(root, ['merge-base', earlier, commit]);
  if (base !== undefined) return base === earlier;
  return (await isHere(root, earlier)) && (await isHere(root, commit)) ? false : undefined;
}

/** What a command that changes nothing prints, without the last line break; undefined when it fails. */
async function answer(root: string, command: string[]): Promise<string | undefined> {
  try {
    return (await quietGit(root).raw(command)).replace(/\n$/, '');
  } catch {
    return undefined;
  }
}
