import {
  type AllocationResult,
  type AllocationTable,
  type Change,
  heldCount,
  isFree,
  isMassLoss,
} from '../../model/allocation.ts';
import { isLeaseClaim } from '../../model/claim.ts';
import type { Day } from '../../model/day.ts';
import type { HostnameChange, HostnameTable } from '../../model/hostname.ts';
import { compareText } from '../../model/order.ts';
import { fail, type Outcome, ok, type Problem, startOf } from '../../model/problem.ts';
import { leasesFolder } from '../../model/repository-paths.ts';
import { byAddress, formatAddress } from '../../net/address.ts';
import type { FileText, SourceTree, TargetTree, TreeChanges } from '../../ports/tree.ts';
import type { History } from '../../ports/work-tree.ts';
import { allocationPath } from '../../records/allocation-file.ts';
import { hostnamePath } from '../../records/hostname-file.ts';
import { leaseOf } from '../../workspace/lease-edits.ts';
import { readWorkspace, type Workspace } from '../../workspace/workspace.ts';
import { type PlannedRun, planRun, type RunBase, type RunOptions } from './planned-run.ts';
import { takenPromises } from './promise-rules.ts';

export interface SynthOptions {
  readonly today: Day;
  /** The exact number of releases that MASS_RELEASE lets through. */
  readonly allowRelease: number | undefined;
  /** What the branch starts from. Without it, every committed record counts. */
  readonly base?: RunBase | undefined;
  readonly progress?: RunOptions['progress'];
}

/** Allocates, renders and writes all files that differ, or none. */
export async function synth(
  tree: SourceTree & TargetTree,
  history: History,
  options: SynthOptions,
): Promise<Outcome<PlannedRun>> {
  const plan = await planRun(tree, history, options.today, options);
  if (!plan.ok) return plan;
  const refused = refusedReleases(plan.value, { allowed: options.allowRelease });
  if (refused) return fail([refused]);
  await commitStaged(tree, plan.value.files, plan.value);
  return plan;
}

/** Which releases of a run are refused. */
interface ReleaseTerms {
  /** The exact number of releases that was confirmed. */
  readonly allowed: number | undefined;
  /** The command that confirms a number of releases; that of `leasehold synth` when left out. */
  readonly allowingCommand?: ((count: number) => string) | undefined;
  /** True for a release that does not count. */
  readonly isMeant?: ((release: Change) => boolean) | undefined;
}

/** MASS_RELEASE for the releases of a run, unless the number is small or confirmed. */
export function refusedReleases(
  { workspace, changes, hostnames }: PlannedRun,
  {
    allowed,
    allowingCommand = (count) => `leasehold synth --allow-release ${count}`,
    isMeant = () => false,
  }: ReleaseTerms,
): Problem | undefined {
  const released = changes.filter((change) => change.kind === 'released' && !isMeant(change));
  const names = hostnames.changes.filter(({ kind }) => kind === 'released');
  return massRelease(
    {
      addresses: {
        held: heldCount(workspace.table),
        files: released.map(({ address }) => allocationPath(address)),
      },
      hostnames: {
        held: heldCount(workspace.hostnameTable),
        files: names.map(({ hostname }) => hostnamePath(hostname)),
      },
      allowed: allowed === undefined ? [] : [allowed],
    },
    allowingCommand,
  );
}

/** The releases of a run, or of a pull request. */
export interface Releases {
  readonly addresses: Released;
  readonly hostnames: Released;
  /** The exact numbers of releases that were confirmed: addresses and hostnames together. */
  readonly allowed: readonly number[];
}

interface Released {
  /** How many were held before. */
  readonly held: number;
  /** The files of the released records. */
  readonly files: readonly string[];
}

function isMass({ held, files }: Released): boolean {
  return isMassLoss(files.length, held);
}

/**
 * MASS_RELEASE, unless the numbers of addresses and of hostnames are both small, or their sum is
 * confirmed. `hintOf` returns how to confirm it.
 */
