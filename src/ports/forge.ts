import { EnvironmentError } from '../model/problem.ts';

/** One comment on a pull request, whoever wrote it. */
export interface ForgeComment {
  /** As the forge counts them: digits, and the later comment has the higher number. */
  readonly id: string;
  /** The login of who wrote it. */
  readonly author: string;
  /** As it was sent: not to be trusted. */
  readonly body: string;
}

/**
 * One pull request (a merge request on GitLab) of a forge. Every method waits out rate limits and short
 * outages itself, and throws an EnvironmentError, with a sentence that says what to do, when the forge is
 * not reached, refuses the token, or wants more patience than a job has.
 */
export interface Forge {
  /** Which pull request it is, for people: `pull request 7 of owner/name`. */
  readonly name: string;
  /** The login that comments are written under. */
  author(): Promise<string>;
  /** The full object name of the pull request's last commit. */
  head(): Promise<string>;
  /** All comments, of all pages, in any order. */
  list(): Promise<readonly ForgeComment[]>;
  /** Writes a comment and gives it as the forge has it. An UnsureError when it may be there or not. */
  create(body: string): Promise<ForgeComment>;
  /** Gives a comment another body; false when it is no longer there. */
  update(id: string, body: string): Promise<boolean>;
  /** Removes a comment; one that is no longer there is no matter. */
  remove(id: string): Promise<void>;
}

/**
 * The forge broke off while it did something that must not be done twice: only a look at what is there
 * now can tell whether it was done.
 */
export class UnsureError extends EnvironmentError {}
