import { EnvironmentError } from '../../model/problem.ts';
import { firstLine, installedGit } from './git.ts';

/** Makes a git repository in a folder, on a branch of this name, without a commit. */
export async function makeRepository(root: string, branch: string): Promise<void> {
  const git = await installedGit(root);
  try {
    await git.raw(['init', '--quiet', `--initial-branch=${branch}`]);
  } catch (error) {
    throw new EnvironmentError(
      `the files are written, but git makes no repository here; run git init: ${firstLine(error)}`,
    );
  }
}
