/** What forges write into the messages of merges and squashes, each with the request's number. */
const forms = [
  // GitHub's merge and Bitbucket's.
  /^Merge(?:d in \S+)? \(?pull request (#\d{1,10})\b/,
  // GitHub's and Gitea's squash.
  /^[^\n]* \((#\d{1,10})\)(?:\n|$)/,
  // GitLab's merge.
  /^See merge request (\S{0,200}!\d{1,10})$/m,
] as const;

/**
 * The pull or merge request that a commit message names: `#12`, or GitLab's `group/project!34`. Whoever
 * writes the message can name any.
 */
export function mergeRequestIn(message: string): string | undefined {
  for (const form of forms) {
    const named = form.exec(message)?.[1];
    if (named !== undefined) return named;
  }
  return undefined;
}
