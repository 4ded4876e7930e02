import { isHeld } from '../../../model/allocation.ts';
import type { Day } from '../../../model/day.ts';
import { allocationsFolder } from '../../../model/folders.ts';
import { compareText } from '../../../model/order.ts';
import { type Address, formatAddress, isAddress, parseAddress } from '../../../net/address.ts';
import type { CommitLog } from '../../../ports/commit-log.ts';
import type { Commits } from '../../../ports/commits.ts';
import { allocationPath } from '../../../records/allocation-file.ts';
import { columns } from '../../../text/print/columns.ts';
import { csvText } from '../../../text/print/csv.ts';
import { plain } from '../../../text/print/plain.ts';
import type { AddressHistory, HistoryEvent, HistoryPeriod } from './address-history-answer.ts';
import { historyEventsOf, type Recorded, type RecordedEvent } from './history-events.ts';

/** Where and when to look; days are UTC and both included. */
export interface HistorySpan {
  /** What stands for what is in effect; undefined takes {@link CommitLog.defaultRef}. */
  readonly ref: string | undefined;
  readonly since: Day | undefined;
  readonly until: Day | undefined;
}

/** What a use case asks of git here. */
export interface HistoryPorts {
  readonly commits: Commits;
  readonly log: CommitLog;
}

/**
 * Who had an address from when to when, as it took effect on a branch: each commit on its way of first parents that
 * changed the address's file. The path is the address, so renames are never followed. With a span,
 * the periods that reach into it.
 */
export async function addressHistory(
  { commits, log }: HistoryPorts,
  address: Address,
  span: HistorySpan,
): Promise<AddressHistory> {
  const ref = span.ref ?? (await log.defaultRef());
  const commit = await commits.resolve(ref);
  const path = allocationPath(address);
  const shallow = await log.isShallow();
  const events = historyEventsOf(path, await log.versions(commit.id, path), shallow);
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'AddressHistory',
    address: formatAddress(address),
    ref,
    commit: commit.id,
    shallow,
    periods: periodsOf(events).filter((period) => isWithin(period, span)),
  };
}

function isWithin({ from, until }: HistoryPeriod, span: HistorySpan): boolean {
  if (span.until !== undefined && from.slice(0, 10) > span.until) return false;
  return span.since === undefined || until === undefined || until.slice(0, 10) >= span.since;
}

/** A change of the promise is told within its period; every other event begins one. */
export function periodsOf(events: readonly RecordedEvent[]): readonly HistoryPeriod[] {
  const periods: HistoryPeriod[] = [];
  for (const { event, after } of events) {
    const last = periods.at(-1);
    if (last && event.event === 'promise changed') {
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
  after: Recorded,
): Pick<HistoryPeriod, 'state' | 'holder' | 'pool' | 'freeFrom'> {
  if (typeof after === 'string') return { state: after };
  const { holder, pool, released } = after;
  return {
    state: isHeld(after) ? 'held' : 'released',
    holder,
    pool,
    ...(released ? { freeFrom: released.freeFrom } : {}),
  };
}

/** Who had every address from when to when, as it took effect on a branch. */
export interface Ledger {
  /** The ref whose first parents were followed. */
  readonly ref: string;
  /** Its commit, by its full object name. */
  readonly commit: string;
  /** The committer's time of that commit, UTC, `2026-01-02T10:00:00Z`. */
  readonly at: string;
  /** True when the clone lacks older commits: what was before is not known. */
  readonly shallow: boolean;
  /** By canonical address: of each address that ever had a record what `addressHistory` tells, the oldest first. */
  readonly histories: ReadonlyMap<string, readonly HistoryPeriod[]>;
}

/**
 * The histories of all addresses in one walk of git. Without a ref, of what is in effect
 * (`CommitLog.defaultRef`). An EnvironmentError when the ref names no commit.
 */
export async function ledgerOf(
  { commits, log }: HistoryPorts,
  ref: string | undefined,
): Promise<Ledger> {
  const followed = ref ?? (await log.defaultRef());
  const { id } = await commits.resolve(followed);
  const shallow = await log.isShallow();
  const { at } = await log.logged(id);
  const files = await log.folderVersions({ base: undefined, head: id }, allocationsFolder);
  const histories = new Map<string, readonly HistoryPeriod[]>();
  for (const [path, versions] of [...files].sort(([left], [right]) => compareText(left, right))) {
    const address = addressOfPath(path);
    if (address === undefined) continue;
    const periods = periodsOf(historyEventsOf(path, versions, shallow));
    if (periods.length > 0) histories.set(address, periods);
  }
  return { ref: followed, commit: id, at, shallow, histories };
}

/** Canonical text of the address whose record a file is; undefined for a file that is no address's. */
export function addressOfPath(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.yaml$/, '');
  const address = parseAddress(/^[0-9.]+$/.test(name) ? name : name.replaceAll('-', ':'));
  if (!isAddress(address) || allocationPath(address) !== path) return undefined;
  return formatAddress(address);
}

/** The history as a table: a line per period, and one per change of a promise in between, the oldest first. */
export function historyTable({ periods }: AddressHistory): string {
  const header = ['FROM', 'UNTIL', 'EVENT', 'HOLDER', 'COMMIT', 'REQUEST', 'AUTHOR', 'SUBJECT'];
  return columns([header, ...periods.flatMap(rows)]);
}

function rows(period: HistoryPeriod): string[][] {
  const { begun, until, holder, freeFrom, changes } = period;
  const kept = freeFrom === undefined || changes.length > 0 ? '' : `, free from ${freeFrom}`;
  const first = [begun.at, until ?? '-', `${begun.event}${kept}`, holder ?? '-', ...by(begun)];
  const later = changes.map((change) => [change.at, '', `  ${change.event}`, '', ...by(change)]);
  return [first, ...later].map((cells) => cells.map(plain));
}

function by({ commit, request, author, subject }: HistoryEvent): string[] {
  return [commit.slice(0, 10), request ?? '-', shortened(author), shortened(subject)];
}

/** A text of somebody's in a table: what is longer than a line takes is cut. */
function shortened(text: string): string {
  const characters = [...text];
  return characters.length > 60 ? `${characters.slice(0, 59).join('')}…` : text;
}

/** The same as CSV, with whole texts; a change of a promise is a line of its own. */
export function historyCsv({ address, periods }: AddressHistory): string {
  const header =
    'address,from,until,event,state,holder,pool,freeFrom,commit,request,author,subject';
  const lines = periods.flatMap((period) => {
    const { state, holder = '', pool = '', freeFrom = '', until = '', begun, changes } = period;
    return [begun, ...changes].map((event, index) => {
      const times = [event.at, index === 0 ? until : ''];
      const { commit, request = '', author, subject } = event;
      const recorded = [event.event, state, holder, pool, freeFrom];
      return [address, ...times, ...recorded, commit, request, author, subject];
    });
  });
  return csvText([header.split(','), ...lines]);
}
