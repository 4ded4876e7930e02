import type { SimpleGit } from 'simple-git';
import { EnvironmentError } from '../../../core/model/problem.ts';
import { type Environment, Git, isInWorkTree, userGit } from '../../../core/world/git/git.ts';
import { firstLineOf, linesIn, linesOf, reasonOfGit } from '../../../core/world/git/git-text.ts';
import type { RemoteHead, RemoteHeads } from '../diverged-branches.ts';

/** Throws an EnvironmentError, with advice, when the clone does not have the remote. */
export async function assertRemote(root: string, remote: string): Promise<void> {
  if (!isInWorkTree(root)) {
    throw new EnvironmentError(
      'this folder is not in a git work tree: run leasehold in a clone, or name one with -C',
    );
  }
  const output = await gitResult(remotesOf(new Git(root)), 'git does not open this repository');
  const remotes = linesIn(output);
  if (!remotes.includes(remote)) {
    const known = remotes.length > 0 ? `it has ${remotes.join(', ')}` : '`git remote add` adds one';
    throw new EnvironmentError(`the clone has no remote '${remote}': ${known}`);
  }
}

async function remotesOf(git: Git): Promise<string> {
  try {
    return await git.run(['remote']);
  } catch (error) {
    await git.assertOpen();
    throw error;
  }
}

/** The problem of a remote that does not answer. */
export function unreachable(remote: string): string {
  return `the remote '${remote}' cannot be reached`;
}

/** The result of git. A failure becomes an EnvironmentError that begins with `problem`. */
export async function gitResult<Value>(value: Promise<Value>, problem: string): Promise<Value> {
  try {
    return await value;
  } catch (error) {
    throw error instanceof EnvironmentError ? error : failure(problem, error);
  }
}

/** The problem with git's reason. */
export function failure(problem: string, error: unknown): EnvironmentError {
  const reason = reasonOfGit(error) || firstLineOf(error);
  return new EnvironmentError(`${problem}: ${reason}`);
}

/**
 * The refs of a clone's remote. Names of refs are never passed to git again, nor to a shell; only
 * object names are. `limit` ends requests to the remote.
 */
export function gitRemoteHeads(
  root: string,
  remote: string,
  environment: Environment,
  limit?: AbortSignal,
): RemoteHeads {
  const git = new Git(root);
  const target = { root, remote, environment, limit };
  return {
    async list(patterns) {
      await assertRemote(root, remote);
      const command = ['ls-remote', '--quiet', '--', remote, ...patterns];
      return headsIn(await gitResult(remoteGit(target).raw(command), unreachable(remote)));
    },
    async bring(commits) {
      const here = await completeOf(git, commits);
      const missing = commits.filter((commit) => !here.has(commit));
      for (let start = 0; start < missing.length; start += atOnce) {
        await fetchSome(target, missing.slice(start, start + atOnce));
      }
      return missing.length === 0 ? here : completeOf(git, commits);
    },
  };
}

interface FetchTarget {
  readonly root: string;
  readonly remote: string;
  readonly environment: Environment;
  readonly limit: AbortSignal | undefined;
}

function remoteGit({ root, environment, limit }: FetchTarget): SimpleGit {
  return userGit(root, environment, { signal: limit });
}

/** Bounds the length of a command line. */
const atOnce = 100;

/**
 * A pattern also matches the target of an annotated tag, printed as `<ref>^{}`, which is not a ref.
 */
function headsIn(output: string): readonly RemoteHead[] {
  return output.split('\n').flatMap((line) => {
    const [, commit, ref] = /^([0-9a-f]{40}|[0-9a-f]{64})\t(refs\/\S+)$/.exec(line) ?? [];
    return commit === undefined || ref === undefined || ref.endsWith('^{}')
      ? []
      : [{ ref, commit }];
  });
}

/** Those of the commits that the clone has with their files and history. */
async function completeOf(git: Git, commits: readonly string[]): Promise<ReadonlySet<string>> {
  const lines = (await git.readBounded(['cat-file', '--batch-check'], commits)).split('\n');
  const present = lines.flatMap((line) => /^([0-9a-f]+) commit \d+$/.exec(line)?.[1] ?? []);
  if (await areComplete(git, present)) return new Set(present);
  const complete = new Set<string>();
  for (const commit of present) {
    if (await areComplete(git, [commit])) complete.add(commit);
  }
  return complete;
}

/**
 * True when the clone has commits with their files and history. A fetch that was ended may have left
 * a commit alone. As for git, only what a ref leads to is known to be complete.
 */
export async function areComplete(git: Git, commits: readonly string[]): Promise<boolean> {
  if (commits.length === 0) return true;
  const options = ['--objects', '--quiet', '--exclude-promisor-objects', '--stdin'];
  try {
    await git.run(['rev-list', ...options, '--not', '--all'], { input: linesOf(commits) });
    return true;
  } catch {
    return false;
  }
}

const fetchOptions = [
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--no-auto-maintenance',
  '--refmap=',
];

/**
 * Fetches commits together; when the remote refuses one of them, one by one. Commits that do not
 * arrive in time stay missing.
 */
async function fetchSome(target: FetchTarget, commits: readonly string[]): Promise<void> {
  if (target.limit?.aborted) return;
  try {
    await remoteGit(target).raw(['fetch', ...fetchOptions, '--', target.remote, ...commits]);
  } catch (error) {
    if (target.limit?.aborted) return;
    if (!notGiven.test(String(error))) throw failure(unreachable(target.remote), error);
    if (commits.length === 1) return;
    for (const commit of commits) await fetchSome(target, [commit]);
  }
}

const notGiven =
  /not our ref|unadvertised object|no such remote ref|missing necessary objects|did not send all/i;
