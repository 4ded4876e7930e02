import { InternalError } from '../../model/problem.ts';
import type { CommitLog, FileVersion, LoggedCommit } from '../../ports/commit-log.ts';
import { quietGit, readRepository } from './git.ts';
import { ownFiles } from './git-changed-files.ts';
import { isShallow } from './git-commits.ts';
import { defaultRef } from './git-default-ref.ts';
import { folderVersions } from './git-folder-log.ts';
import { logFormat, loggedCommits } from './git-log-fields.ts';
import { readObjects } from './git-objects.ts';
import { signedCommits } from './git-signatures.ts';

/** The log of the repository that root lies in, which may be a folder of it. */
export function gitLog(root: string): CommitLog {
  return {
    defaultRef: async () => (await defaultRef(root)) ?? 'HEAD',
    isShallow: () => isShallow(root),
    versions: (commit, path) => versions(root, commit, path),
    folderVersions: (range, folder) => folderVersions(root, range, folder),
    logged: (commit) => logged(root, commit),
    signed: (range, allowedSigners) => signedCommits(root, range, allowedSigners),
    ownFiles: (commits) => ownFiles(root, commits),
    contents: (commits, path) => contents(root, commits, path),
    async descending(base, head) {
      const command = ['rev-list', '--ancestry-path', head, `^${base}`, '--'];
      const output = await quietGit(root).raw(command);
      return new Set(output.split('\n').filter((id) => id !== ''));
    },
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
  const ids = commits.map(({ id }) => id);
  const found = await contents(root, ids, path);
  return commits.map((commit, index) => ({ commit, content: found[index] })).reverse();
}

async function logged(root: string, id: string): Promise<LoggedCommit> {
  const command = ['log', ...logFormat, '--no-walk', id, '--'];
  const [commit] = loggedCommits(await readRepository(root, command));
  if (commit === undefined) throw new InternalError('git shows no commit for an object name');
  return commit;
}

async function contents(
  root: string,
  commits: readonly string[],
  path: string,
): Promise<readonly (Uint8Array | undefined)[]> {
  const names = commits.map((id) => `${id}:./${path}`);
  return (await readObjects(root, names)).map((object) => object?.bytes);
}
