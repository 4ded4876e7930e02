/** The variables of the environment. */
type Env = Readonly<Record<string, string | undefined>>;

/** The facts about a forge: a program that hosts repositories, with reviews and CI. */
export interface ForgeFacts {
  /** For people: `GitHub`. */
  readonly label: string;
  /** Its hosts whose names do not have its own as a part, such as `github.com` has `github`. */
  readonly hosts?: readonly string[];
  /** Its name for a proposed change. */
  readonly request: 'pull request' | 'merge request';
  /** The paths at which it looks for CODEOWNERS, in this order. */
  readonly codeowners: readonly string[];
  /** The path of a new CODEOWNERS. */
  readonly newCodeowners: string;
  /**
   * The syntax of CODEOWNERS. `paths`: only the last line that matches a file decides.
   * `expressions`: regular expressions, and every line that matches a file adds its owners.
   */
  readonly ownersLines: 'paths' | 'expressions';
  /** The CI files, each with the file of leasehold that it is a copy of. */
  readonly ciKit: readonly (readonly [path: string, shipped: string])[];
  /** Files and folders that decide whether a change is checked, beside CODEOWNERS. */
  readonly gates: readonly string[];
  /** The part of a URL between the repository and a commit. */
  readonly blob: string;
  /** The most characters of a comment. */
  readonly mostChars: number;
  /** A leasehold to install from it, as an example. */
  readonly toolExample: string;
  /** True in a job of its CI. */
  isCI(env: Env): boolean;
  /** The branch that the job's pull request is for; undefined when it is not named. */
  targetOf(env: Env): string | undefined;
  /** True in a job for a merge that waits in a queue or train. */
  isQueued(env: Env): boolean;
  /** The web page of the repository that a job of its CI runs for; undefined when it is not named. */
  webOf(env: Env): string | undefined;
}
