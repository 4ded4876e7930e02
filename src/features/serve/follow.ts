import { isHeld } from '../../model/allocation.ts';
import { type Claim, compareClaims } from '../../model/claim.ts';
import type { Day } from '../../model/day.ts';
import type { Problem } from '../../model/problem.ts';
import type { Patience } from '../../ports/patience.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { nothingPending } from '../ask/capacity/capacity.ts';
import type { WorkspaceSnapshot } from '../ask/workspace-snapshot.ts';
import type { GitWork, LongWork, ReadTree } from './long-work.ts';
import { type LookFailure, lookFailure, type PendingLooks } from './pending-looks.ts';
import type { ServedTree, ServeState } from './serve-state.ts';

/** What a tree is followed with. */
export interface FollowContext {
  /** Which tree it is, for people, such as `main of origin`. */
  readonly name: string;
  readonly work: Pick<LongWork, 'fingerprint' | 'read' | 'readKept'>;
  readonly git: GitWork;
  /** Undefined when open branches do not count. */
  readonly pending: PendingLooks | undefined;
  readonly waiting: Waiting;
  readonly patience: Patience;
  /** Asked at every look. */
  readonly today: () => Day;
  /** The time, UTC, `2026-01-02T10:00:00Z`. */
  readonly time: () => string;
}

/** How a tree is followed. */
export interface FollowRun {
  /** Milliseconds between two looks. */
  readonly interval: number;
  readonly isStopped: () => boolean;
  readonly tell: (event: FollowEvent) => void;
}

/** Something that whoever runs the service wants to read. Each is told once. */
export type FollowEvent =
  | { readonly kind: 'serves'; readonly served: ServedTree }
  | { readonly kind: 'broken'; readonly isServing: boolean; readonly problems: readonly Problem[] }
  | ({ readonly kind: 'failed' } & LookFailure)
  | { readonly kind: 'recovered' }
  /** Open branches are not read for a reason, or are again. */
  | { readonly kind: 'branches'; readonly reason: string | undefined };

/** Milliseconds: the longest pause after failures, and how often a pause looks whether it is over. */
const pauses = { longest: 60_000, slice: 100 } as const;

/** Milliseconds after which a tree that has not said what it is counts as away, until it does. */
const longestAnswer = 5_000;

/** What a served state is made of. */
type Parts = Pick<ServedTree, 'snapshot' | 'revision' | 'pending'>;

/** That often a tree may change while it is read; the next look goes on. */
const readsOfLook = 3;

/** Follows a tree, and keeps the last good state of it. */
export class Follower {
  readonly #desk: FollowContext;
  readonly #listeners = new Set<() => void>();
  #standing: ServeState;
  /** The state that was read last, good or not. */
  #fingerprint: string | undefined;

