import { type Allocation, isHeld } from '../../../model/allocation.ts';
import { allocationsFolder } from '../../../model/folders.ts';
import { EnvironmentError } from '../../../model/problem.ts';
import { type Address, isAddress, parseAddress } from '../../../net/address.ts';
import type { CommitLog, FileDifference } from '../../../ports/commit-log.ts';
import type { PartedBranches, Parting } from '../../../ports/parted-branches.ts';
import { readAllocation } from '../../../records/allocation-file.ts';
import { addressOfPath, type HistoryPorts } from '../history/address-history.ts';

/** An address that an open branch gives to a holder, and what it is given from does not. */
export interface PendingAddress {
  readonly address: Address;
  /** Undefined where its record cannot be read: then it counts for somebody of its own. */
  readonly holder: string | undefined;
  /** True for a holder that the branch moved there: it leaves another address. */
  readonly moved: boolean;
}

/** What is asked of git here. */
export interface BranchPorts extends HistoryPorts {
  readonly branches: PartedBranches;
}

/** What a branch would take if it was merged, or why that is not known. */
export type BranchAdds = readonly PendingAddress[] | EnvironmentError;

/**
 * By head the addresses that somebody holds there and not where the branch parts from the target, nor had on the target
 * since, as after a squash. All branches are read together; where that is too much, halves of them are, so that
 * one does not keep the others from being read.
 */
export async function branchAdds(
  ports: BranchPorts,
  target: string,
  heads: readonly string[],
): Promise<ReadonlyMap<string, BranchAdds>> {
  if (heads.length === 0) return new Map();
  const way = await wayTo(ports.branches, target);
  const branches = await readTogether({ ports, way }, heads);
  const bases = branches.flatMap(([, one]) =>
    one instanceof EnvironmentError || one.gifts.length === 0 ? [] : [one.base],
  );
  const isGiven = bases.length === 0 ? () => false : await givenSince(ports, way, bases);
  return new Map(branches.map(([head, branch]) => [head, addsOf(branch, isGiven)]));
}

/** What a branch gives: an address, and the path of its record. */
interface Gift extends PendingAddress {
  readonly path: string;
}

/** A branch by what it gives, before it is known what the target gave since. */
interface Branch {
  readonly base: string;
  readonly gifts: readonly Gift[];
}

type ReadBranch = readonly [head: string, branch: Branch | EnvironmentError];

interface Ground {
  readonly ports: BranchPorts;
  readonly way: TargetWay;
}

async function readTogether(
  ground: Ground,
  heads: readonly string[],
): Promise<readonly ReadBranch[]> {
  try {
    return await readBranches(ground, heads);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    if (heads.length === 1) return heads.map((head) => [head, error]);
    const middle = heads.length >> 1;
    return [
      ...(await readTogether(ground, heads.slice(0, middle))),
      ...(await readTogether(ground, heads.slice(middle))),
    ];
  }
}

async function readBranches(
  { ports, way }: Ground,
  heads: readonly string[],
): Promise<readonly ReadBranch[]> {
  const grounds = await ports.branches.grounds(way.target, heads);
  const found: ReadBranch[] = [];
  const partings: Parting[] = [];
  for (const head of heads) {
    const base = await baseOf({ ports, way }, head, grounds.get(head) ?? []);
    if (base instanceof EnvironmentError) found.push([head, base]);
    else if (base === head) found.push([head, { base, gifts: [] }]);
    else partings.push({ base, head });
  }
  const differences = await ports.branches.differences(partings, allocationsFolder);
  for (const { base, head } of partings) {
    const files = [...(differences.get(head) ?? [])];
    found.push([head, { base, gifts: files.flatMap((file) => giftIn(...file)) }]);
  }
  return found;
}

/** Where a branch parts from the target: of several commits on the one way the newest, which has the others. */
async function baseOf(
  { ports, way }: Ground,
  head: string,
  grounds: readonly string[],
): Promise<string | EnvironmentError> {
  const [first, ...others] = [...grounds].sort(
    (left, right) => stepsTo(way, left) - stepsTo(way, right),
  );
  const isClear = grounds.length === 1 || grounds.every((id) => way.steps.has(id));
  if (first !== undefined && (isClear || others.length === 0)) return first;
  try {
    return (await ports.commits.mergeBase(way.target, head)).id;
  } catch (error) {
    if (error instanceof EnvironmentError) return error;
    throw error;
  }
}

function stepsTo({ steps }: TargetWay, id: string): number {
  return steps.get(id) ?? Number.POSITIVE_INFINITY;
}

/** A record that cannot be read is not merged as it is, but its address is wanted. */
function giftIn(path: string, { before, after }: FileDifference): readonly Gift[] {
  const address = parseAddress(addressOfPath(path) ?? '');
  if (!isAddress(address) || after === undefined) return [];
  const was = before && recordIn(path, before);
  // What somebody held before comes out of nobody's free ones.
  if (was && isHeld(was)) return [];
  const record = recordIn(path, after);
  if (record === undefined) return [{ path, address, holder: undefined, moved: false }];
  if (!isHeld(record)) return [];
  return [{ path, address, holder: record.holder, moved: record.movedFrom !== undefined }];
}

function recordIn(path: string, content: Uint8Array): Allocation | undefined {
  const record = readAllocation(path, content);
  return record.ok ? record.value : undefined;
}

function addsOf(branch: Branch | EnvironmentError, isGiven: GivenSince): BranchAdds {
  if (branch instanceof EnvironmentError) return branch;
  return branch.gifts
    .filter(({ path, holder }) => holder === undefined || !isGiven(branch.base, path, holder))
    .map(({ address, holder, moved }) => ({ address, holder, moved }));
}

/** The way of first parents that leads to a commit: what took effect there, one after the other. */
export interface TargetWay {
  readonly target: string;
  /** How many steps before the target a commit of the way is; 0 for the target. */
  readonly steps: ReadonlyMap<string, number>;
}

/** The way to a commit. */
export async function wayTo(branches: PartedBranches, target: string): Promise<TargetWay> {
  const commits = await branches.firstParents({ base: undefined, head: target });
  return { target, steps: new Map(commits.map((id, index) => [id, index])) };
}

/** True when the holder got the address of a path on the target after a commit of it. */
export type GivenSince = (base: string, path: string, holder: string) => boolean;

/** What the target gave since each of some commits that it has, in one walk from the first of them. */
export async function givenSince(
  { log, branches }: { readonly log: CommitLog; readonly branches: PartedBranches },
  { target, steps }: TargetWay,
  bases: readonly string[],
): Promise<GivenSince> {
  const after = new Map<string, number>();
  for (const base of new Set(bases)) {
    // A commit of a branch that was merged is not on the way itself.
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
