import { basename } from 'node:path';
import { Worker } from 'node:worker_threads';
import { committedHistory } from '../../../core/tree/workspace.ts';
import { readInput } from '../../../core/world/disk/named-file.ts';
import { openRepository } from '../../../core/world/git/git-repository.ts';
import { clock, random } from '../../../core/world/machine.ts';
import { shippedPath } from '../../../core/world/shipped-file.ts';
import { type Clone, remoteBranch } from '../../../lib/branch/world/git-remote-branch.ts';
import { pendingPorts } from '../../../lib/forecast/cli/pending-ports.ts';
import type { IpamContext } from '../../ipam/ipam-target.ts';
import { type NamespaceNames, namespaceNames } from '../../ipam/namespaces.ts';
import type { LongWork, LongWorkContext } from '../long-work.ts';
import { inWhole, type PartedWork, partedWorkMethods } from '../tree-parts.ts';
import { watchedBranch, watchedCheckout } from '../world/git-watched-trees.ts';
import { type WorkThread, workThread } from '../world/work-thread.ts';

/**
 * The served tree and the open branches that count, as plain data for the thread that reads them.
 */
export interface ServeSource {
  readonly root: string;
  readonly remote: string;
  /** Undefined for the files of the folder. */
  readonly branch: string | undefined;
  /** None when no open branch counts. */
  readonly patterns: readonly string[];
  readonly days: number;
  /** Undefined when no requests of ipam-operator are answered. */
  readonly ipam: IpamSource | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The branch for requests of ipam-operator, and the files with the names of its namespaces. */
export interface IpamSource {
  readonly branch: string;
  /** Absolute paths. */
  readonly namespaces: readonly string[];
}

/** Milliseconds. git itself gives up on a remote that is silent for two minutes. */
const times = { longestAnswer: 300_000, longestIdle: 60_000 } as const;

/** Milliseconds for fetching open branches from a remote, and as many for reading the result. */
const longestPoll = 60_000;

/** The long work of a service, in a thread of its own that starts with the first request. */
export function workBeside(source: ServeSource): WorkThread<LongWork> {
  const start = () =>
    new Worker(shippedPath('build/src/cli/serve-thread.js'), { workerData: source });
  const { work, close } = workThread<PartedWork>(partedWorkMethods, { start, ...times });
  return { work: inWhole(work), close };
}

/** The ports of that thread. */
export function workDeskOf({
  root,
  remote,
  branch,
  patterns,
  days,
  ipam,
  environment,
}: ServeSource): LongWorkContext {
  // A repository for each request: a service runs for weeks, and what was read is kept with it.
  const git = () => openRepository(root);
  const ports = () =>
    pendingPorts({ repository: git(), remote, timeout: longestPoll }, environment);
  return {
    source:
      branch === undefined
        ? watchedCheckout(root)
        : watchedBranch({ root, remote, environment }, branch, committedHistory),
    git,
    branches: { ports, patterns, days },
    ipam: ipam && (() => ipamPorts({ root, remote, environment }, ipam)),
  };
}

/** The ports of one request. Its caller learns from an error why it waited in vain. */
async function ipamPorts(
  clone: Clone,
  { branch, namespaces }: IpamSource,
): Promise<Omit<IpamContext, 'today'>> {
  return {
    branch: remoteBranch(clone, branch),
    commits: openRepository(clone.root).commits,
    waiting: clock,
    chance: random,
    reportWait: () => undefined,
    namespaces: await readNamespaces(namespaces),
  };
}

/** Bytes. More than 10,000 namespaces. */
const largestNamespaces = 32 * 1024 * 1024;

/** Reads the files with the names of namespaces. An EnvironmentError when one cannot be read. */
export async function readNamespaces(files: readonly string[]): Promise<NamespaceNames> {
  const read = files.map(async (name) => {
    const input = { name, mostBytes: largestNamespaces, followsLinks: true };
    return { name: basename(name), bytes: await readInput('/', input) };
  });
  return namespaceNames(await Promise.all(read));
}
