import type { Commits } from '../../core/interfaces/commits.ts';
import type { SourceTree } from '../../core/interfaces/tree.ts';
import type { MergeState, Merging, UnmergedFile } from '../../core/interfaces/work-tree.ts';
import type { DomainProof } from '../../core/model/domain-proof.ts';
import { EnvironmentError, type Problem, startOf } from '../../core/model/problem.ts';
import { proofsFolder } from '../../core/model/repository-paths.ts';
import { printDomainProof, readDomainProof } from '../../core/records/domain-proof-file.ts';
import {
  isOurs,
  isResolved,
  severalMerged,
  unknownMerge,
} from '../../core/run/review/merge-notice.ts';
import { shellWord } from '../../core/text/print/escape.ts';
import { readText } from '../../core/text/yaml/yaml-text.ts';
import type { MergeContext } from './merge-ways.ts';

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
      `${submodule.path} is a submodule, which leasehold does not support: \`git rm\` it, and commit the files themselves`,
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

const editHint = 'edit it, `git add` it, and run `leasehold resolve` again';

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
        ? `${comparing(path, stages)}edit it so that it has what is right of both sides, and \`git add\` it; \`git rm\` it if it should go`
        : '`git rm` it if it should go, or take it from one side: `git checkout --ours` or `--theirs`, then `git add` it'),
  };
}

/** The traces of renames in git's index: the former file, and files that one side has, or that git moved. */
const renames = {
  before: { why: ': both sides have renamed or removed it', hint: '`git rm` it' },
  after: {
    why: ': one side has it, and the other has renamed it or its folder',
    hint: '`git add` it, and `git mv` it where it belongs; `git rm` it if it should go',
  },
};

/** The command that compares two versions of an unmerged file, when there are two. */
function comparing(path: string, stages: readonly number[]): string {
  const versions = stages.slice(-2).map((stage) => `:${stage}:./${shellWord(path)}`);
  return versions.length < 2 ? '' : `compare with \`git diff ${versions.join(' ')}\`; `;
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
