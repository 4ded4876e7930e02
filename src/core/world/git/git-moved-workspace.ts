import { EnvironmentError } from '../../model/problem.ts';
import { leasesFolder, poolsPath } from '../../model/repository-paths.ts';
import type { Git } from './git.ts';
import type { GitObject } from './git-objects.ts';
import { partsIn } from './git-text.ts';

/**
 * The top folder of the workspace in a commit, given what the commit has at the workspace's path
 * now. A commit from before the workspace was moved has it elsewhere: in the folder with a pool file
 * that the index has no longer. An EnvironmentError when there are several such folders.
 */
export async function workspaceTop(
  git: Git,
  commit: string,
  here: GitObject | undefined,
): Promise<GitObject | undefined> {
  if (here?.bytes?.includes(`40000 ${leasesFolder}\0`)) return here;
  const listed = await git.read(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit]);
  const before = foldersIn(listed);
  if (before.length === 0) return here;
  const files = ['ls-files', '-z', '--full-name', '--', `:(top,glob)**/${poolsPath}`];
  const now = new Set(foldersIn(await git.readIndex(files)));
  // Without a checkout, nothing tells where the workspace is now.
  if (now.size === 0) return here;
  const [gone, ...others] = before.filter((folder) => !now.has(folder));
  if (gone === undefined) return here;
  if (others.length === 0) return (await git.objects.read([`${commit}:${gone}`]))[0];
  const names = [gone, ...others].map((folder) => folder || 'the top folder').join(', ');
  throw new EnvironmentError(
    `this workspace is new at its path, and several are gone, at ${names}: move each in a pull request of its own`,
  );
}

/** The folders of the pool files among some paths, without a slash at the end. */
function foldersIn(output: string): readonly string[] {
  return partsIn(output).flatMap((path) => {
    if (path === poolsPath) return [''];
    return path.endsWith(`/${poolsPath}`) ? [path.slice(0, -poolsPath.length - 1)] : [];
  });
}
