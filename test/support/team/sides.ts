import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'yaml';
import { putFile } from '../trees/temp-tree.ts';
import type { Clone } from './clone.ts';
import type { Document } from './view.ts';

/** Writes both edits of a file that git has left unmerged, as a person does. False where that is the file of one side. */
export function join(clone: Clone, path: string): boolean {
  const stages = [1, 2, 3].map((stage) => clone.tried('show', `:${stage}:${path}`));
  if (stages.some(({ status }) => status !== 0)) return false;
  const [base, ours, theirs] = stages.map(({ stdout }) => parse(stdout));
  const joined = joinedOf(base, ours, theirs);
  if ([ours, theirs].some((side) => isDeepStrictEqual(side, joined))) return false;
  putFile(clone.root, path, stringify(joined));
  clone.git('add', '--', path);
  return true;
}

/** The value of the side that has changed it; with both, each field by itself. */
function joinedOf(base: Document, ours: Document, theirs: Document): Document {
  if (isDeepStrictEqual(base, ours)) return theirs;
  if (isDeepStrictEqual(base, theirs)) return ours;
  const sides = [base, ours, theirs];
  if (sides.some((side) => typeof side !== 'object' || side === null)) return ours;
  if (sides.every(Array.isArray)) {
    const isAlike = sides.every(({ length }) => length === base.length);
    const join = (own: Document, at: number) => joinedOf(base[at], own, theirs[at]);
    return isAlike ? ours.map(join) : ours;
  }
  const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  const fields = [...keys].map(
    (key) => [key, joinedOf(base[key], ours[key], theirs[key])] as const,
  );
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** True for a file that a commit has. */
export function isThere(clone: Clone, commit: string, path: string): boolean {
  return clone.isDone('cat-file', '-e', `${commit}:${path}`);
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