  constructor(desk: FollowContext) {
    this.#desk = desk;
    this.#standing = {
      source: desk.name,
      served: undefined,
      stale: undefined,
      branches: undefined,
      lookedAt: undefined,
      day: desk.today(),
      looks: { all: 0, failed: 0 },
    };
  }

  standing(): ServeState {
    return this.#standing;
  }

  /** Calls back whenever another state or day is served, or it became stale or is no longer. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Looks until it is stopped; survives whatever the tree says, a remote that is not reached and a bug, with longer and
   * longer pauses.
   */
  async run({ interval, isStopped, tell }: FollowRun): Promise<void> {
    let failures = 0;
    while (!isStopped()) {
      failures = (await this.look(tell)) ? 0 : failures + 1;
      const pause = interval * 2 ** Math.max(0, Math.min(failures, 16) - 1);
      await this.#rest(Math.min(pause, Math.max(interval, pauses.longest)), isStopped);
    }
  }

  /** One look. False when it failed: the tree was not reached, or has shown a bug. Throws nothing. */
  async look(tell: FollowRun['tell']): Promise<boolean> {
    const day = this.#desk.today();
    const { looks } = this.#standing;
    this.#standing = {
      ...this.#standing,
      day,
      lookedAt: this.#desk.time(),
      looks: { ...looks, all: looks.all + 1 },
    };
    try {
      await this.#lookAt(day, tell);
      await this.#count(tell);
      return true;
    } catch (error) {
      await this.#standWithout(lookFailure(error), day, tell);
      const { all, failed } = this.#standing.looks;
      this.#standing = { ...this.#standing, looks: { all, failed: failed + 1 } };
      return false;
    }
  }

  async #lookAt(day: Day, tell: FollowRun['tell']): Promise<void> {
    const { work, name, patience } = this.#desk;
    const asked = work.fingerprint();
    if (!(await patience.endsWithin(longestAnswer, asked))) {
      await this.#standWithout({ reason: `${name} has not answered yet` }, day, tell);
    }
    let fingerprint = await asked;
    if (fingerprint === this.#fingerprint) {
      this.#turnTo(day);
      this.#reached(tell);
      return;
    }
    for (let reads = 1; reads <= readsOfLook; reads += 1) {
      const read = await work.read();
      const after = await work.fingerprint();
      if (after === fingerprint || reads === readsOfLook) {
        await this.#take(read, day, tell);
        this.#fingerprint = after === fingerprint ? fingerprint : undefined;
        return;
      }
      fingerprint = after;
    }
  }

  /** With nothing served yet, what an earlier process saw last is better than no answer. */
  async #takeKept(day: Day, tell: FollowRun['tell']): Promise<void> {
    if (this.#standing.served !== undefined) return;
    try {
      const read = await this.#desk.work.readKept();
      if (read?.snapshot.ok) await this.#take(read, day, tell);
    } catch {
      // It is no better than none.
    }
  }

  async #take({ snapshot, ...state }: ReadTree, day: Day, tell: FollowRun['tell']): Promise<void> {
    const { stale, served } = this.#standing;
    if (snapshot.ok) {
      const revision = { ...state, seenAt: this.#desk.time() };
      const kept = withKeptClaims(served?.snapshot, snapshot.value);
      const next = this.#servedOf(
        { snapshot: kept, revision, pending: served?.pending ?? nothingPending },
        day,
      );
      // The first answer must not promise what an open branch holds.
      const first = served === undefined ? await this.#lookAtBranches(next, tell) : next;
      this.#stand({ served: first, stale: undefined });
      tell({ kind: 'serves', served: first });
      return;
    }
    const since = stale?.since ?? this.#desk.time();
    this.#turnTo(day);
    this.#stand({ stale: { since, problems: snapshot.problems, reason: undefined } });
    tell({ kind: 'broken', isServing: served !== undefined, problems: snapshot.problems });
  }

  #servedOf({ snapshot, revision, pending }: Parts, day: Day): ServedTree {
    return { revision, snapshot, day, pending, git: this.#desk.git, memory: new Map() };
  }

  /** The same state as of another day: what was retained may be free. */
  #turnTo(day: Day): void {
    const { served } = this.#standing;
    if (served === undefined || served.day === day) return;
    this.#stand({ served: this.#servedOf(served, day) });
  }

  async #count(tell: FollowRun['tell']): Promise<void> {
    const { served } = this.#standing;
    const next = served && (await this.#lookAtBranches(served, tell));
    if (next !== served) this.#stand({ served: next });
  }

  /** Counts what open branches hold of what is served: the same state, unless they hold something else. */
  async #lookAtBranches(served: ServedTree, tell: FollowRun['tell']): Promise<ServedTree> {
    const { pending: looks, time } = this.#desk;
    if (looks === undefined) return served;
    const { day, revision } = served;
    const before = this.#standing.branches?.reason;
    const branches = await looks.look({ target: revision.commit?.id, day, time: time() });
    this.#standing = { ...this.#standing, branches };
    if (branches.reason !== before) tell({ kind: 'branches', reason: branches.reason });
    const { pending } = branches;
    return pending === served.pending ? served : this.#servedOf({ ...served, pending }, day);
  }

  /** The tree is as it was when it was read last. */
  #reached(tell: FollowRun['tell']): void {
    const { stale } = this.#standing;
    if (stale?.reason === undefined) return;
    const isBroken = stale.problems.length > 0;
    this.#stand({ stale: isBroken ? { ...stale, reason: undefined } : undefined });
    tell({ kind: 'recovered' });
  }

  /** What there is goes on being served, marked stale for a reason. */
  async #standWithout(failure: LookFailure, day: Day, tell: FollowRun['tell']): Promise<void> {
    const { reason } = failure;
    await this.#takeKept(day, tell);
    this.#turnTo(day);
    const { stale } = this.#standing;
    if (stale?.reason === reason) return;
    const since = stale?.since ?? this.#desk.time();
    this.#stand({ stale: { since, problems: stale?.problems ?? [], reason } });
    tell({ kind: 'failed', ...failure });
  }

  #stand(changed: Partial<Pick<ServeState, 'served' | 'stale'>>): void {
    this.#standing = { ...this.#standing, ...changed };
    for (const listener of [...this.#listeners]) listener();
  }

  /** In slices, so that a stop need not wait for its end. */
  async #rest(pause: number, isStopped: () => boolean): Promise<void> {
    const { waiting } = this.#desk;
    const end = waiting.now() + pause;
    for (let left = pause; left > 0 && !isStopped(); left = end - waiting.now()) {
      await waiting.pause(Math.min(left, pauses.slice));
    }
  }
}

/**
 * What a tree says, with the last good claims of declarations that are not sound in it: as long as their holders
 * have their addresses, what stands on them is still there. Without an earlier look, what the tree says alone.
 */
export function withKeptClaims(before: WorkspaceSnapshot | undefined, now: WorkspaceSnapshot): WorkspaceSnapshot {
  const broken = new Set(now.problems.map(({ at }) => at.file));
  if (before === undefined || broken.size === 0) return now;
  const holding = new Set([...now.table.values()].filter(isHeld).map(({ holder }) => holder));
  const read = new Set([...now.claims.values()].flat().map(({ at }) => at.file));
  const isKept = ({ at, holder }: Claim): boolean =>
    broken.has(at.file) && !read.has(at.file) && holding.has(holder);
  const claims = new Map(now.claims);
  for (const [holder, earlier] of before.claims) {
    const kept = earlier.filter(isKept);
    if (kept.length === 0) continue;
    claims.set(holder, [...(claims.get(holder) ?? []), ...kept].sort(compareClaims));
  }
  return { ...now, claims };
}
