import type { SourceTree, TreeEntry } from '../interfaces/tree.ts';
import type { History } from '../interfaces/work-tree.ts';
import type { AllocationTable } from '../model/allocation.ts';
import type { LeaseClaim } from '../model/claim.ts';
import type { DomainProofs } from '../model/domain-proof.ts';
import type { Holder, Rename } from '../model/holder.ts';
import type { Hostname, HostnameTable } from '../model/hostname.ts';
import type { AddressPromise, Lease } from '../model/lease.ts';
import { leaseIdText } from '../model/lease.ts';
import type { Keys } from '../model/ownership.ts';
import type { Policy } from '../model/policy.ts';
import type { Pools } from '../model/pools.ts';
import {
  compareProblems,
  fail,
  InternalError,
  type Outcome,
  ok,
  type Problem,
  type Standing,
  startOf,
} from '../model/problem.ts';
import { isRecordPath, leasesFolder, stateFolder } from '../model/repository-paths.ts';
import type { DeclaredService, Reservation } from '../model/service.ts';
import { shellWord } from '../text/print/escape.ts';
import { readDeclared } from './declared.ts';
import type { LeaseFile } from './parts.ts';

/** The contents of `leases/`, valid and complete. */
export interface Workspace {
  /** All of `leases/`, sorted by path. */
  readonly entries: readonly TreeEntry[];
  readonly pools: Pools;
  /** Undefined when there is no policy. */
  readonly policy: Policy | undefined;
  /** In the order of their files. */
  readonly leases: readonly Lease[];
  /** Sorted by id. */
  readonly holders: readonly Holder[];
  readonly table: AllocationTable;
  readonly renames: readonly Rename[];
  /** In the order of their files. */
  readonly hostnames: readonly Hostname[];
  readonly hostnameTable: HostnameTable;
  readonly proofs: DomainProofs;
  readonly keys: Keys;
  /** In the order of their files. */
  readonly services: readonly (DeclaredService | Reservation)[];
  /** In the order of their files. */
  readonly promises: readonly AddressPromise[];
  /** The files of features, by path. */
  readonly others: readonly LeaseFile[];
}

/**
 * Reads `leases/` of a tree. Returns the workspace, or all problems of all files. For `standing`,
 * see {@link readDeclared}.
 */
export async function readWorkspace(
  tree: SourceTree,
  history: History,
  standing?: Standing,
): Promise<Outcome<Workspace>> {
  const { problems, ...declared } = readDeclared(tree, undefined, standing);
  const { entries, pools, holders } = declared;
  const folders = [leasesFolder, stateFolder];
  const tracked = (await history.tracked(folders)) ?? [];
  const unmerged = (await history.unmerged?.(folders)) ?? [];
  const left = new Set(unmerged);
  const merged = tracked.filter((path) => !left.has(path));
  const lost = await lostOf(entries, merged, history);
  const places = new Set(lost.map(({ at }) => at.file));
  // Report FILE_LOST instead of FILE_MISSING for tracked files.
  const others = problems.filter(({ at }) => !places.has(at.file));
  const all = [...lost, ...committedState(tracked), ...others];
  const known = new Set(all.map(({ at }) => at.file));
  all.push(...unmerged.filter((path) => !known.has(path)).map(unmergedProblem));
  all.sort(compareProblems);
  if (all.length > 0 || !pools || !holders) return fail(all);
  return ok({ ...declared, pools, holders });
}

/**
 * FILE_LOST for tracked files missing on disk: an incomplete checkout must not release addresses.
 */
export async function lostFiles(tree: SourceTree, history: History): Promise<Problem[]> {
  return lostOf(tree.list(leasesFolder), (await history.tracked([leasesFolder])) ?? [], history);
}

/** FILE_UNMERGED: git keeps one side of a file in the working tree that it does not merge as text. */
function unmergedProblem(path: string): Problem {
  return {
    code: 'FILE_UNMERGED',
    message: 'the merge has left this file unresolved',
    at: startOf(path),
    hint: isRecordPath(path)
      ? `run \`leasehold resolve\`, which resolves it; after \`git stash pop\` or \`git am\`: \`git checkout HEAD -- ${shellWord(path)}\``
      : `run \`leasehold resolve\`, which shows what each side has changed in it; after \`git stash pop\` or \`git am\`: edit it and \`git add\` it, or \`git rm\` it`,
  };
}

async function lostOf(
  entries: readonly TreeEntry[],
  tracked: readonly string[],
  history: History,
): Promise<Problem[]> {
  const present = new Set(entries.map(({ path }) => path));
  const lost = tracked.filter((path) => path.startsWith(`${leasesFolder}/`) && !present.has(path));
  const isSparse = lost.length > 0 && (await history.isSparse?.()) === true;
  return lost.map((path) => ({
    code: 'FILE_LOST',
    message: 'the file is tracked by git, but missing in the working tree',
    at: startOf(path),
    hint: isSparse ? sparseHint : lostHint(path),
  }));
}

/** git neither restores nor removes a file outside of a sparse checkout. */
const sparseHint =
  'this is a sparse checkout: run `git sparse-checkout disable`, or `git sparse-checkout add` with the folders leases and dist';

function lostHint(path: string): string {
  const word = shellWord(path);
  return isRecordPath(path)
    ? `run \`git restore ${word}\` to get it back, or \`git rm ${word}\` if \`leasehold prune\` removed it`
    : `run \`git rm ${word}\` to remove it, or \`git restore ${word}\` to get it back`;
}

/** FILE_UNEXPECTED for a committed journal or lock: it belongs to another working tree. */
function committedState(tracked: readonly string[]): Problem[] {
  const state = tracked.filter((path) => path.startsWith(`${stateFolder}/`));
  return state.map((path) => ({
    code: 'FILE_UNEXPECTED',
    message: 'the state of a working tree must not be committed',
    at: startOf(path),
    hint: `run \`git rm -r --cached ${stateFolder}\`, and add ${stateFolder}/ to .gitignore`,
  }));
}

/** The history of a tree that is a commit: all of its files are tracked, so none can be lost. */
export function committedHistory(tree: SourceTree): History {
  return {
    tracked: async (folders) =>
      folders.flatMap((folder) => tree.list(folder).map(({ path }) => path)),
  };
}

/** The lease of a claim. */
export function leaseOf(
  { leases }: Pick<Workspace, 'leases'>,
  { lease, cluster }: LeaseClaim,
): Lease {
  const id = leaseIdText(lease);
  const found = leases.find((other) => other.cluster === cluster && leaseIdText(other.id) === id);
  if (found === undefined) throw new InternalError(`the claim of ${id} has no lease`);
  return found;
}
