import type { Day } from '../../model/day.ts';
import type { Outcome } from '../../model/problem.ts';
import type { Address } from '../../net/address.ts';
import type { Commit } from '../../ports/commits.ts';
import type { RemoteHead } from '../../ports/remote-heads.ts';
import type { SeenTree, WatchedTree } from '../../ports/watched-tree.ts';
import { committedHistory } from '../../workspace/committed-history.ts';
import { type Pending, type PendingPorts, pendingOf } from '../ask/capacity/pending.ts';
import {
  addressHistory,
  type HistoryPorts,
  type Ledger,
  ledgerOf,
} from '../ask/history/address-history.ts';
import type { AddressHistory } from '../ask/history/address-history-answer.ts';
import { type WorkspaceSnapshot, readWorkspaceSnapshot } from '../ask/workspace-snapshot.ts';
import { planOf } from '../plan/plan.ts';
import type { Plan } from '../plan/plan-answer.ts';
import { openComparison } from '../review/comparison.ts';
import { review } from '../review/review.ts';

/** What one reading of the tree gave. */
export interface ReadTree {
  readonly snapshot: Outcome<WorkspaceSnapshot>;
  readonly commit: Commit | undefined;
  readonly isUncommitted: boolean;
}

/** Which open branches are looked at, and what is known of them already. */
export interface BranchQuery {
  /** The served commit. */
  readonly target: string;
  readonly day: Day;
  /** Of the last answer; undefined before there is one. */
  readonly ground: string | undefined;
}

/** What open branches hold; undefined while all that was asked for stands where it stood. */
export interface BranchAnswer {
  readonly ground: string;
  readonly pending: Pending | undefined;
}

/** What only git can answer, of commits by their object names. */
export interface GitWork {
  /** See {@link ledgerOf}. */
  ledger(commit: string): Promise<Ledger>;
  /** See {@link addressHistory}. */
  history(question: {
    readonly address: Address;
    readonly commit: string;
  }): Promise<AddressHistory>;
  /** What a commit does to another one. */
  plan(question: {
    readonly base: string;
    readonly head: string;
    readonly day: Day;
  }): Promise<Plan>;
}

/**
 * What takes a service long: reading a tree, asking a remote, walking git. No request should wait for it, so it may
 * run elsewhere: what goes in and what comes out is plain data. Every method throws an EnvironmentError
 * when the disk, git or the remote does not answer.
 */
export interface LongWork extends GitWork {
  /** See {@link WatchedTree.fingerprint}. */
  fingerprint(): Promise<string>;
  read(): Promise<ReadTree>;
  /** What an earlier process saw last; undefined when nothing is kept of it. */
  readKept(): Promise<ReadTree | undefined>;
  branches(question: BranchQuery): Promise<BranchAnswer>;
}

/** The names of all methods of long work, for whoever passes them on. */
export const longWorkMethods = [
  'fingerprint',
  'read',
  'readKept',
  'branches',
  'ledger',
  'history',
  'plan',
] as const satisfies readonly (keyof LongWork)[];

/** What long work is done with. */
export interface LongWorkContext {
  readonly source: WatchedTree;
  /** Asked for every question, so that nothing of earlier ones is kept. */
  readonly git: () => HistoryPorts;
  /** Where open branches are found, and which of them count. */
  readonly branches: BranchesDesk;
}

/** See {@link pendingOf}. */
interface BranchesDesk {
  readonly ports: () => PendingPorts;
  readonly patterns: readonly string[];
  readonly days: number;
}

/** Long work, done here. */
export function longWork({ source, git, branches }: LongWorkContext): LongWork {
  return {
    fingerprint: () => source.fingerprint(),
    read: async () => readTree(await source.open()),
    async readKept() {
      const seen = await source.openKept?.();
      return seen && readTree(seen);
    },
    branches: (question) => branchAnswer(branches, question),
    ledger: (commit) => ledgerOf(git(), commit),
    history: ({ address, commit }) =>
      addressHistory(git(), address, { ref: commit, since: undefined, until: undefined }),
    plan: ({ base, head, day }) => planBetween(git(), { base, head, merged: [] }, day),
  };
}

async function readTree({ tree, history, commit, isUncommitted }: SeenTree): Promise<ReadTree> {
  return { snapshot: await readWorkspaceSnapshot(tree, history), commit, isUncommitted };
}

async function branchAnswer(
  { ports: portsOf, patterns, days }: BranchesDesk,
  { target, day, ground }: BranchQuery,
): Promise<BranchAnswer> {
  const ports = portsOf();
  const listed = await ports.heads.list(patterns);
  const found = JSON.stringify([target, day, listed.map(headText).sort()]);
  if (found === ground) return { ground, pending: undefined };
  const heads = { ...ports.heads, list: async () => listed };
  const pending = await pendingOf({ ...ports, heads }, { patterns, days, target, day });
  return { ground: found, pending };
}

function headText({ ref, commit }: RemoteHead): string {
  return `${commit} ${ref}`;
}

async function planBetween(
  { commits }: HistoryPorts,
  refs: { readonly base: string; readonly head: string; readonly merged: readonly string[] },
  today: Day,
): Promise<Plan> {
  const tree = await commits.tree(refs.head);
  const checkout = { tree, history: committedHistory(tree), today };
  const comparison = await openComparison(commits, checkout, refs);
  return planOf(await review(commits, comparison, undefined));
}
