import type { MergeState } from '../../interfaces/work-tree.ts';
import type { Problem } from '../../model/problem.ts';
import {
  distFolder,
  isRecordPath,
  leasesFolder,
  recordFolders,
} from '../../model/repository-paths.ts';

/** The message for a merge of more than two branches, which `resolve` does not support. */
export const severalMerged =
  'more than two branches are being merged at once: run `git merge --abort`, and merge one after the other';

/** The message for unmerged files when no merge is in progress. */
export const unknownMerge =
  'files are unmerged, but no merge, rebase, cherry-pick, revert or squash is in progress (`git stash pop` leaves such files): edit the declarations and `git add` them, take the other files from HEAD with `git checkout HEAD -- leases/allocations dist`, and run `leasehold synth`';

/** True for the files below `leases/` and `dist/`. */
export function isOurs(path: string): boolean {
  return [leasesFolder, distFolder].some(
    (folder) => path === folder || path.startsWith(`${folder}/`),
  );
}

/** True for the files that `resolve` writes: records and manifests. */
export function isResolved(path: string): boolean {
  return isRecordPath(path) || path.startsWith(`${distFolder}/`);
}

/**
 * Returns a notice of an unfinished merge, rebase or the like that may cause the problems, with the
 * command that resolves it. Undefined when none is in progress, or when no file of `leases/` and
 * `dist/` is unmerged and no problem is in a file that `resolve` writes.
 */
export function mergeNotice(state: MergeState, problems: readonly Problem[]): string | undefined {
  const ours = state.unmerged.filter(({ path }) => isOurs(path));
  const name = state.onto === undefined ? state.unfinished : 'rebase';
  if (name === undefined) return ours.length > 0 ? unknownMerge : undefined;
  // A revert without a conflict leaves nothing to resolve: synth records it.
  const isAsked = name !== 'revert' && problems.some(({ at }) => isResolved(at.file));
  if (ours.length === 0 && !isAsked) return undefined;
  if (state.incoming.length > 1) return severalMerged;
  const folders = recordFolders.map((folder) => `${folder}/`).join(', ');
  return `a ${name} is in progress: first run \`leasehold resolve\`, which resolves ${folders} and ${distFolder}/, and says which other files to edit`;
}
