/** A ref of a remote and the commit it names. */
export interface RemoteHead {
  /** As the remote names it; not to be trusted. */
  readonly ref: string;
  /** A full object name. */
  readonly commit: string;
}

/** What a remote says of refs that nobody here follows, such as those of pull requests. Nothing here changes a ref. */
export interface RemoteHeads {
  /**
   * The refs that a pattern names, `refs/pull/*\/head`, in no order. An EnvironmentError when the remote is none of the
   * clone's or is not reached.
   */
  list(patterns: readonly string[]): Promise<readonly RemoteHead[]>;
  /** Fetches commits that are not here, by their names, and gives those that are here then. An EnvironmentError when the remote is not reached. */
  bring(commits: readonly string[]): Promise<ReadonlySet<string>>;
}
