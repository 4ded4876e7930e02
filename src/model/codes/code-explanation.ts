/** What `leasehold explain CODE` and docs/problems.md say about a code. */
export interface CodeExplanation {
  /** One sentence: what is wrong. */
  readonly title: string;
  /** What to do about it. */
  readonly fix: string;
}
