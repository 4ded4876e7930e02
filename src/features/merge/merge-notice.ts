import { allocationsFolder, distFolder } from '../../model/folders.ts';
import type { Problem } from '../../model/problem.ts';
import type { MergeState } from '../../ports/merge-state.ts';
import { isOurs, isWritten, severalMerged, unknownMerge } from './unmerged-problems.ts';

/**
 * The merge, rebase or the like that may be the cause of problems, and the command that settles it. Undefined when none is
 * under way, and when no file of `leases/` and `dist/` is unmerged and no problem is in a file that leasehold alone writes.
 */
export function mergeNotice(state: MergeState, problems: readonly Problem[]): string | undefined {
  const ours = state.unmerged.filter(({ path }) => isOurs(path));
  const name = state.onto === undefined ? state.unfinished : 'rebase';
  if (name === undefined) return ours.length > 0 ? unknownMerge : undefined;
  if (ours.length === 0 && !problems.some(({ at }) => isWritten(at.file))) return undefined;
  if (state.incoming.length > 1) return severalMerged;
  const people = ours.filter(({ path }) => !isWritten(path));
  const first =
    people.length > 0
      ? `write what ${listed(people.map(({ path }) => path))} should say and git add, then `
      : '';
  return `a ${name} is under way: before all else, ${first}run leasehold resolve, which brings ${allocationsFolder}/ and ${distFolder}/ in order`;
}

/** The first three: git status lists them all. */
function listed(paths: readonly string[]): string {
  const [first, ...others] = paths;
  if (others.length > 2) return `${first} and ${others.length} more (git status lists them)`;
  return paths.join(', ');
}
