import { addDays, type Day } from '../../core/model/day.ts';
import { compareText } from '../../core/model/order.ts';
import { EnvironmentError } from '../../core/model/problem.ts';
import type { RemoteHead, RemoteHeads } from '../branch/diverged-branches.ts';
import {
  type BranchAdds,
  type BranchPorts,
  branchAdds,
  type PendingAddress,
} from './branch-adds.ts';

/** An open branch that would allocate addresses when merged. */
export interface PendingRef {
  /** The name of the ref on the remote. Untrusted. */
  readonly ref: string;
  /** The full object name of its head. */
  readonly commit: string;
  /** The committer's day of the head, UTC. */
  readonly day: string;
  readonly adds: readonly PendingAddress[];
}

/** A ref that could not be read. */
interface SkippedRef {
  readonly ref: string;
  readonly reason: string;
}

/** The allocations of a remote's open branches. */
export interface Pending {
  /** Refs that add addresses, sorted by name. */
  readonly refs: readonly PendingRef[];
  readonly skipped: readonly SkippedRef[];
  /** The number of refs that were not read; they have the lowest numbers. */
  readonly leftOut: number;
  /** False when a recent open branch may take more than is counted. */
  readonly isComplete: boolean;
  /** True when no ref of the remote matches the patterns. */
  readonly isNone?: boolean;
}

export interface PendingPorts extends BranchPorts {
  readonly heads: RemoteHeads;
}

export interface PendingQuery {
  /** Patterns of refs of the remote, such as `refs/pull/*\/head`. */
  readonly patterns: readonly string[];
  /** The commit that the branches would be merged into. */
  readonly target: string;
  readonly day: Day;
  /** The maximum age of the head of a counted branch, in days. */
  readonly days: number;
  /** The maximum number of refs that are read. The default is 500. */
  readonly most?: number;
}

const mostRefs = 500;

/**
 * Returns what open branches would allocate when merged; see {@link branchAdds}. A forge keeps the
 * refs of closed pull requests forever, so old branches do not count. A branch with a date in the
 * future would never become old and does not count either. Refs that cannot be read or fetched in
 * time are skipped, and the result is then incomplete. Throws an EnvironmentError when the remote
 * is unreachable.
 */
export async function pendingOf(ports: PendingPorts, query: PendingQuery): Promise<Pending> {
  const listed = [...(await ports.heads.list(query.patterns))].sort(compareHeads);
  const looked = listed.slice(0, query.most ?? mostRefs);
  const here = await ports.heads.bring([...new Set(looked.map(({ commit }) => commit))]);
  const target = await ports.commits.resolve(query.target);
  const days = await ports.branches.days([...here]);
  const aged = looked.map((head) => ({ ...head, ...ageOf(head, { here, days, query }) }));
  const fresh = aged.filter(({ age }) => age === 'fresh').map(({ commit }) => commit);
  const adds = await branchAdds(ports, target.id, [...new Set(fresh)]);
  const refs = aged.flatMap((head) => refOf(head, adds.get(head.commit)));
  const skipped = aged.flatMap((head) => skippedRef(head, adds.get(head.commit)));
  const leftOut = listed.length - looked.length;
  const isUnread = aged.some(
    ({ age, commit }) => age === 'missing' || adds.get(commit) instanceof EnvironmentError,
  );
  return {
    refs: refs.sort(compareRefs),
    skipped: skipped.sort(compareRefs),
    leftOut,
    isComplete: !isUnread && (leftOut === 0 || reachesBack(aged)),
    ...(listed.length === 0 && { isNone: true }),
  };
}

/** Descending; numbers in names are compared as numbers. */
function compareHeads(left: RemoteHead, right: RemoteHead): number {
  return compareText(sortable(right.ref), sortable(left.ref));
}

function compareRefs(left: { readonly ref: string }, right: { readonly ref: string }): number {
  return compareText(sortable(left.ref), sortable(right.ref));
}

function sortable(ref: string): string {
  return ref.replace(/\d+/g, (digits) => digits.padStart(12, '0'));
}

/** `missing`: the commit could not be fetched. `ahead`: the date is in the future. */
type Age = 'missing' | 'old' | 'fresh' | 'ahead';

interface AgedHead extends RemoteHead {
  readonly age: Age;
  /** The committer's day of the head, UTC. */
  readonly day: Day;
}

function ageOf(
  { commit }: RemoteHead,
  facts: {
    readonly here: ReadonlySet<string>;
    readonly days: ReadonlyMap<string, Day>;
    readonly query: PendingQuery;
  },
): Pick<AgedHead, 'age' | 'day'> {
  const { day: today, days } = facts.query;
  const day = facts.days.get(commit);
  if (day === undefined) {
    return { age: facts.here.has(commit) ? 'ahead' : 'missing', day: today };
  }
  if (day > addDays(today, 1)) return { age: 'ahead', day };
  return { age: addDays(day, days) < today ? 'old' : 'fresh', day };
}

/**
 * Returns true when all unread refs are old. Refs with numbers are in order of age, so this holds
 * when the last one that was read is old.
 */
function reachesBack(aged: readonly AgedHead[]): boolean {
  const last = aged.at(-1);
  return last?.age === 'old' && aged.every(({ ref }) => /\d/.test(ref));
}

function refOf({ ref, commit, day }: AgedHead, adds: BranchAdds | undefined): PendingRef[] {
  if (adds === undefined || adds instanceof EnvironmentError || adds.length === 0) return [];
  return [{ ref, commit, day, adds }];
}

function skippedRef({ ref, age }: AgedHead, adds: BranchAdds | undefined): SkippedRef[] {
  if (age === 'missing') {
    return [{ ref, reason: 'its commit could not be fetched from the remote in time' }];
  }
  if (age === 'ahead') return [{ ref, reason: 'the date of its commit is in the future' }];
  return adds instanceof EnvironmentError ? [{ ref, reason: adds.message }] : [];
}
