import { addDays, type Day } from '../../../model/day.ts';
import { compareText } from '../../../model/order.ts';
import { EnvironmentError } from '../../../model/problem.ts';
import type { RemoteHead, RemoteHeads } from '../../../ports/remote-heads.ts';
import {
  type BranchAdds,
  type BranchPorts,
  branchAdds,
  type PendingAddress,
} from './branch-adds.ts';

/** An open branch and what it would take if it was merged. */
export interface PendingRef {
  /** As the remote names it; not to be trusted. */
  readonly ref: string;
  /** Its head, by its full object name. */
  readonly commit: string;
  /** The committer's day of the head, UTC. */
  readonly day: string;
  readonly adds: readonly PendingAddress[];
}

/** A ref that was not counted although it may hold something, and why. */
export interface SkippedRef {
  readonly ref: string;
  readonly reason: string;
}

/** What open branches of a remote would take. */
export interface Pending {
  /** Those that add something, in the order of their names. */
  readonly refs: readonly PendingRef[];
  readonly skipped: readonly SkippedRef[];
  /** How many refs of lower numbers were not looked at. */
  readonly leftOut: number;
  /** False when an open branch that is not old may take more than what is counted. */
  readonly isComplete: boolean;
  /** True when the remote has no ref that was asked for, old or new. */
  readonly isNone?: boolean;
}

/** What is asked of git and of the remote here. */
export interface PendingPorts extends BranchPorts {
  readonly heads: RemoteHeads;
}

/** Which open branches count. */
export interface PendingQuestion {
  /** Patterns of refs of the remote, such as `refs/pull/*\/head`. */
  readonly patterns: readonly string[];
  /** The commit that they would be merged into. */
  readonly target: string;
  readonly day: Day;
  /** A branch whose head is of more days ago does not count. */
  readonly days: number;
  /** How many refs are looked at, those of the highest names; 500 when it is not said. */
  readonly most?: number;
}

/** No more refs are looked at: those of the highest names, numbers in them counted as numbers. */
const mostRefs = 500;

/**
 * What open branches would give out if they were merged: see {@link branchAdds}. A forge keeps the refs of closed pull
 * requests for ever, so old ones do not count; nor does one whose date lies ahead, which would never grow old. What
 * cannot be read or does not come in time is skipped, and then the answer is not complete.
 * An EnvironmentError when the remote is not reached.
 */
export async function pendingOf(ports: PendingPorts, question: PendingQuestion): Promise<Pending> {
  const listed = [...(await ports.heads.list(question.patterns))].sort(compareHeads);
  const looked = listed.slice(0, question.most ?? mostRefs);
  const here = await ports.heads.bring([...new Set(looked.map(({ commit }) => commit))]);
  const target = await ports.commits.resolve(question.target);
  const days = await ports.branches.days([...here]);
  const aged = looked.map((head) => ({ ...head, ...ageOf(head, { here, days, question }) }));
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

/** The highest number first, or else the last name. */
function compareHeads(left: RemoteHead, right: RemoteHead): number {
  return compareText(sortable(right.ref), sortable(left.ref));
}

function compareRefs(left: { readonly ref: string }, right: { readonly ref: string }): number {
  return compareText(sortable(left.ref), sortable(right.ref));
}

function sortable(ref: string): string {
  return ref.replace(/\d+/g, (digits) => digits.padStart(12, '0'));
}

/** `missing`: nobody knows. */
type Age = 'missing' | 'old' | 'fresh' | 'ahead';

interface AgedHead extends RemoteHead {
  readonly age: Age;
  /** The committer's day of the head, UTC. */
  readonly day: Day;
}

function ageOf(
  { commit }: RemoteHead,
  known: {
    readonly here: ReadonlySet<string>;
    readonly days: ReadonlyMap<string, Day>;
    readonly question: PendingQuestion;
  },
): Pick<AgedHead, 'age' | 'day'> {
  const { day: today, days } = known.question;
  const day = known.days.get(commit);
  if (day === undefined) {
    return { age: known.here.has(commit) ? 'ahead' : 'missing', day: today };
  }
  if (day > addDays(today, 1)) return { age: 'ahead', day };
  return { age: addDays(day, days) < today ? 'old' : 'fresh', day };
}

/** What is left out is older than what is looked at where refs have numbers: then the lowest of these tells. */
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
    return [{ ref, reason: 'its commit did not come from the remote, or not in time' }];
  }
  if (age === 'ahead') return [{ ref, reason: 'the date of its commit lies ahead' }];
  return adds instanceof EnvironmentError ? [{ ref, reason: adds.message }] : [];
}
