import type { CommitLog, FileDifference } from '../../core/interfaces/commit-log.ts';
import { type Allocation, isHeld } from '../../core/model/allocation.ts';
import { EnvironmentError } from '../../core/model/problem.ts';
import { allocationsFolder } from '../../core/model/repository-paths.ts';
import { type Address, isAddress, parseAddress } from '../../core/net/address.ts';
import { readAllocation } from '../../core/records/allocation-file.ts';
import type { DivergedBranches, Divergence } from '../branch/diverged-branches.ts';
import { addressOfPath, type HistoryPorts } from '../history/address-history.ts';

/** An address that an open branch allocates to a holder. */
export interface PendingAddress {
  readonly address: Address;
  /** Undefined when the record is unreadable; the address then counts as a separate holder. */
  readonly holder: string | undefined;
  /** True when the branch moves the holder from another address. */
  readonly moved: boolean;
}

export interface BranchPorts extends HistoryPorts {
  readonly branches: DivergedBranches;
}

/** The addresses a branch would allocate when merged, or the error that prevented reading it. */
export type BranchAdds = readonly PendingAddress[] | EnvironmentError;

/**
 * Returns by head the addresses that are held at the head but not at its merge base. An address
 * that the target gave to the same holder since then, as after a squash merge, is not included. All
 * branches are read in one batch; a batch that fails is split in two, so that one branch does not
 * affect others.
 */
export async function branchAdds(
  ports: BranchPorts,
  target: string,
  heads: readonly string[],
): Promise<ReadonlyMap<string, BranchAdds>> {
  if (heads.length === 0) return new Map();
  const chain = await firstParentChain(ports.branches, target);
  const branches = await readTogether({ ports, chain }, heads);
  const bases = branches.flatMap(([, one]) =>
    one instanceof EnvironmentError || one.allocations.length === 0 ? [] : [one.base],
  );
  const isAllocated = bases.length === 0 ? () => false : await allocatedSince(ports, chain, bases);
  return new Map(branches.map(([head, branch]) => [head, addsOf(branch, isAllocated)]));
}

interface BranchAllocation extends PendingAddress {
  readonly path: string;
}

/** A branch before allocations of the target are taken into account. */
interface Branch {
  readonly base: string;
  readonly allocations: readonly BranchAllocation[];
}

type ReadBranch = readonly [head: string, branch: Branch | EnvironmentError];

interface ReadContext {
  readonly ports: BranchPorts;
  readonly chain: FirstParentChain;
}

async function readTogether(
  context: ReadContext,
  heads: readonly string[],
): Promise<readonly ReadBranch[]> {
  try {
    return await readBranches(context, heads);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    if (heads.length === 1) return heads.map((head) => [head, error]);
    const middle = heads.length >> 1;
    return [
      ...(await readTogether(context, heads.slice(0, middle))),
      ...(await readTogether(context, heads.slice(middle))),
    ];
  }
}

async function readBranches(
  { ports, chain }: ReadContext,
  heads: readonly string[],
): Promise<readonly ReadBranch[]> {
  const grounds = await ports.branches.forkPoints(chain.target, heads);
  const found: ReadBranch[] = [];
  const partings: Divergence[] = [];
  for (const head of heads) {
    const base = await baseOf({ ports, chain }, head, grounds.get(head) ?? []);
    if (base instanceof EnvironmentError) found.push([head, base]);
    else if (base === head) found.push([head, { base, allocations: [] }]);
    else partings.push({ base, head });
  }
  const differences = await ports.branches.differences(partings, allocationsFolder);
  for (const { base, head } of partings) {
    const files = [...(differences.get(head) ?? [])];
    found.push([head, { base, allocations: files.flatMap((file) => allocationIn(...file)) }]);
  }
  return found;
}

/**
 * Returns the merge base of a branch and the target. Of several candidates on the first-parent
 * chain it is the newest, which contains the others.
 */
async function baseOf(
  { ports, chain }: ReadContext,
  head: string,
  grounds: readonly string[],
): Promise<string | EnvironmentError> {
  const [first, ...others] = [...grounds].sort(
    (left, right) => stepsTo(chain, left) - stepsTo(chain, right),
  );
  const isClear = grounds.length === 1 || grounds.every((id) => chain.steps.has(id));
  if (first !== undefined && (isClear || others.length === 0)) return first;
  try {
    return (await ports.commits.mergeBase(chain.target, head)).id;
  } catch (error) {
    if (error instanceof EnvironmentError) return error;
    throw error;
  }
}

function stepsTo({ steps }: FirstParentChain, id: string): number {
  return steps.get(id) ?? Number.POSITIVE_INFINITY;
}

/** The address of an unreadable record counts, because the branch will need it once it is fixed. */
function allocationIn(
  path: string,
  { before, after }: FileDifference,
): readonly BranchAllocation[] {
  const address = parseAddress(addressOfPath(path) ?? '');
  if (!isAddress(address) || after === undefined) return [];
  const earlier = before && recordIn(path, before);
  // An address that was held before does not reduce what is free.
  if (earlier && isHeld(earlier)) return [];
  const record = recordIn(path, after);
  if (record === undefined) return [{ path, address, holder: undefined, moved: false }];
  if (!isHeld(record)) return [];
  return [{ path, address, holder: record.holder, moved: record.movedFrom !== undefined }];
}

function recordIn(path: string, content: Uint8Array): Allocation | undefined {
  const record = readAllocation(path, content);
  return record.ok ? record.value : undefined;
}

function addsOf(branch: Branch | EnvironmentError, isAllocated: AllocatedSince): BranchAdds {
  if (branch instanceof EnvironmentError) return branch;
  return branch.allocations
    .filter(({ path, holder }) => holder === undefined || !isAllocated(branch.base, path, holder))
    .map(({ address, holder, moved }) => ({ address, holder, moved }));
}

/** The first-parent chain of a commit. */
interface FirstParentChain {
  readonly target: string;
  /** The distance of each commit of the chain from the target; 0 for the target. */
  readonly steps: ReadonlyMap<string, number>;
}

async function firstParentChain(
  branches: DivergedBranches,
  target: string,
): Promise<FirstParentChain> {
  const commits = await branches.firstParents({ base: undefined, head: target });
  return { target, steps: new Map(commits.map((id, index) => [id, index])) };
}

/** Returns true when the target allocated the address of a path to the holder after the base. */
type AllocatedSince = (base: string, path: string, holder: string) => boolean;

/** Finds what the target allocated since each of the bases, in one walk of its history. */
async function allocatedSince(
  { log, branches }: { readonly log: CommitLog; readonly branches: DivergedBranches },
  { target, steps }: FirstParentChain,
  bases: readonly string[],
): Promise<AllocatedSince> {
  const after = new Map<string, number>();
  for (const base of new Set(bases)) {
    // A commit of a merged branch is not on the first-parent chain.
    const own = steps.get(base) ?? (await branches.firstParents({ base, head: target })).length;
    after.set(base, own);
  }
  const most = [...after.values()].reduce((left, right) => Math.max(left, right), 0);
  const start = [...steps.keys()][most];
  const files = await log.folderVersions({ base: start, head: target }, allocationsFolder);
  const last = new Map<string, number>();
  for (const [path, versions] of files) {
    for (const { commit, content } of versions) {
      const record = content && readAllocation(path, content);
      const step = steps.get(commit.id);
      if (!record?.ok || !isHeld(record.value) || step === undefined) continue;
      last.set(`${path} ${record.value.holder}`, step);
    }
  }
  return (base, path, holder) => (last.get(`${path} ${holder}`) ?? most) < (after.get(base) ?? 0);
}
