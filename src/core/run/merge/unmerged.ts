import type { Commits } from '../../interfaces/commits.ts';
import type { SourceTree } from '../../interfaces/tree.ts';
import type { MergeState, Merging, UnmergedFile } from '../../interfaces/work-tree.ts';
import type { DomainProof } from '../../model/domain-proof.ts';
import { EnvironmentError, type Problem, startOf } from '../../model/problem.ts';
import {
  distFolder,
  isRecordPath,
  leasesFolder,
  proofsFolder,
  recordFolders,
} from '../../model/repository-paths.ts';
import { printDomainProof, readDomainProof } from '../../records/domain-proof-file.ts';
import { withMoveCommand } from '../../records/held.ts';
import { shellWord } from '../../text/print/escape.ts';
import { readText } from '../../text/yaml/yaml-text.ts';
import type { MergeContext } from './merge-ways.ts';

/** The message for a merge of more than two branches, which `resolve` does not support. */
const severalMerged =
  'more than two branches are being merged at once: run git merge --abort, and merge one after the other';

/** The message for unmerged files when no merge is in progress. */
const unknownMerge =
  'files are unmerged, but no merge, rebase, cherry-pick, revert or squash is in progress (git stash pop leaves such files): edit the declarations and git add them, take the other files from HEAD with git checkout HEAD -- leases/allocations dist, and run leasehold synth';

/** True for the files below `leases/` and `dist/`. */
function isOurs(path: string): boolean {
  return [leasesFolder, distFolder].some(
    (folder) => path === folder || path.startsWith(`${folder}/`),
  );
}

/** True for the files that `resolve` writes: records and manifests. */
export function isResolved(path: string): boolean {
  return isRecordPath(path) || path.startsWith(`${distFolder}/`);
}

/**
 * The state of a merge that `resolve` can handle. Throws an EnvironmentError when more than two
 * branches are merged at once, for an unmerged submodule, and when it is unknown what is being
 * merged.
 */
export async function resolvableState(merging: Pick<Merging, 'state'>): Promise<MergeState> {
  const state = await merging.state();
  if (state.incoming.length > 1) throw new EnvironmentError(severalMerged);
  const ours = state.unmerged.filter(({ path }) => isOurs(path));
  const submodule = ours.find(({ isSubmodule }) => isSubmodule);
  if (submodule) {
    throw new EnvironmentError(
      `${submodule.path} is a submodule, which leasehold does not support: git rm it, and commit the files themselves`,
    );
  }
  if (ours.length > 0 && state.incoming.length === 0) throw new EnvironmentError(unknownMerge);
  return state;
}

/**
 * Problems for unmerged files that `resolve` does not write: YAML_CONFLICT for conflict markers,
 * else FILE_UNMERGED.
 */
export function unmergedProblems(tree: SourceTree, state: MergeState): Problem[] {
  const paths = new Set(unmergedDeclarations(state));
  return state.unmerged.filter(({ path }) => paths.has(path)).map((file) => unmerged(tree, file));
}

/** The unmerged files of `leases/` and `dist/` that are neither records nor manifests. */
export function unmergedDeclarations({ unmerged }: MergeState): string[] {
  return unmerged.map(({ path }) => path).filter((path) => isOurs(path) && !isResolved(path));
}

const editHint = 'edit it, git add it, and run leasehold resolve again';

/** Adds the way out to YAML_CONFLICT of a file that git counts as merged: it can leave markers there. */
export function withEditHint(problems: readonly Problem[]): Problem[] {
  return problems.map((problem) =>
    problem.code === 'YAML_CONFLICT' ? { hint: editHint, ...problem } : problem,
  );
}

function unmerged(tree: SourceTree, { path, stages }: UnmergedFile): Problem {
  const isThere = tree.list(path).some((entry) => entry.path === path && entry.kind === 'file');
  const text = isThere ? readText(path, tree.read(path)) : undefined;
  const conflict =
    text?.ok === false ? text.problems.find(({ code }) => code === 'YAML_CONFLICT') : undefined;
  if (conflict) {
    return { ...conflict, hint: editHint };
  }
  const [stage] = stages;
  const renamed = stages.length === 1 ? renames[stage === 1 ? 'before' : 'after'] : undefined;
  const why = isThere ? '' : ', and the working tree does not have it';
  return {
    code: 'FILE_UNMERGED',
    message: `the merge has left this file unresolved${renamed?.why ?? why}`,
    at: startOf(path),
    hint:
      renamed?.hint ??
      (isThere
        ? `${comparing(path, stages)}edit it so that it has what is right of both sides, and git add it; git rm it if it should go`
        : 'git rm it if it should go, or take it from one side: git checkout --ours or --theirs, then git add it'),
  };
}

/** What git leaves of renames: the former file, and files that one side has, or that git moved. */
const renames = {
  before: { why: ': both sides have renamed or removed it', hint: 'git rm it' },
  after: {
    why: ': one side has it, and the other has renamed it or its folder',
    hint: 'git add it, and git mv it where it belongs; git rm it if it should go',
  },
};

/** The command that compares two versions of an unmerged file, when there are two. */
function comparing(path: string, stages: readonly number[]): string {
  const versions = stages.slice(-2).map((stage) => `:${stage}:./${shellWord(path)}`);
  return versions.length < 2 ? '' : `compare with git diff ${versions.join(' ')}; `;
}

/**
 * The unmerged proofs that both sides of a merge have, as text by path: each has the later day on
 * which its TXT record was seen. Any other unmerged proof is for the user to resolve.
 */
export async function mergedProofs(
  commits: Commits,
  { head, state }: MergeContext,
): Promise<ReadonlyMap<string, string>> {
  const [incoming] = state.incoming;
  const unmerged = state.unmerged.filter(({ path }) => path.startsWith(`${proofsFolder}/`));
  if (unmerged.length === 0 || incoming === undefined || state.unfinished === 'revert') {
    return new Map();
  }
  const ours = await commits.tree(head.id, [proofsFolder]);
  const theirs = await commits.tree((await commits.resolve(incoming)).id, [proofsFolder]);
  return new Map(
    unmerged.flatMap(({ path }): [string, string][] => {
      const [own, other] = [proofAt(ours, path), proofAt(theirs, path)];
      if (!own || !other) return [];
      return [[path, printDomainProof(own.checked > other.checked ? own : other)]];
    }),
  );
}

/** The proof in a file of a tree; undefined when the file is missing or invalid. */
function proofAt(tree: SourceTree, path: string): DomainProof | undefined {
  const isThere = tree.list(proofsFolder).some((entry) => entry.path === path);
  const read = isThere ? readDomainProof(path, tree.read(path)) : undefined;
  return read?.ok ? read.value : undefined;
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
  return `a ${name} is in progress: first run leasehold resolve, which resolves ${folders} and ${distFolder}/, and says which other files to edit`;
}

/**
 * Replaces `leasehold move` in a hint, which is refused while a merge is in progress, by `leasehold
 * resolve --move`. For PIN_MOVED, only the edits of the pin are left.
 */
export function withResolveMove(problem: Problem): Problem {
  const { code, hint } = problem;
  if (code === 'PIN_MOVED' && hint !== undefined) {
    return {
      ...problem,
      hint: hint.replace(/^.*[;:] (?=to keep )|; (?:to move it back,|or add) .*$/g, ''),
    };
  }
  return withMoveCommand(problem, (command) => command.replace(' move ', ' resolve --move '));
}
