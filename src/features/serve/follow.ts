import { type Clock, restUnlessStopped, type Timeouts } from '../../core/interfaces/clock.ts';
import { isHeld } from '../../core/model/allocation.ts';
import { type Claim, compareClaims } from '../../core/model/claim.ts';
import type { Day } from '../../core/model/day.ts';
import { heldRecord } from '../../core/model/hostname.ts';
import type { Position, Problem } from '../../core/model/problem.ts';
import { nothingPending } from '../../lib/forecast/capacity.ts';
import type { WorkspaceSnapshot } from '../../lib/list/workspace-snapshot.ts';
import type { GitWork, ServedTree, ServeState } from '../../lib/service/serve-state.ts';
import type { ServedChanges } from '../../lib/service/status-answer.ts';
import type { LongWork, ReadTree } from './long-work.ts';
import { type PendingPolls, type PollFailure, pollFailure } from './pending-polls.ts';
import { addressChanges } from './served-changes.ts';

export interface FollowContext {
  /** A human-readable name of the tree, such as `main of origin`. */
  readonly name: string;
  readonly work: Pick<LongWork, 'fingerprint' | 'read' | 'readKept'>;
  readonly git: GitWork;
  /** Computes what every client asks of a tree, before it is served. */
  readonly prepare?: (snapshot: WorkspaceSnapshot) => Promise<void>;
  /** Undefined when open branches are not counted. */
  readonly pending: PendingPolls | undefined;
  readonly clock: Clock;
  readonly timeouts: Timeouts;
  /** Called at every poll. */
  readonly today: () => Day;
  /** The time, UTC, `2026-01-02T10:00:00Z`. */
  readonly time: () => string;
}

export interface FollowRun {
  /** Milliseconds between polls. */
  readonly interval: number;
  readonly isStopped: () => boolean;
  readonly report: (event: FollowEvent) => void;
}

/** An event for the operator of the service. Each change is reported once. */
export type FollowEvent =
  | { readonly kind: 'serves'; readonly served: ServedTree }
  | { readonly kind: 'broken'; readonly isServing: boolean; readonly problems: readonly Problem[] }
  | ({ readonly kind: 'failed' } & PollFailure)
  | { readonly kind: 'recovered' }
  /** Open branches cannot be read, or, without a reason, can be read again. */
  | { readonly kind: 'branches'; readonly reason: string | undefined };

/** Milliseconds: the longest pause after failures. */
const longestPause = 60_000;

/** Milliseconds after which an unanswered poll of the tree makes the state stale. */
const fingerprintTimeout = 5_000;

type Parts = Pick<ServedTree, 'snapshot' | 'revision' | 'capacity' | 'changes' | 'pending'>;

/** The most reads of one poll when the tree changes while it is read. */
const maxReads = 3;

/** Follows a tree, and keeps its last valid state. */
export class Follower {
  readonly #context: FollowContext;
  readonly #listeners = new Set<() => void>();
  #state: ServeState;
  /** The fingerprint of the last read, valid or not. */
  #fingerprint: string | undefined;

