/** What a use case asks of git. */
export interface History {
  /** Files below some folders that git's index has, or undefined outside a git repository. Without git, an EnvironmentError. */
  tracked(folders: readonly string[]): Promise<readonly string[] | undefined>;
  /** Brings files into git's index as the tree has them; one that is gone leaves it. */
  stage(paths: readonly string[]): Promise<void>;
}
