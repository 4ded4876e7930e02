import { readPools } from '../../core/declarations/pools/pools-file.ts';
import type { CommitLog, FileVersion } from '../../core/interfaces/commit-log.ts';
import type { Commits } from '../../core/interfaces/commits.ts';
import { type Allocation, isHeld } from '../../core/model/allocation.ts';
import type { Day } from '../../core/model/day.ts';
import type { HostnameRecord } from '../../core/model/hostname.ts';
import { sortedEntries } from '../../core/model/order.ts';
import type { Pools } from '../../core/model/pools.ts';
import {
  allocationsFolder,
  hostnamesFolder,
  poolsPath,
} from '../../core/model/repository-paths.ts';
import { type Address, formatAddress, isAddress, parseAddress } from '../../core/net/address.ts';
import { allocationPath, readAllocation } from '../../core/records/allocation-file.ts';
import {
  hostnameOfPath,
  hostnamePath,
  readHostnameRecord,
} from '../../core/records/hostname-file.ts';
import type { AddressHistory, HistoryPeriod, HostnameHistory } from './address-history-answer.ts';
import {
  historyEventsOf,
  type KeptRecord,
  type Recorded,
  type RecordedEvent,
  type RecordFile,
} from './history-events.ts';

/** A branch and a range of days. Days are UTC and inclusive. */
export interface HistorySpan {
  /** The branch to read; the default is {@link CommitLog.defaultRef}. */
  readonly ref: string | undefined;
  readonly since: Day | undefined;
  readonly until: Day | undefined;
}

export interface HistoryPorts {
  readonly commits: Commits;
  readonly log: CommitLog;
}

/**
 * Returns the holders of an address over time, as they took effect on a branch. It reads the
 * commits of the first-parent chain that changed the file of the address. The path of the file is
 * derived from the address, so renames are not followed. With a span, only periods that overlap it
 * are returned.
 */
export async function addressHistory(
  ports: HistoryPorts,
  address: Address,
  span: HistorySpan,
): Promise<AddressHistory> {
  const file = { path: allocationPath(address), read: readAllocation };
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'AddressHistory',
    address: formatAddress(address),
    ...(await fileHistory(ports, file, span)),
  };
}

/** {@link addressHistory} of a hostname, in canonical form. */
export async function hostnameHistory(
  ports: HistoryPorts,
  hostname: string,
  span: HistorySpan,
): Promise<HostnameHistory> {
  const file = { path: hostnamePath(hostname), read: readHostnameRecord };
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'HostnameHistory',
    hostname,
    ...(await fileHistory(ports, file, span)),
  };
}

/** The periods of the record in a file, with the branch that was read. */
async function fileHistory<Kept extends KeptRecord>(
  { commits, log }: HistoryPorts,
  file: RecordFile<Kept>,
  span: HistorySpan,
) {
  const ref = span.ref ?? (await log.defaultRef());
  const { id: commit } = await commits.resolve(ref);
  const shallow = await log.isShallow();
  const events = historyEventsOf(file, await log.versions(commit, file.path), shallow);
  const periods = periodsOf(events).filter((period) => isWithin(period, span));
  return { ref, commit, shallow, periods };
}

/** True for a period that overlaps a span. */
export function isWithin({ from, until }: HistoryPeriod, span: HistorySpan): boolean {
  if (span.until !== undefined && from.slice(0, 10) > span.until) return false;
  return span.since === undefined || until === undefined || until.slice(0, 10) >= span.since;
}

/** A change of the retention belongs to the current period; every other event starts a new one. */
function periodsOf(events: readonly RecordedEvent<KeptRecord>[]): readonly HistoryPeriod[] {
  const periods: HistoryPeriod[] = [];
  for (const { event, after } of events) {
    const last = periods.at(-1);
    if (last && event.event === 'retention changed') {
      periods[periods.length - 1] = {
        ...last,
        ...recordFields(after),
        changes: [...last.changes, event],
      };
      continue;
    }
    if (last) periods[periods.length - 1] = { ...last, until: event.at };
    periods.push({ ...recordFields(after), from: event.at, begun: event, changes: [] });
  }
  return periods;
}

function recordFields(
  after: Recorded<KeptRecord>,
): Pick<HistoryPeriod, 'state' | 'holder' | 'pool' | 'freeFrom'> {
  if (typeof after === 'string') return { state: after };
  const { holder, pool, released } = after;
  return {
    state: isHeld(after) ? 'held' : 'released',
    holder,
    ...(pool === undefined ? {} : { pool }),
    ...(released ? { freeFrom: released.freeFrom } : {}),
  };
}

/** A branch of which the records were read. */
interface ReadBranch {
  /** The ref whose first-parent chain was read. */
  readonly ref: string;
  /** The full object name of its commit. */
  readonly commit: string;
  /** The committer date of that commit, UTC, `2026-01-02T10:00:00Z`. */
  readonly at: string;
  /** True when the clone is shallow and older history is unknown. */
  readonly shallow: boolean;
}

/** The changes of the record of every address, as they took effect on a branch. */
export interface RecordLog extends ReadBranch {
  /** By canonical address, the changes of each address that ever had a record, oldest first. */
  readonly events: ReadonlyMap<string, readonly RecordedEvent[]>;
}

