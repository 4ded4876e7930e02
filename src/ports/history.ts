/** What a use case asks of git. */
export interface History {
  /** Files below some folders that git's index has, or undefined outside a git repository. Without git, an EnvironmentError. */
  tracked(folders: readonly string[]): Promise<readonly string[] | undefined>;
  /** Brings files into git's index as the tree has them; one that is gone leaves it. */
  stage(paths: readonly string[]): Promise<void>;
}

/** What a git repository has before its first push. */
export interface GitStart {
  /** The branch that is checked out, with a commit or without; undefined for none. */
  readonly branch: string | undefined;
  readonly hasCommit: boolean;
  readonly hasOrigin: boolean;
}