  constructor(context: FollowContext) {
    this.#context = context;
    this.#state = {
      source: context.name,
      served: undefined,
      stale: undefined,
      branches: undefined,
      polledAt: undefined,
      day: context.today(),
      polls: { all: 0, failed: 0 },
    };
  }

  state(): ServeState {
    return this.#state;
  }

  /**
   * Calls the listener when another tree or day is served, and when the state becomes stale or
   * fresh.
   */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Polls the tree until it is stopped. It survives invalid trees, unreachable remotes and bugs,
   * with exponentially longer pauses after failures.
   */
  async run({ interval, isStopped, report }: FollowRun): Promise<void> {
    let failures = 0;
    while (!isStopped()) {
      failures = (await this.poll(report)) ? 0 : failures + 1;
      const pause = interval * 2 ** Math.max(0, Math.min(failures, 16) - 1);
      const rest = Math.min(pause, Math.max(interval, longestPause));
      await restUnlessStopped(this.#context.clock, rest, isStopped);
    }
  }

  /** Polls once. Returns false when the tree cannot be read or a bug occurs. Never throws. */
  async poll(report: FollowRun['report']): Promise<boolean> {
    const day = this.#context.today();
    const { polls } = this.#state;
    this.#state = {
      ...this.#state,
      day,
      polledAt: this.#context.time(),
      polls: { ...polls, all: polls.all + 1 },
    };
    try {
      await this.#pollAt(day, report);
      await this.#countBranches(report);
      return true;
    } catch (error) {
      await this.#serveStale(pollFailure(error), day, report);
      const { all, failed } = this.#state.polls;
      this.#state = { ...this.#state, polls: { all, failed: failed + 1 } };
      return false;
    }
  }

  async #pollAt(day: Day, report: FollowRun['report']): Promise<void> {
    const { work, name, timeouts } = this.#context;
    const answer = work.fingerprint();
    if (!(await timeouts.endsWithin(fingerprintTimeout, answer))) {
      await this.#serveStale({ reason: `${name} has not answered yet` }, day, report);
    }
    let fingerprint = await answer;
    if (fingerprint === this.#fingerprint) {
      this.#serveDay(day);
      this.#recover(report);
      return;
    }
    for (let reads = 1; reads <= maxReads; reads += 1) {
      const read = await work.read(day);
      const after = await work.fingerprint();
      if (after === fingerprint || reads === maxReads) {
        await this.#serve(read, day, report);
        this.#fingerprint = after === fingerprint ? fingerprint : undefined;
        return;
      }
      fingerprint = after;
    }
  }

  /** Serves the last tree of an earlier process when nothing is served yet. */
  async #serveKept(day: Day, report: FollowRun['report']): Promise<void> {
    if (this.#state.served !== undefined) return;
    try {
      const read = await this.#context.work.readKept(day);
      if (read?.snapshot.ok) await this.#serve(read, day, report);
    } catch {
      // Nothing is served then, as before.
    }
  }

  async #serve(
    { snapshot, capacity: input, ...state }: ReadTree,
    day: Day,
    report: FollowRun['report'],
  ): Promise<void> {
    const { stale, served } = this.#state;
    if (snapshot.ok) {
      const revision = { ...state, seenAt: this.#context.time() };
      const kept = withKeptDeclarations(served?.snapshot, snapshot.value);
      const changes = served && changesSince(served, kept);
      const pending = served?.pending ?? nothingPending;
      // Kept claims may count too.
      const capacity = kept === snapshot.value ? input : undefined;
      await this.#context.prepare?.(kept);
      const next = this.#servedOf({ snapshot: kept, revision, capacity, changes, pending }, day);
      // The first answer must not promise an address that an open branch takes.
      const first = served === undefined ? await this.#pollBranches(next, report) : next;
      this.#update({ served: first, stale: undefined });
      report({ kind: 'serves', served: first });
      return;
    }
    const since = stale?.since ?? this.#context.time();
    this.#serveDay(day);
    this.#update({ stale: { since, problems: snapshot.problems, reason: undefined } });
    report({ kind: 'broken', isServing: served !== undefined, problems: snapshot.problems });
  }

  #servedOf(parts: Parts, day: Day): ServedTree {
    const { snapshot, revision, capacity, changes, pending } = parts;
    const { git } = this.#context;
    return { revision, snapshot, day, capacity, changes, pending, git, memory: new Map() };
  }

  /** Serves the same tree for another day: retained addresses may be free. */
  #serveDay(day: Day): void {
    const { served } = this.#state;
    if (served === undefined || served.day === day) return;
    this.#update({ served: this.#servedOf(served, day) });
  }

  async #countBranches(report: FollowRun['report']): Promise<void> {
    const { served } = this.#state;
    const next = served && (await this.#pollBranches(served, report));
    if (next !== served) this.#update({ served: next });
  }

  /** Counts the demand of open branches. Returns the same tree when it has not changed. */
  async #pollBranches(served: ServedTree, report: FollowRun['report']): Promise<ServedTree> {
    const { pending: polls, time } = this.#context;
    if (polls === undefined) return served;
    const { day, revision } = served;
    const before = this.#state.branches?.reason;
    const branches = await polls.poll({ target: revision.commit?.id, day, time: time() });
    this.#state = { ...this.#state, branches };
    if (branches.reason !== before) report({ kind: 'branches', reason: branches.reason });
    const { pending } = branches;
    return pending === served.pending ? served : this.#servedOf({ ...served, pending }, day);
  }

  /** The tree can be read again and has not changed. */
  #recover(report: FollowRun['report']): void {
    const { stale } = this.#state;
    if (stale?.reason === undefined) return;
    const isBroken = stale.problems.length > 0;
    this.#update({ stale: isBroken ? { ...stale, reason: undefined } : undefined });
    report({ kind: 'recovered' });
  }

  /** Keeps serving the last tree, marked as stale. */
  async #serveStale(failure: PollFailure, day: Day, report: FollowRun['report']): Promise<void> {
    const { reason } = failure;
    await this.#serveKept(day, report);
    this.#serveDay(day);
    const { stale } = this.#state;
    if (stale?.reason === reason) return;
    const since = stale?.since ?? this.#context.time();
    this.#update({ stale: { since, problems: stale?.problems ?? [], reason } });
    report({ kind: 'failed', ...failure });
  }

  #update(changed: Partial<Pick<ServeState, 'served' | 'stale'>>): void {
    this.#state = { ...this.#state, ...changed };
    for (const listener of [...this.#listeners]) listener();
  }
}

