import { claimsOf, holdersOf } from '../allocate/holders.ts';
import { readAllocation } from '../codec/allocation-file.ts';
import { readPools } from '../codec/pools-file.ts';
import type { Allocation, AllocationTable } from '../model/allocation.ts';
import type { Holder } from '../model/claim.ts';
import { allocationsFolder, leasesFolder, poolsPath, stateFolder } from '../model/folders.ts';
import { type Lease, leaseIdText } from '../model/lease.ts';
import { compareText } from '../model/order.ts';
import type { Pools } from '../model/pools.ts';
import { compareProblems, type Outcome, type Problem, startOf } from '../model/problem.ts';
import { formatAddress } from '../net/address.ts';
import { contentOf } from './content.ts';
import { type LeaseFiles, sortLeaseFiles } from './lease-files.ts';
import type { History } from './ports/history.ts';
import type { SourceTree, TreeEntry } from './ports/tree.ts';
import { readLease } from './read-lease.ts';

/** What the committed files say, decoded and put together. */
export interface Workspace {
  readonly pools: Pools;
  /** In the order of their ids. */
  readonly holders: readonly Holder[];
  readonly table: AllocationTable;
}

/**
 * Reads `leases/`: every problem of every file, or the workspace. Problems of single files come
 * first; what only shows in all of them together (LEASE_DUPLICATE, PORT_TAKEN, …) is looked for in
 * the files that are sound.
 */
export async function readWorkspace(
  tree: SourceTree,
  history: History,
): Promise<Outcome<Workspace>> {
  const entries = [...tree.list(leasesFolder)].sort((left, right) =>
    compareText(left.path, right.path),
  );
  const files = sortLeaseFiles(entries);
  const found: (readonly Problem[])[] = [
    files.problems,
    await lostFiles(entries, history),
    await committedState(history),
  ];
  const pools = readPoolsOf(tree, files.pools);
  if (!pools.ok && !poolsAreRefused(found.flat())) found.push(pools.problems);
  const known = pools.ok ? pools.value : undefined;
  const leases: Lease[] = [];
  for (const entry of files.declarations) {
    const lease = readLease(tree, files, entry, known);
    if (!lease.ok) found.push(lease.problems);
    else if (lease.value) leases.push(lease.value);
  }
  found.push(duplicates(leases));
  const table = readTable(tree, files, found);
  const holders = holdersOf(leases.flatMap(claimsOf), known);
  if (!holders.ok) found.push(holders.problems);
  const problems = found.flat();
  if (problems.length > 0 || !known || !holders.ok) {
    return { ok: false, problems: problems.sort(compareProblems) };
  }
  return { ok: true, value: { pools: known, holders: holders.value, table } };
}

/** The pool file alone, for what needs no lease; its problems, and those of the place where it stands. */
export function readPoolFile(tree: SourceTree): Outcome<Pools> {
  const files = sortLeaseFiles(tree.list(leasesFolder));
  const problems = files.problems.filter((problem) => poolsAreRefused([problem]));
  return problems.length > 0 ? { ok: false, problems } : readPoolsOf(tree, files.pools);
}

function readPoolsOf(tree: SourceTree, entry: TreeEntry | undefined): Outcome<Pools> {
  if (entry) {
    const content = contentOf(tree, entry);
    return content.ok ? readPools(entry.path, content.value) : content;
  }
  const problem: Problem = {
    code: 'FILE_MISSING',
    message: 'there is no pool file',
    at: startOf(poolsPath),
    hint: 'declare your pools in leases/pools.yaml (docs/pools.md shows one), or say with -C where the repository is',
  };
  return { ok: false, problems: [problem] };
}

/** True when it has been said already why there is no pool file. */
function poolsAreRefused(problems: readonly Problem[]): boolean {
  return problems.some(({ at }) => at.file === poolsPath || at.file === leasesFolder);
}

function readTable(
  tree: SourceTree,
  files: LeaseFiles,
  found: (readonly Problem[])[],
): AllocationTable {
  const table = new Map<string, Allocation>();
  for (const entry of files.allocations) {
    const content = contentOf(tree, entry);
    const allocation = content.ok ? readAllocation(entry.path, content.value) : content;
    if (allocation.ok) table.set(formatAddress(allocation.value.address), allocation.value);
    else found.push(allocation.problems);
  }
  return table;
}

function duplicates(leases: readonly Lease[]): Problem[] {
  const first = new Map<string, Lease>();
  return leases.flatMap((lease) => {
    const id = `${lease.cluster} ${leaseIdText(lease.id)}`;
    const other = first.get(id);
    if (!other) {
      first.set(id, lease);
      return [];
    }
    return [
      {
        code: 'LEASE_DUPLICATE' as const,
        message: `lease ${leaseIdText(lease.id)} is declared in ${other.at.file} too`,
        at: lease.at,
        also: [other.at],
        hint: 'put all endpoints of a lease in one file',
      },
    ];
  });
}

/** Files that git's index has and the disk lacks: half a checkout must not release addresses. */
async function lostFiles(entries: readonly TreeEntry[], history: History): Promise<Problem[]> {
  const tracked = await history.tracked(leasesFolder);
  if (!tracked) return [];
  const present = new Set(entries.map((entry) => entry.path));
  return tracked
    .filter((path) => !present.has(path))
    .map((path) => ({
      code: 'FILE_LOST',
      message: 'git knows this file, and the working tree lacks it',
      at: startOf(path),
      hint: path.startsWith(`${allocationsFolder}/`)
        ? 'restore it with git restore; if leasehold prune removed it, git add it'
        : 'restore it with git restore, or end the lease with git rm',
    }));
}

/** leasehold's own state is of one working tree: a committed journal or lock is somebody else's. */
async function committedState(history: History): Promise<Problem[]> {
  const tracked = await history.tracked(stateFolder);
  return (tracked ?? []).map((path) => ({
    code: 'FILE_UNEXPECTED',
    message: 'the state of a working tree is committed',
    at: startOf(path),
    hint: `git rm -r --cached ${stateFolder}, and add ${stateFolder}/ to .gitignore`,
  }));
}
