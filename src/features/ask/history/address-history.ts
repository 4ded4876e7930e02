import { isHeld } from '../../../model/allocation.ts';
import type { Day } from '../../../model/day.ts';
import { type Address, formatAddress } from '../../../net/address.ts';
import type { CommitLog } from '../../../ports/commit-log.ts';
import type { Commits } from '../../../ports/commits.ts';
import { allocationPath } from '../../../records/allocation-file.ts';
import type { AddressHistory, HistoryPeriod } from './address-history-answer.ts';
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
