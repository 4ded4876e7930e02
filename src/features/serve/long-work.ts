import type { Commit } from '../../core/interfaces/commits.ts';
import type { Day } from '../../core/model/day.ts';
import { InternalError, type Outcome } from '../../core/model/problem.ts';
import { planOf } from '../../core/run/plan/plan.ts';
import type { Plan } from '../../core/run/plan/plan-answer.ts';
import { openComparison } from '../../core/run/review/comparison.ts';
import { review } from '../../core/run/review/review.ts';
import { committedHistory } from '../../core/tree/workspace.ts';
import type { RemoteHead } from '../../lib/branch/diverged-branches.ts';
import { type CapacityInput, capacityInput } from '../../lib/forecast/capacity.ts';
import { type Pending, type PendingPorts, pendingOf } from '../../lib/forecast/pending.ts';
import {
  addressHistory,
  type HistoryPorts,
  hostnameHistory,
  ledgerOf,
} from '../../lib/history/address-history.ts';
import {
  readWorkspaceSnapshot,
  type WorkspaceSnapshot,
} from '../../lib/list/workspace-snapshot.ts';
import type { GitWork } from '../../lib/service/serve-state.ts';
import { expire } from '../ipam/expire.ts';
import type { IpamAction, IpamReply } from '../ipam/ipam-answer.ts';
import type { IpamRequest } from '../ipam/ipam-request.ts';
import type { IpamContext } from '../ipam/ipam-target.ts';
import { register } from '../ipam/register.ts';
import type { SeenTree, WatchedTree } from './watched-tree.ts';

/** The result of reading the tree. */
export interface ReadTree {
  readonly snapshot: Outcome<WorkspaceSnapshot>;
  /** For the capacity on the day of the read; undefined for a tree with problems. */
  readonly capacity: CapacityInput | undefined;
  readonly commit: Commit | undefined;
  readonly isUncommitted: boolean;
  readonly repository?: string | undefined;
}

export interface BranchQuery {
  /** The served commit. */
  readonly target: string;
  readonly day: Day;
  /** The fingerprint of the last answer; undefined before the first. */
  readonly fingerprint: string | undefined;
}

/** The demand of open branches; `pending` is undefined when the fingerprint has not changed. */
export interface BranchAnswer {
  readonly fingerprint: string;
  readonly pending: Pending | undefined;
}

/** A request of vitistack's ipam-operator, on the day of its commit. */
interface IpamQuestion {
  readonly action: IpamAction;
  readonly request: IpamRequest;
  readonly day: Day;
}

/**
 * The slow work of the service: reading a tree, listing a remote, walking git. It may run in
 * another thread, so arguments and results are plain data. Every method throws an EnvironmentError
 * when the disk, git or the remote fails.
 */
export interface LongWork extends GitWork {
  /** See {@link WatchedTree.fingerprint}. */
  fingerprint(): Promise<string>;
  read(day: Day): Promise<ReadTree>;
  /** Reads the last tree of an earlier process; undefined when none is kept. */
  readKept(day: Day): Promise<ReadTree | undefined>;
  branches(question: BranchQuery): Promise<BranchAnswer>;
  /** See {@link register} and {@link expire}. The only work that writes. */
  ipam(question: IpamQuestion): Promise<IpamReply>;
}

/** The names of all methods of {@link LongWork}, for forwarding calls. */
export const longWorkMethods = [
  'fingerprint',
  'read',
  'readKept',
  'branches',
  'ledger',
  'history',
  'hostnameHistory',
  'plan',
  'ipam',
] as const satisfies readonly (keyof LongWork)[];

export interface LongWorkContext {
  readonly source: WatchedTree;
  /** Called for every query, so that nothing is cached between queries. */
  readonly git: () => PlanPorts;
  /** The remote with open branches, and which of them count. */
  readonly branches: BranchContext;
  /** The branch for requests of ipam-operator; undefined when none are answered. */
  readonly ipam: (() => Promise<Omit<IpamContext, 'today'>>) | undefined;
}

interface PlanPorts extends HistoryPorts {
  /** The folder of the workspace in its repository; see {@link Plan.folder}. */
  readonly path: string;
}

/** See {@link pendingOf}. */
interface BranchContext {
  readonly ports: () => PendingPorts;
  readonly patterns: readonly string[];
  readonly days: number;
}

/** Does the work in this thread. */
export function longWork({ source, git, branches, ipam }: LongWorkContext): LongWork {
  return {
    fingerprint: () => source.fingerprint(),
    read: async (day) => readTree(await source.open(), day),
    async readKept(day) {
      const seen = await source.openKept?.();
      return seen && readTree(seen, day);
    },
    branches: (question) => branchAnswer(branches, question),
    ledger: (commit) => ledgerOf(git(), commit),
    history: ({ address, commit }) =>
      addressHistory(git(), address, { ref: commit, since: undefined, until: undefined }),
    hostnameHistory: ({ hostname, commit }) =>
      hostnameHistory(git(), hostname, { ref: commit, since: undefined, until: undefined }),
    plan: ({ base, head, day }) => planBetween(git(), { base, head }, day),
    async ipam({ action, request, day }) {
      if (!ipam) throw new InternalError('no branch answers requests of ipam-operator');
      const context = { ...(await ipam()), today: () => day };
      return action === 'register' ? register(context, request) : expire(context, request);
    },
  };
}

async function readTree({ tree, history, ...revision }: SeenTree, day: Day): Promise<ReadTree> {
  const snapshot = await readWorkspaceSnapshot(tree, history);
  const capacity = snapshot.ok ? capacityInput(snapshot.value, day) : undefined;
  return { snapshot, capacity, ...revision };
}

async function branchAnswer(
  { ports: portsOf, patterns, days }: BranchContext,
  { target, day, fingerprint }: BranchQuery,
): Promise<BranchAnswer> {
  const ports = portsOf();
  const listed = await ports.heads.list(patterns);
  const current = JSON.stringify([target, day, listed.map(headText).sort()]);
  if (current === fingerprint) return { fingerprint, pending: undefined };
  const heads = { ...ports.heads, list: async () => listed };
  const pending = await pendingOf({ ...ports, heads }, { patterns, days, target, day });
  return { fingerprint: current, pending };
}

function headText({ ref, commit }: RemoteHead): string {
  return `${commit} ${ref}`;
}

async function planBetween(
  { commits, path }: PlanPorts,
  refs: { readonly base: string; readonly head: string },
  today: Day,
): Promise<Plan> {
  const tree = await commits.tree(refs.head);
  const checkout = { tree, history: committedHistory(tree), today };
  const comparison = await openComparison(commits, checkout, { ...refs, merged: [] });
  return planOf(await review(commits, comparison, undefined), path);
}