/** The history of every address and hostname, as it took effect on a branch. */
export interface Histories extends ReadBranch {
  /** By canonical address, the periods of each address that ever had a record, oldest first. */
  readonly histories: ReadonlyMap<string, readonly HistoryPeriod[]>;
  /** The same by hostname. */
  readonly hostnameHistories: ReadonlyMap<string, readonly HistoryPeriod[]>;
}

/** All that is known of the past of a repository. */
export interface Ledger extends Histories {
  /** The newest readable versions of the pool file, oldest first. */
  readonly poolVersions: readonly PoolsVersion[];
}

/** The pools from a commit on. */
interface PoolsVersion {
  /** The committer date of the commit, UTC. */
  readonly at: string;
  readonly pools: Pools;
}

/** The files of all versions, by path. */
type FolderFiles = ReadonlyMap<string, readonly FileVersion[]>;

/**
 * Reads the changes of all records in one walk of git. The default ref is
 * {@link CommitLog.defaultRef}. Throws an EnvironmentError when the ref does not name a commit.
 */
export async function recordLogOf(
  ports: HistoryPorts,
  ref: string | undefined,
): Promise<RecordLog> {
  const { files, ...branch } = await readFolders(ports, ref, allocationsFolder);
  return { ...branch, events: addressEvents(files, branch.shallow) };
}

/** Reads the periods of all addresses and hostnames, as {@link recordLogOf} does. */
export async function historiesOf(
  ports: HistoryPorts,
  ref: string | undefined,
): Promise<Histories> {
  return historiesIn(await readFolders(ports, ref, allocationsFolder, hostnamesFolder));
}

/** The same, with the versions of the pool file. */
export async function ledgerOf(ports: HistoryPorts, ref: string | undefined): Promise<Ledger> {
  const read = await readFolders(ports, ref, allocationsFolder, hostnamesFolder, poolsPath);
  return {
    ...historiesIn(read),
    poolVersions: poolVersionsIn(read.files.get(poolsPath) ?? []),
  };
}

function historiesIn({ files, ...branch }: ReadFolders): Histories {
  return {
    ...branch,
    histories: allPeriods(addressEvents(files, branch.shallow)),
    hostnameHistories: allPeriods(hostnameEvents(files, branch.shallow)),
  };
}

interface ReadFolders extends ReadBranch {
  readonly files: FolderFiles;
}

async function readFolders(
  { commits, log }: HistoryPorts,
  ref: string | undefined,
  ...folders: readonly string[]
): Promise<ReadFolders> {
  const followed = ref ?? (await log.defaultRef());
  const { id, at } = await commits.resolve(followed);
  const shallow = await log.isShallow();
  const files = await log.folderVersions({ base: undefined, head: id }, ...folders);
  return { ref: followed, commit: id, at, shallow, files };
}

/** Most versions of the pool file that are read: the server reads them again for each commit. */
const mostPoolVersions = 100;

function poolVersionsIn(versions: readonly FileVersion[]): readonly PoolsVersion[] {
  return versions.slice(-mostPoolVersions).flatMap(({ commit: { at }, content }) => {
    const pools = content && readPools(poolsPath, content);
    return pools?.ok ? [{ at, pools: pools.value }] : [];
  });
}

type EventsByName<Kept extends KeptRecord> = ReadonlyMap<string, readonly RecordedEvent<Kept>[]>;

function addressEvents(files: FolderFiles, shallow: boolean): EventsByName<Allocation> {
  return eventsIn(files, shallow, { nameOf: addressOfPath, read: readAllocation });
}

function hostnameEvents(files: FolderFiles, shallow: boolean): EventsByName<HostnameRecord> {
  return eventsIn(files, shallow, { nameOf: hostnameOfPath, read: readHostnameRecord });
}

/** The events of the files whose path is that of a record, by the name of the record. */
function eventsIn<Kept extends KeptRecord>(
  files: FolderFiles,
  shallow: boolean,
  { nameOf, read }: RecordKind<Kept>,
): EventsByName<Kept> {
  const all = sortedEntries(files).flatMap(([path, versions]) => {
    const name = nameOf(path);
    if (name === undefined) return [];
    const events = historyEventsOf({ path, read }, versions, shallow);
    return events.length === 0 ? [] : [[name, events] as const];
  });
  return new Map(all);
}

interface RecordKind<Kept extends KeptRecord> extends Pick<RecordFile<Kept>, 'read'> {
  /** The address or hostname of a path; undefined for other paths. */
  nameOf(path: string): string | undefined;
}

function allPeriods(events: EventsByName<KeptRecord>): Ledger['histories'] {
  return new Map([...events].map(([name, own]) => [name, periodsOf(own)]));
}

/** Returns the canonical address of an allocation file; undefined for any other path. */
export function addressOfPath(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.yaml$/, '');
  const address = parseAddress(/^[0-9.]+$/.test(name) ? name : name.replaceAll('-', ':'));
  if (!isAddress(address) || allocationPath(address) !== path) return undefined;
  return formatAddress(address);
}
