/** What a use case asks of git. */
export interface History {
  /** Files below a folder that git's index has, or undefined outside a git repository. Without git, an EnvironmentError. */
  tracked(folder: string): Promise<readonly string[] | undefined>;
  /** Takes files that are gone from the tree out of git's index; those it does not know are no matter. */
  forget(paths: readonly string[]): Promise<void>;
}
