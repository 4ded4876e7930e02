import { Worker } from 'node:worker_threads';
import {
  type LongWork,
  type LongWorkContext,
  longWorkMethods,
} from '../../features/serve/long-work.ts';
import { committedHistory } from '../../workspace/workspace.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import { watchedBranch, watchedCheckout } from '../../world/git/git-watched-trees.ts';
import { shippedPath } from '../../world/shipped-file.ts';
import { type WorkThread, workThread } from '../../world/work-thread.ts';
import { pendingPorts } from './pending-ports.ts';

/** Which tree is served, and which open branches count: plain data, for the thread that reads them. */
export interface ServeSource {
  readonly root: string;
  readonly remote: string;
  /** Undefined for the files of the folder. */
  readonly branch: string | undefined;
  /** None when no open branch counts. */
  readonly patterns: readonly string[];
  readonly days: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Milliseconds: git itself gives up a remote that is silent for two minutes. */
const times = { longestAnswer: 300_000, longestIdle: 60_000 } as const;

/** Milliseconds that a remote may take for open branches, and as many for reading what it gave. */
const longestLook = 60_000;

/** The long work of a service, in a thread of its own that starts when it is asked. */
export function workBeside(source: ServeSource): WorkThread<LongWork> {
  const start = () =>
    new Worker(shippedPath('build/src/cli/serve-thread.js'), { workerData: source });
  return workThread<LongWork>(longWorkMethods, { start, ...times });
}

/** What that thread works with. */
export function workDeskOf({
  root,
  remote,
  branch,
  patterns,
  days,
  environment,
}: ServeSource): LongWorkContext {
  const branches = { root, remote, timeout: longestLook };
  return {
    source:
      branch === undefined
        ? watchedCheckout(root)
        : watchedBranch({ root, remote, environment }, branch, committedHistory),
    git: () => openRepository(root),
    branches: { ports: () => pendingPorts(branches, environment), patterns, days },
  };
}
