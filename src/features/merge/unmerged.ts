import { allocationsFolder, distFolder, leasesFolder } from '../../model/folders.ts';
import { EnvironmentError, type Problem, startOf } from '../../model/problem.ts';
import type { MergeState } from '../../ports/merge-state.ts';
import type { SourceTree } from '../../ports/tree.ts';
import { readText } from '../../text/yaml/yaml-text.ts';

/** The message for a merge of more than two branches, which `resolve` does not handle. */
export const severalMerged =
  'more than two branches are being merged at once: git merge --abort, and merge one after the other';

/** The message for unmerged files when no merge is under way. */
export const unknownMerge =
  'files are unmerged, and no merge, rebase, cherry-pick, revert or squash is under way: git status tells where they come from (git stash pop leaves such files); resolve them with git, then run leasehold synth';

/** More than two branches at once, whose addresses nobody could tell apart, are an EnvironmentError. */
export function assertOneMerge(state: MergeState): void {
  if (state.incoming.length > 1) throw new EnvironmentError(severalMerged);
}

/** True for what leasehold writes and, below `leases/`, for what people write. */
export function isOurs(path: string): boolean {
  return [leasesFolder, distFolder].some(
    (folder) => path === folder || path.startsWith(`${folder}/`),
  );
}

/** True for what leasehold alone writes. */
export function isWritten(path: string): boolean {
  return [allocationsFolder, distFolder].some((folder) => path.startsWith(`${folder}/`));
}

/**
 * The files that people write and that a merge has left to them: YAML_CONFLICT where conflict markers
 * stand, else FILE_UNMERGED. An EnvironmentError when nobody can tell what is being merged, or when a
 * submodule is.
 */
export function unmergedProblems(tree: SourceTree, state: MergeState): Problem[] {
  const ours = state.unmerged.filter(({ path }) => isOurs(path));
  const submodule = ours.find(({ isSubmodule }) => isSubmodule);
  if (submodule) {
    throw new EnvironmentError(
      `${submodule.path} is a submodule, and leasehold reads none: git rm it, and commit the files themselves`,
    );
  }
  if (ours.length > 0 && state.incoming.length === 0) {
    throw new EnvironmentError(unknownMerge);
  }
  return ours.filter(({ path }) => !isWritten(path)).map(({ path }) => unmerged(tree, path));
}

function unmerged(tree: SourceTree, path: string): Problem {
  const isThere = tree.list(path).some((entry) => entry.path === path && entry.kind === 'file');
  const text = isThere ? readText(path, tree.read(path)) : undefined;
  const conflict =
    text?.ok === false ? text.problems.find(({ code }) => code === 'YAML_CONFLICT') : undefined;
  const hint = 'write what it should say, git add it, and run leasehold resolve again';
  if (conflict) return { ...conflict, hint };
  return {
    code: 'FILE_UNMERGED',
    message: isThere
      ? 'the merge has left this file to you'
      : 'the merge has left this file to you, and the working tree lacks it',
    at: startOf(path),
    hint: isThere
      ? 'write what it should say and git add it, or git rm it if it should go'
      : 'git rm it if it should go, or take it from one side: git checkout --ours or --theirs, then git add it',
  };
}

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
