/** One comment on a pull request, by any author. */
export interface ForgeComment {
  /** The forge's number, as digits; a later comment has a higher number. */
  readonly id: string;
  /** The author's login. */
  readonly author: string;
  /** As it was sent; untrusted. */
  readonly body: string;
}

/**
 * One pull request (a merge request on GitLab) of a forge. Every method waits out rate limits and
 * short outages. It throws an EnvironmentError with a hint when the forge cannot be reached,
 * refuses the token, or requires a wait that is too long for a job.
 */
export interface Forge {
  /** For people: `pull request 7 of owner/name`. */
  readonly name: string;
  /** The login under which comments are written. */
  author(): Promise<string>;
  /** The full object name of the pull request's last commit. */
  head(): Promise<string>;
  /** All comments, of all pages, in any order. */
  list(): Promise<readonly ForgeComment[]>;
  /** Writes a comment and returns it. An UnsureError when it may or may not have been written. */
  create(body: string): Promise<ForgeComment>;
  /** Replaces the body of a comment; false when the comment no longer exists. */
  update(id: string, body: string): Promise<boolean>;
  /** Removes a comment, if it still exists. */
  remove(id: string): Promise<void>;
}
