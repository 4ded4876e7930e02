import { EnvironmentError } from '../model/problem.ts';
import { openRepository } from '../world/git/git-repository.ts';
import type { World } from './world.ts';

/**
 * What a pull request is compared with when nobody says: the target that GitHub's or GitLab's environment
 * names, else the default branch.
 */
export async function baseRefOf({ env }: World, root: string): Promise<string> {
  const target = env.GITHUB_BASE_REF || env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME;
  // In full: a branch or tag could have the short name too.
  if (target) return `refs/remotes/origin/${target}`;
  const ref = await openRepository(root).defaultRef();
  if (ref !== undefined) return ref;
  throw new EnvironmentError(
    'there is no branch to compare with: neither the default branch of a remote, nor main; name one with --base',
  );
}
