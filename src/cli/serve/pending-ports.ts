import type { PendingPorts } from '../../features/ask/capacity/pending.ts';
import { gitCommits } from '../../world/git/git-commits.ts';
import { gitLog } from '../../world/git/git-log.ts';
import { gitPartedBranches } from '../../world/git/git-parted-branches.ts';
import { gitRemoteHeads } from '../../world/git/git-remote-heads.ts';
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
  return {
    commits: gitCommits(root),
    log: gitLog(root),
    heads: gitRemoteHeads(root, remote, environment, AbortSignal.timeout(milliseconds)),
    branches: gitPartedBranches(root, AbortSignal.timeout(2 * milliseconds)),
  };
}
