import { remadeTwoLeases } from '../repositories/cached-repository.ts';
import type { GitRepository } from '../repositories/git-repository.ts';
import { tempTree } from '../trees/temp-tree.ts';

/** A remote on this machine, and a clone of its `main`. */
export interface Forge {
  readonly remote: GitRepository;
  readonly clone: string;
}

/** A remote of {@link remadeTwoLeases} whose pull requests 1, 2 and so on are these branches. */
export async function forgeWith(...branches: readonly string[]): Promise<Forge> {
  const remote = await remadeTwoLeases();
  branches.forEach((branch, index) => {
    remote.git('update-ref', `refs/pull/${index + 1}/head`, branch);
  });
  return { remote, clone: cloneOf(remote) };
}

/** A new clone that knows no branch of the remote but `main`. */
export function cloneOf(remote: GitRepository): string {
  const clone = tempTree();
  remote.git('clone', '-q', '--single-branch', `file://${remote.root}`, clone);
  return clone;
}
