import type { PendingPorts } from '../../features/ask/capacity/pending.ts';
import { gitDivergedBranches } from '../../world/git/git-diverged-branches.ts';
import { gitRemoteHeads } from '../../world/git/git-remote.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import type { World } from '../world.ts';

/** Where open branches of others are, and how long may be looked at them. */
export interface PendingPlace {
  readonly root: string;
  readonly remote: string;
  /** Milliseconds for what the remote is asked and gives, and as many for reading that. */
  readonly timeout: number;
}

/** A timer takes no more than twice of that: 12 days. */
const longest = 2 ** 30 - 1;

/** Open branches of a clone's remote, for one look: the time runs from here. */
export function pendingPorts(
  { root, remote, timeout }: PendingPlace,
  environment: World['env'],
): PendingPorts {
  const milliseconds = Math.min(timeout, longest);
  const { commits, log } = openRepository(root);
  return {
    commits,
    log,
    heads: gitRemoteHeads(root, remote, environment, AbortSignal.timeout(milliseconds)),
    branches: gitDivergedBranches(root, AbortSignal.timeout(2 * milliseconds)),
  };
}
