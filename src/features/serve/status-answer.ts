/** One problem of a served tree. */
export interface StatusProblem {
  readonly code: string;
  readonly message: string;
  /** `file:line:column`. */
  readonly at: string;
  readonly hint?: string;
}

/** What `/api/v1/status` of `leasehold serve` answers. */
export interface Status {
  readonly apiVersion: 'leasehold.dev/v1';
  readonly kind: 'Status';
  /** Of leasehold. */
  readonly version: string;
  /** Which tree is followed. */
  readonly source: string;
  /** False until there was a good look: nothing is served yet. */
  readonly ready: boolean;
  /** The day of the last look, UTC. */
  readonly day: string;
  /** The time of the last look, UTC. */
  readonly lookedAt?: string;
  readonly looks: { readonly all: number; readonly failed: number };
  /** What is served. */
  readonly revision?: {
    /** The full object name; absent outside of git. */
    readonly commit?: string;
    /** The committer's day. */
    readonly day?: string;
    /** True for a working tree that differs from its commit. */
    readonly uncommitted: boolean;
    /** The time of the look that found it. */
    readonly seenAt: string;
  };
  /** Present when the newest look was not good: what is served is older. */
  readonly stale?: {
    readonly since: string;
    /** Why the tree is not reached. */
    readonly reason?: string;
    /** For which nothing newer can be served. */
    readonly problems: readonly StatusProblem[];
  };
  /** How it stands with open branches; absent when they do not count. */
  readonly pending?: {
    /** How many hold addresses that the served commit does not give. */
    readonly refs: number;
    /** How many could not be read. */
    readonly skipped: number;
    /** The time of the last good look at them, UTC; absent before the first. */
    readonly seenAt?: string;
    /** Why nothing newer is known. */
    readonly reason?: string;
  };
  /** Problems of declarations in what is served: claims of theirs are those of the last good look, or missing. */
  readonly problems: readonly StatusProblem[];
}
