import type { CliContext } from '../../../core/cli/cli-context.ts';
import type { Repository } from '../../../core/world/git/git-repository.ts';
import { gitRemoteHeads } from '../../branch/world/git-remote.ts';
import type { PendingPorts } from '../pending.ts';
import { gitDivergedBranches } from '../world/git-diverged-branches.ts';

/** The remote with the open branches, and the time limit for reading them. */
export interface PendingPlace {
  readonly repository: Repository;
  readonly remote: string;
  /** Milliseconds for fetching from the remote, and as many for reading the result. */
  readonly timeout: number;
}

/** Milliseconds, 12 days. Node's timers take at most twice as many. */
const longest = 2 ** 30 - 1;

/** The open branches of a clone's remote, for one poll. The time limit starts with this call. */
export function pendingPorts(
  { repository, remote, timeout }: PendingPlace,
  environment: CliContext['env'],
): PendingPorts {
  const milliseconds = Math.min(timeout, longest);
  const { root, commits, log } = repository;
  return {
    commits,
    log,
    heads: gitRemoteHeads(root, remote, environment, AbortSignal.timeout(milliseconds)),
    branches: gitDivergedBranches(root, AbortSignal.timeout(2 * milliseconds)),
  };
}
