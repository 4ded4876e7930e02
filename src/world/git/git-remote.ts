import { EnvironmentError } from '../../model/problem.ts';
import { assertInstalled, firstLine, isInWorkTree, quietGit } from './git.ts';
import { reasonOfGit } from './git-user.ts';

/** An EnvironmentError, with what to do, for a clone that does not have the remote. */
export async function assertRemote(root: string, remote: string): Promise<void> {
  if (!isInWorkTree(root)) {
    throw new EnvironmentError(
      'this folder is in no git work tree: run leasehold in a clone, or name one with -C',
    );
  }
  const remotes = (await asked(remotesOf(root), 'git does not open this repository'))
    .split('\n')
    .filter((name) => name !== '');
  if (!remotes.includes(remote)) {
    const known = remotes.length > 0 ? `it has ${remotes.join(', ')}` : 'git remote add adds one';
    throw new EnvironmentError(`the clone has no remote '${remote}': ${known}`);
  }
}

async function remotesOf(root: string): Promise<string> {
  try {
    return await quietGit(root).raw(['remote']);
  } catch (error) {
    await assertInstalled(root);
    throw error;
  }
}

/** What is the matter when a remote does not answer. */
export function notReached(remote: string): string {
  return `the remote '${remote}' is not reached`;
}

/** What git answers; its failure is an EnvironmentError that begins with the problem. */
export async function asked<Value>(value: Promise<Value>, problem: string): Promise<Value> {
  try {
    return await value;
  } catch (error) {
    throw error instanceof EnvironmentError ? error : failure(problem, error);
  }
}

/** The problem, and git's reason for it. */
export function failure(problem: string, error: unknown): EnvironmentError {
  const reason = reasonOfGit(error) || firstLine(error);
  return new EnvironmentError(`${problem}: ${reason}`);
}
