import type { Commit } from '../../core/interfaces/commits.ts';
import { oncePer } from '../../core/model/calls.ts';
import type { Day } from '../../core/model/day.ts';
import type { Problem } from '../../core/model/problem.ts';
import type { Address } from '../../core/net/address.ts';
import type { Plan } from '../../core/run/plan/plan-answer.ts';
import { type CapacityInput, capacityInput } from '../forecast/capacity.ts';
import type { Pending } from '../forecast/pending.ts';
import type { Ledger } from '../history/address-history.ts';
import type { AddressHistory, HostnameHistory } from '../history/address-history-answer.ts';
import type { WebAnswer } from '../http/web.ts';
import type { WorkspaceSnapshot } from '../list/workspace-snapshot.ts';
import type { ServedChanges } from './status-answer.ts';

/** Queries that read git. Commits are full object names. */
export interface GitWork {
  /** See {@link ledgerOf}. */
  ledger(commit: string): Promise<Ledger>;
  /** See {@link addressHistory}. */
  history(question: {
    readonly address: Address;
    readonly commit: string;
  }): Promise<AddressHistory>;
  /** See {@link hostnameHistory}. */
  hostnameHistory(question: {
    readonly hostname: string;
    readonly commit: string;
  }): Promise<HostnameHistory>;
  /** Returns the plan from the base to the head. */
  plan(question: {
    readonly base: string;
    readonly head: string;
    readonly day: Day;
  }): Promise<Plan>;
}

/** The served revision of the repository. */
export interface Revision {
  /** Undefined outside git, or before the first commit. */
  readonly commit: Commit | undefined;
  /** See {@link CommitLog.repositoryName}; undefined outside git. */
  readonly repository?: string | undefined;
  /** True when the served working tree differs from its commit. */
  readonly isUncommitted: boolean;
  /** The time of the poll that found the revision, UTC, `2026-01-02T10:00:00Z`. */
  readonly seenAt: string;
}

/**
 * The result of a successful poll of the tree, for one day and one state of the open branches.
 * Immutable: a new poll, a new day or a changed branch creates a new one.
 */
export interface ServedTree {
  readonly revision: Revision;
  /** For a file with problems, it has the claims of the last successful poll. */
  readonly snapshot: WorkspaceSnapshot;
  /** The day that decides which addresses are retained or free. */
  readonly day: Day;
  /** For the capacity on the day of the read, which may be an earlier one. */
  readonly capacity: CapacityInput | undefined;
  /** The changes of the revision; undefined for the first one. */
  readonly changes: ServedChanges | undefined;
  /** The demand of open branches; empty when they are not counted. */
  readonly pending: Pending;
  /** Reads the history of the served commit. */
  readonly git: GitWork;
  /** Cached answers; see {@link memoized}. */
  readonly memory: Map<string, WebAnswer | Promise<WebAnswer>>;
}

/** The day and the commit of an answer from a served tree. */
export function servedFields({ day, revision: { commit, isUncommitted } }: ServedTree) {
  return {
    day,
    ...(commit && { commit: commit.id }),
    ...(commit && isUncommitted && { uncommitted: true as const }),
  };
}

/** Why the served tree is not the latest one. */
export interface Stale {
  /** The time since when it is stale, UTC. */
  readonly since: string;
  /** Problems of the pool file or of records that prevent serving the latest tree. */
  readonly problems: readonly Problem[];
  /** Why the tree cannot be read; undefined when it can. */
  readonly reason: string | undefined;
}

/** The result of the last poll of open branches. */
export interface SeenPending {
  readonly pending: Pending;
  /** The time of the last successful poll, UTC; undefined before the first. */
  readonly seenAt: string | undefined;
  /** Why there is no newer result; undefined after a successful poll. */
  readonly reason: string | undefined;
}

/** The state of the service at one moment. */
export interface ServeState {
  /** A human-readable name of the followed tree. */
  readonly source: string;
  /** The last valid tree; undefined until the first successful poll. */
  readonly served: ServedTree | undefined;
  /** Undefined after a successful poll. Without a served tree: why there is none. */
  readonly stale: Stale | undefined;
  /** Open branches; undefined when they are not counted, and before the first poll of them. */
  readonly branches: SeenPending | undefined;
  /** The time of the last poll, successful or not, UTC; undefined before the first. */
  readonly polledAt: string | undefined;
  /** The day of the last poll. */
  readonly day: Day;
  /** The number of polls, and the number of failed ones. */
  readonly polls: { readonly all: number; readonly failed: number };
}

/**
 * Returns the input of the capacity on the served day. A new day needs another one than the thread
 * made when it read the tree.
 */
export const capacityInputOf = oncePer(
  ({ snapshot, day, capacity }: ServedTree): CapacityInput =>
    capacity?.day === day ? capacity : capacityInput(snapshot, day),
);

/**
 * Returns the answer cached under a name, or makes and caches it. The number of names must be
 * bounded. A failed answer (status 500 or above) is not kept.
 */
export function memoized(
  { memory }: ServedTree,
  name: string,
  make: () => WebAnswer | Promise<WebAnswer>,
): WebAnswer | Promise<WebAnswer> {
  const found = memory.get(name);
  if (found !== undefined) return found;
  const made = make();
  memory.set(name, made);
  if (made instanceof Promise) {
    const forget = () => memory.delete(name);
    made.then(({ status }) => status >= 500 && forget(), forget);
  }
  return made;
}
