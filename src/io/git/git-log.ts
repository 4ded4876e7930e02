import type { CommitLog, FileVersion } from '../../app/ports/commit-log.ts';
import { quietGit } from './git.ts';
import { isShallow } from './git-commits.ts';
import { defaultRef } from './git-default-ref.ts';
import { logFormat, loggedCommits } from './git-log-fields.ts';
import { readObjects } from './git-objects.ts';
import { signedCommits } from './git-signatures.ts';

/** The log of the repository that root lies in, which may be a folder of it. */
export function gitLog(root: string): CommitLog {
  return {
    defaultRef: async () => (await defaultRef(root)) ?? 'HEAD',
    isShallow: () => isShallow(root),
    versions: (commit, path) => versions(root, commit, path),
    signed: (range, allowedSigners) => signedCommits(root, range, allowedSigners),
  };
}

/** On the way of first parents, a merge brings what its branch changed at once, when it was merged. */
async function versions(
  root: string,
  commit: string,
  path: string,
): Promise<readonly FileVersion[]> {
  const way = ['--first-parent', '--no-renames', '--no-follow'];
  const which = [...way, commit, '--', `:(literal)${path}`];
  const commits = loggedCommits(await quietGit(root).raw(['log', ...logFormat, ...which]));
  const objects = await readObjects(
    root,
    commits.map(({ id }) => `${id}:./${path}`),
  );
  return commits
    .map((logged, index) => ({ commit: logged, content: objects[index]?.bytes }))
    .reverse();
}