function changesSince({ revision, snapshot }: ServedTree, now: WorkspaceSnapshot): ServedChanges {
  const { commit, seenAt } = revision;
  const since = { ...(commit ? { commit: commit.id } : {}), seenAt };
  return { since, ...addressChanges(snapshot.table, now.table) };
}

/**
 * Adds the claims and hostnames of the last successful poll for files that have become invalid.
 * While their holders keep their addresses and names, the Services are still there. Without an
 * earlier poll, nothing is added.
 */
function withKeptDeclarations(
  before: WorkspaceSnapshot | undefined,
  now: WorkspaceSnapshot,
): WorkspaceSnapshot {
  const broken = new Set(now.problems.map(({ at }) => at.file));
  if (before === undefined || broken.size === 0) return now;
  const holding = new Set([...now.table.values()].filter(isHeld).map(({ holder }) => holder));
  const declared = [...now.claims.values(), ...now.promises.values(), ...now.hostnames].flat();
  const read = new Set(declared.map(({ at }) => at.file));
  const isBroken = ({ file }: Position): boolean => broken.has(file) && !read.has(file);
  const isKept = ({ at, holder }: Pick<Claim, 'at' | 'holder'>): boolean =>
    isBroken(at) && holding.has(holder);
  const claims = new Map(now.claims);
  for (const [holder, earlier] of before.claims) {
    const kept = earlier.filter(isKept);
    if (kept.length === 0) continue;
    claims.set(holder, [...(claims.get(holder) ?? []), ...kept].sort(compareClaims));
  }
  const promises = new Map([
    ...[...before.promises].filter(([, promise]) => isKept(promise)),
    ...now.promises,
  ]);
  const names = new Set(now.hostnames.map(({ hostname }) => hostname));
  const hostnames = before.hostnames.filter(
    (one) => isBroken(one.at) && heldRecord(now.hostnameTable, one) && !names.has(one.hostname),
  );
  return { ...now, claims, promises, hostnames: [...now.hostnames, ...hostnames] };
}