export function massRelease(
  { addresses, hostnames, allowed }: Releases,
  hintOf: (count: number) => string,
): Problem | undefined {
  const files = [...addresses.files, ...hostnames.files];
  const [first] = isMass(addresses) ? addresses.files : isMass(hostnames) ? hostnames.files : [];
  if (first === undefined || allowed.includes(files.length)) return undefined;
  const parts = [releasedText('addresses', addresses), releasedText('hostnames', hostnames)];
  return {
    code: 'MASS_RELEASE',
    message: `${parts.filter((part) => part !== '').join(' and ')} would be released`,
    at: startOf(first),
    hint: `if this is intended: ${hintOf(files.length)}`,
  };
}

function releasedText(what: string, { held, files }: Released): string {
  return files.length > 0 ? `${files.length} of ${held} held ${what}` : '';
}

export interface Pruned {
  readonly changes: readonly Change[];
  readonly hostnameChanges: readonly HostnameChange[];
  readonly held: number;
}

/**
 * Removes the records of released addresses and hostnames that are free for any holder. Removes
 * them from git's index too, so that no run reports FILE_LOST. Touches nothing else.
 */
export async function pruneReleased(
  tree: SourceTree & TargetTree,
  history: History,
  today: Day,
): Promise<Outcome<Pruned>> {
  const workspace = await readWorkspace(tree, history);
  if (!workspace.ok) return workspace;
  const { table, changes } = prune(workspace.value.table, today);
  const hostnameChanges = expiredHostnames(workspace.value.hostnameTable, today);
  const removes = [
    ...changes.map(({ address }) => allocationPath(address)),
    ...hostnameChanges.map(({ hostname }) => hostnamePath(hostname)),
  ];
  if (removes.length > 0) {
    await tree.commit({ writes: new Map<string, string>(), removes, staged: removes });
  }
  return ok({ changes, hostnameChanges, held: heldCount(table) });
}

/** Returns the table without the released addresses that are free for any holder today. */
export function prune(table: AllocationTable, today: Day): AllocationResult {
  const expired = [...table.values()].filter((record) => isFree(record, today)).sort(byAddress);
  const next = new Map(table);
  for (const record of expired) next.delete(formatAddress(record.address));
  const changes = expired.map(({ address, holder, pool }) => ({
    kind: 'removed' as const,
    address,
    holder,
    pool,
  }));
  return { table: next, changes };
}

/** The removals of released hostnames that are free for any holder today, sorted. */
export function expiredHostnames(table: HostnameTable, today: Day): HostnameChange[] {
  return [...table.values()]
    .filter((record) => isFree(record, today))
    .map(({ hostname, holder }) => ({ kind: 'removed' as const, hostname, holder }))
    .sort((left, right) => compareText(left.hostname, right.hostname));
}

/**
 * Writes the files of a run. A run that removes files below `leases/` is staged, because the next
 * run would report an unstaged removal as FILE_LOST. What it wrote is staged as a whole, with the
 * declarations that took over a promise: without them, its removal would be STALE. No other file is
 * staged, because a person may still edit it, or may have left it unmerged.
 */
export async function commitStaged(
  tree: TargetTree,
  files: TreeChanges<FileText>,
  { workspace }: Pick<PlannedRun, 'workspace'>,
): Promise<void> {
  const { writes, removes } = files;
  const isStaged = removes.some((path) => path.startsWith(`${leasesFolder}/`));
  const staged = isStaged ? [...writes.keys(), ...removes, ...takeoverFiles(workspace)] : [];
  await tree.commit({ ...files, staged });
}

/** The declarations of the claims that took over a promise, with their SDLs. */
function takeoverFiles(workspace: Workspace): readonly string[] {
  const claims = takenPromises(workspace.holders).flatMap((taken) => taken.claims);
  const files = claims.filter(isLeaseClaim).flatMap((claim) => {
    return [claim.at.file, leaseOf(workspace, claim).at.file];
  });
  return [...new Set(files)];
}
