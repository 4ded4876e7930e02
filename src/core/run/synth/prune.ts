import type { SourceTree, TargetTree } from '../../interfaces/tree.ts';
import type { History } from '../../interfaces/work-tree.ts';
import {
  type AllocationResult,
  type AllocationTable,
  type Change,
  heldCount,
  isFree,
  type Tenure,
} from '../../model/allocation.ts';
import type { Day } from '../../model/day.ts';
import type { Rename } from '../../model/holder.ts';
import type { HostnameChange, HostnameTable } from '../../model/hostname.ts';
import { compareText, groupBy } from '../../model/order.ts';
import { type Outcome, ok } from '../../model/problem.ts';
import { byAddress, formatAddress } from '../../net/address.ts';
import { allocationPath } from '../../records/allocation-file.ts';
import { hostnamePath } from '../../records/hostname-file.ts';
import { asLanded } from '../../transitions/landings.ts';
import { hostnameHolders } from '../../transitions/renames.ts';
import { readWorkspace, type Workspace } from '../../tree/workspace.ts';
import type { RunBase } from './run-base.ts';

export interface Pruned {
  readonly changes: readonly Change[];
  readonly hostnameChanges: readonly HostnameChange[];
  /** The files of renames that are done: nothing has their former names. */
  readonly doneRenames: readonly string[];
  readonly held: number;
}

/**
 * Removes the records of released addresses and hostnames that are free for any holder, and the
 * renames that are done. Removes them from git's index too, so that no run reports FILE_LOST. Touches
 * nothing else.
 */
export async function pruneReleased(
  tree: SourceTree & TargetTree,
  history: History,
  run: PruningRun,
): Promise<Outcome<Pruned>> {
  const workspace = await readWorkspace(tree, history);
  if (!workspace.ok) return workspace;
  const pruned = await prunable(workspace.value, history, run);
  const { table, changes, hostnameChanges, doneRenames } = pruned;
  const removes = [
    ...doneRenames,
    ...changes.map(({ address }) => allocationPath(address)),
    ...hostnameChanges.map(({ hostname }) => hostnamePath(hostname)),
  ];
  if (removes.length > 0) {
    await tree.commit({ writes: new Map<string, string>(), removes, staged: removes });
  }
  return ok({ changes, hostnameChanges, doneRenames, held: heldCount(table) });
}

/** The day and the base of a run that removes records. */
export interface PruningRun {
  readonly today: Day;
  /** Returns what the branch starts from. Called only when something is removed. */
  readonly base?: (() => Promise<RunBase | undefined>) | undefined;
}

/**
 * What `prune` removes, and {@link prune} of it: nothing whose release landed on the target too late,
 * and nothing that the base still holds, because its release has not landed.
 */
export async function prunable(
  workspace: Pick<Workspace, 'table' | 'hostnameTable' | 'renames' | 'holders' | 'hostnames'>,
  { landings }: History,
  { today, base }: PruningRun,
): Promise<AllocationResult & Pick<Pruned, 'hostnameChanges' | 'doneRenames'>> {
  const { table, hostnameTable, renames } = workspace;
  const isAny = [...table.values(), ...hostnameTable.values()].some((one) => isFree(one, today));
  const from = isAny || renames.length > 0 ? await base?.() : undefined;
  const landed = <Kept extends Tenure>(
    all: ReadonlyMap<string, Kept>,
    target: ReadonlyMap<string, Tenure> = new Map(),
  ) => {
    const isWaiting = (key: string, { released }: Kept): boolean =>
      released !== undefined && target.has(key) && target.get(key)?.released === undefined;
    const before = new Map([...all].filter(([key, record]) => !isWaiting(key, record)));
    const left = new Map([...before].filter(([, record]) => !isFree(record, today)));
    return asLanded(before, left, { day: today, landings });
  };
  const hostnames = await landed(hostnameTable, from?.hostnames.table);
  const addresses = await landed(table, from?.table);
  const tables = from ? [table, hostnameTable, from.table, from.hostnames.table] : [];
  return {
    ...prune(addresses, today),
    hostnameChanges: expiredHostnames(hostnames, today),
    doneRenames: doneRenames(workspace, tables, today),
  };
}

/**
 * The files in which no former name has anything in any of the tables, or has it because it is
 * declared again in place of the new one. None without tables.
 */
function doneRenames(
  { renames, holders, hostnames }: Pick<Workspace, 'renames' | 'holders' | 'hostnames'>,
  tables: readonly ReadonlyMap<string, Tenure>[],
  today: Day,
): readonly string[] {
  if (tables.length === 0) return [];
  const records = tables.flatMap((table) => [...table.values()]);
  const named = new Set(records.filter((one) => !isFree(one, today)).map(({ holder }) => holder));
  const declared = new Set([...holders.map(({ id }) => id), ...hostnameHolders({ hostnames })]);
  const isOpen = ({ from, to }: Rename): boolean =>
    named.has(from) && (!declared.has(from) || declared.has(to));
  const byFile = [...groupBy(renames, ({ at }) => at.file)];
  return byFile.flatMap(([file, own]) => (own.some(isOpen) ? [] : [file]));
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
