import type { AllocationTable } from '../model/allocation.ts';
import type { Holder } from '../model/claim.ts';
import { allocationsFolder, leasesFolder, stateFolder } from '../model/folders.ts';
import type { Lease } from '../model/lease.ts';
import type { Keys } from '../model/ownership.ts';
import type { Policy } from '../model/policy.ts';
import type { Pools } from '../model/pools.ts';
import { compareProblems, type Outcome, type Problem, startOf } from '../model/problem.ts';
import type { DeclaredService, Reservation } from '../model/service.ts';
import type { History } from '../ports/history.ts';
import type { SourceTree } from '../ports/tree.ts';
import { readDeclared } from './declared.ts';

/** What the committed files say, decoded and put together. */
export interface Workspace {
  readonly pools: Pools;
  /** Undefined when there is none. */
  readonly policy: Policy | undefined;
  /** In the order of their files. */
  readonly leases: readonly Lease[];
  /** In the order of their ids. */
  readonly holders: readonly Holder[];
  readonly table: AllocationTable;
  readonly keys: Keys;
  /** In the order of their files. */
  readonly services: readonly (DeclaredService | Reservation)[];
}

/** Reads `leases/`: every problem of every file, or the workspace. */
export async function readWorkspace(
  tree: SourceTree,
  history: History,
): Promise<Outcome<Workspace>> {
  const { problems, ...declared } = readDeclared(tree);
  const { pools, policy, leases, holders, table, keys, services } = declared;
  const tracked = (await history.tracked([leasesFolder, stateFolder])) ?? [];
  const lost = lostOf(tree, tracked);
  const places = new Set(lost.map(({ at }) => at.file));
  // Of a file that is lost it is said that it is lost, and not that it is missing.
  const others = problems.filter(({ at }) => !places.has(at.file));
  const all = [...lost, ...committedState(tracked), ...others].sort(compareProblems);
  if (all.length > 0 || !pools || !holders) return { ok: false, problems: all };
  return { ok: true, value: { pools, policy, leases, holders, table, keys, services } };
}

/** FILE_LOST for files that git's index has and the disk lacks: half a checkout must not release addresses. */
export async function lostFiles(tree: SourceTree, history: History): Promise<Problem[]> {
  return lostOf(tree, (await history.tracked([leasesFolder])) ?? []);
}

function lostOf(tree: SourceTree, tracked: readonly string[]): Problem[] {
  const present = new Set(tree.list(leasesFolder).map(({ path }) => path));
  return tracked
    .filter((path) => path.startsWith(`${leasesFolder}/`) && !present.has(path))
    .map((path) => ({
      code: 'FILE_LOST',
      message: 'git knows this file, and the working tree lacks it',
      at: startOf(path),
      hint: path.startsWith(`${allocationsFolder}/`)
        ? `git restore ${path} takes it back; git rm ${path} if leasehold prune has removed it`
        : `git rm ${shellWord(path)} if it is meant to go; git restore ${shellWord(path)} takes it back`,
    }));
}

/** A path as it is to stand in a command that people copy. */
function shellWord(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** leasehold's own state is of one working tree: a committed journal or lock is somebody else's. */
function committedState(tracked: readonly string[]): Problem[] {
  const state = tracked.filter((path) => path.startsWith(`${stateFolder}/`));
  return state.map((path) => ({
    code: 'FILE_UNEXPECTED',
    message: 'the state of a working tree is committed',
    at: startOf(path),
    hint: `git rm -r --cached ${stateFolder}, and add ${stateFolder}/ to .gitignore`,
  }));
}
