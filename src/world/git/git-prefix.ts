import { EnvironmentError } from '../../model/problem.ts';
import { isInWorkTree } from './git.ts';
import { ask } from './git-commits.ts';

/**
 * Where a folder stands in its repository, with a slash at the end; empty for the repository itself and outside of
 * git. An EnvironmentError for a path with other characters than letters, digits, `.`, `_` and `-`: no pattern that
 * forges read alike names it, and engines read braces and a `$` in a path as something else.
 */
export async function folderInRepository(root: string): Promise<string> {
  if (!isInWorkTree(root)) return '';
  const prefix = ((await ask(root, ['rev-parse', '--show-prefix'])) ?? '').replace(/\n$/, '');
  if (/^(?:[A-Za-z0-9._-]+\/)*$/.test(prefix)) return prefix;
  throw new EnvironmentError(
    'the path of this folder in its repository has characters that not every forge and engine reads alike: rename the folder',
  );
}
