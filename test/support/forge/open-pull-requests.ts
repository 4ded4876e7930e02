import type { Capacity } from '../../../src/lib/forecast/capacity-answer.ts';
import { remadeTwoLeases } from '../repositories/cached-repository.ts';
import type { GitRepository } from '../repositories/git-repository.ts';
import { answered } from '../run/json-answer.ts';
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

/** A new clone that knows no branch of the remote but `main`, made with these options. */
export function cloneOf(remote: GitRepository, ...options: readonly string[]): string {
  const clone = tempTree();
  remote.git('clone', '-q', '--single-branch', ...options, `file://${remote.root}`, clone);
  return clone;
}

/** Options of `capacity` that count the pull requests, on a day after all of them. */
export const pullHeads = ['--pending-refs', 'refs/pull/*/head', '--today', '2026-01-12'];

/** What `capacity` answers in a clone. */
export async function capacityOf(root: string, ...options: readonly string[]): Promise<Capacity> {
  return (await answered(['capacity', ...options], root, 'capacity')) as Capacity;
}

/** Each row: the free addresses without the pending ones are the promisable ones. */
export function countsOf({ items }: Capacity): readonly string[] {
  return items.map(({ free, pending, promisable }) => `${free}-${pending}=${promisable}`);
}
