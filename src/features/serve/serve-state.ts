import type { Day } from '../../model/day.ts';
import type { Problem } from '../../model/problem.ts';
import type { Commit } from '../../ports/commits.ts';
import type { WebAnswer } from '../../ports/web.ts';
import type { Pending } from '../ask/capacity/pending.ts';
import type { WorkspaceSnapshot } from '../ask/workspace-snapshot.ts';
import type { GitWork } from './long-work.ts';
import type { SeenPending } from './pending-looks.ts';

/** Which state of the repository is served. */
export interface Revision {
  /** Undefined outside of git, or before the first commit. */
  readonly commit: Commit | undefined;
  /** True when a working tree is served that differs from its commit. */
  readonly isUncommitted: boolean;
  /** The time of the look that found it, UTC, `2026-01-02T10:00:00Z`. */
  readonly seenAt: string;
}

/** What one good look at the tree gave, as of one day and of what open branches held. Never changes: a look, a day or a branch makes another. */
export interface ServedTree {
  readonly revision: Revision;
  /** Its `problems` are of declarations: claims of theirs are those of the last good look. */
  readonly snapshot: WorkspaceSnapshot;
  /** The day that counts what is retained and free. */
  readonly day: Day;
  /** What open branches hold; nothing when they do not count. */
  readonly pending: Pending;
  /** Knows the history of the served commit. */
  readonly git: GitWork;
  /** Answers made of this state already: see {@link memoized}. */
  readonly memory: Map<string, WebAnswer | Promise<WebAnswer>>;
}

/** Why what is served is not what is there. */
export interface Stale {
  /** The time since which it is not, UTC. */
  readonly since: string;
  /** Problems of the pool file or of records, for which nothing newer can be served. */
  readonly problems: readonly Problem[];
  /** Why the tree is not reached; undefined when it is. */
  readonly reason: string | undefined;
}

/** How it stands with the service at one moment. */
export interface ServeState {
  /** Which tree is followed, for people. */
  readonly source: string;
  /** The last good state; undefined while there has been none. */
  readonly served: ServedTree | undefined;
  /** Undefined while the newest look was good. With no served state: why there is none. */
  readonly stale: Stale | undefined;
  /** How it stands with open branches; undefined when they do not count, and before the first look at them. */
  readonly branches: SeenPending | undefined;
  /** The time of the last look, also of one that failed, UTC; undefined before the first. */
  readonly lookedAt: string | undefined;
  /** The day of the last look. */
  readonly day: Day;
  /** How many looks there were, and how many of them failed. */
  readonly looks: { readonly all: number; readonly failed: number };
}

/** The answer of a name to this state, made once. Only for names of which there is a bounded number. */
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
