import type { Clone } from './clone.ts';

/** True for a file that a commit has. */
export function isThere(clone: Clone, commit: string, path: string): boolean {
  return clone.isDone('cat-file', '-e', `${commit}:${path}`);
}

/** True for a file of both sides of what is under way, and of the commit that both start from. */
export function isInAll(clone: Clone, path: string): boolean {
  const { branch, target } = sidesOf(clone);
  const base =
    target === 'MERGE_HEAD' ? clone.git('merge-base', branch, target).trim() : `${branch}~1`;
  return [base, branch, target].every((commit) => isThere(clone, commit, path));
}

/** Takes a file as a commit has it, or that it has none. */
export function take(clone: Clone, commit: string, path: string): void {
  if (!clone.isDone('checkout', '-q', commit, '--', path)) {
    clone.git('rm', '-q', '-f', '--', path);
  }
}

/** Puts a file where a commit has it, by the name without its folder. */
export function takeBack(clone: Clone, commit: string, path: string): void {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const files = clone.git('ls-tree', '-r', '--name-only', commit, '--', 'leases').split('\n');
  const own = files.find((file) => file.endsWith(`/${name}`));
  if (own !== undefined) take(clone, commit, own);
}

/** The two sides of what is under way: the commit of the branch, and that of the target. */
export function sidesOf(clone: Clone): { readonly branch: string; readonly target: string } {
  if (clone.hasHead('MERGE_HEAD')) return { branch: 'HEAD', target: 'MERGE_HEAD' };
  const branch =
    ['REBASE_HEAD', 'CHERRY_PICK_HEAD'].find((name) => clone.hasHead(name)) ?? 'REVERT_HEAD~1';
  return { branch, target: 'HEAD' };
}
