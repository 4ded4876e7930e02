/** What a use case asks of git. */
export interface History {
  /** Files below some folders that git's index has, or undefined outside a git repository. Without git, an EnvironmentError. */
  tracked(folders: readonly string[]): Promise<readonly string[] | undefined>;
  /** Takes files that are gone from the tree out of git's index; unknown paths are ignored. */
  forget(paths: readonly string[]): Promise<void>;
}
