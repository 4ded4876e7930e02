import { isFree, isHeld } from '../model/allocation.ts';
import type { Day } from '../model/day.ts';
import { holderText } from '../model/holder.ts';
import {
  type Hostname,
  type HostnameChange,
  type HostnameRecord,
  type HostnameTable,
  hostnameChangeKind,
  isOfHolder,
  isSameHostname,
} from '../model/hostname.ts';
import { compareText } from '../model/order.ts';
import { failSorted, type Outcome, ok, type Problem } from '../model/problem.ts';
import { dateProblems, keptUntil, reclaimed, releasedToday } from '../records/tenure.ts';
import { kept, keptProblems, placeOf } from './kept-hostnames.ts';

/** A new table and its changes, by hostname. */
export interface HostnameResult {
  readonly table: HostnameTable;
  readonly changes: readonly HostnameChange[];
}

/** The input of a run beside declarations and records. */
export interface HostnameRun {
  /** Undefined in a frozen run. */
  readonly today: Day | undefined;
  /** Whole days that a hostname is kept after release. */
  readonly retentionDays: number;
}

/** A hostname in the table and in the declarations. */
export interface HostnameCase {
  readonly before: HostnameRecord | undefined;
  readonly declared: Hostname | undefined;
}

/**
 * Computes the new records of hostnames. A declared hostname is given to its holder if no other
 * holder has it, and one that is no longer declared is released. HOSTNAME_TAKEN for one that
 * another holder still has in the table, HOSTNAME_KEPT for one that is kept for another holder, or
 * overlaps such a name, and DATE_EARLIER. A frozen run reports each difference as STALE.
 */
export function allocateHostnames(
  hostnames: readonly Hostname[],
  committed: HostnameTable,
  { today, retentionDays }: HostnameRun,
): Outcome<HostnameResult> {
  const table = new Map<string, HostnameRecord>();
  const problems: Problem[] = [];
  for (const [hostname, one] of casesOf(hostnames, committed)) {
    const { before } = one;
    const refused = refusal(one, today);
    if (refused) problems.push(refused);
    else if (today === undefined) problems.push(...staleProblems(one, retentionDays));
    const record =
      today === undefined || refused ? before : hostnameRecord(one, { today, retentionDays });
    if (record) table.set(hostname, record);
  }
  problems.push(...keptProblems(hostnames, { before: committed, after: table }, today));
  const changes = hostnameChanges(committed, table);
  if (today !== undefined && changes.length > 0) {
    const order = { compare: byHostname, placeOf };
    problems.push(...dateProblems(committed.values(), today, order));
  }
  return problems.length > 0 ? failSorted(problems) : ok({ table, changes });
}

/** Every recorded or declared hostname, sorted. */
export function casesOf(
  hostnames: readonly Hostname[],
  ...tables: readonly [HostnameTable, ...HostnameTable[]]
): readonly (readonly [string, HostnameCase])[] {
  const byName = new Map(hostnames.map((declared) => [declared.hostname, declared]));
  const names = new Set([...byName.keys(), ...tables.flatMap((table) => [...table.keys()])]);
  return [...names].sort(compareText).map((name) => {
    return [name, { before: tables[0].get(name), declared: byName.get(name) }] as const;
  });
}

/** The record of a hostname after a run that is not refused; undefined without one. */
export function hostnameRecord(
  { before, declared }: HostnameCase,
  { today, retentionDays }: { readonly today: Day; readonly retentionDays: number },
): HostnameRecord | undefined {
  if (!declared) return before && isHeld(before) ? releasedToday(before, today) : before;
  const { hostname, holder } = declared;
  if (before && isHeld(before)) {
    const fresh = refreshedRecord(before, today, retentionDays);
    return fresh.holder === holder ? fresh : { ...fresh, holder };
  }
  const given: HostnameRecord = {
    hostname,
    holder,
    since: today,
    retain: retentionDays,
    keepUntil: undefined,
    released: undefined,
    at: before?.at,
  };
  return before?.holder === holder ? reclaimed(given, before) : given;
}

/** A retention that got shorter still counts from today on. */
function refreshedRecord(record: HostnameRecord, today: Day, retain: number): HostnameRecord {
  if (retain === record.retain) return record;
  const keepUntil = retain < record.retain ? keptUntil(record, today) : record.keepUntil;
  return { ...record, retain, keepUntil };
}

/** HOSTNAME_TAKEN or HOSTNAME_KEPT for a hostname that the table has for another holder. */
function refusal({ before, declared }: HostnameCase, today: Day | undefined): Problem | undefined {
  if (!declared || !before || isOfHolder(declared, before)) return undefined;
  const { hostname, at } = declared;
  const also = [placeOf(before)];
  if (isHeld(before)) {
    const message = `the hostname ${hostname} is recorded for ${holderText(before.holder)}`;
    const hint =
      'use another hostname, or first remove its declaration there, in a change of its own: it is free after its retention';
    return { code: 'HOSTNAME_TAKEN', message, at, also, hint };
  }
  return today === undefined || isFree(before, today) ? undefined : kept(declared, before);
}

const staleHint = 'run `leasehold synth` and commit what it writes';

/** STALE for the change that a writing run would make to a record. */
function staleProblems({ before, declared }: HostnameCase, retentionDays: number): Problem[] {
  const stale = (message: string, at: Problem['at']): Problem[] => [
    { code: 'STALE', message, at, hint: staleHint },
  ];
  if (!declared) {
    if (!before || !isHeld(before)) return [];
    const { hostname, holder } = before;
    return stale(`${hostname} is held by ${holder}, and is not declared`, placeOf(before));
  }
  if (!before || !isHeld(before)) {
    return stale(`the hostname ${declared.hostname} has no record yet`, declared.at);
  }
  if (before.holder !== declared.holder) {
    return stale(
      `${before.hostname} is recorded for ${before.holder}, expected ${declared.holder}`,
      placeOf(before),
    );
  }
  if (before.retain === retentionDays) return [];
  const message = `${before.hostname} is recorded with retain ${before.retain}, and should be with retain ${retentionDays}`;
  return stale(message, placeOf(before));
}

/** The changes from one table to another, by hostname. */
export function hostnameChanges(before: HostnameTable, after: HostnameTable): HostnameChange[] {
  return casesOf([], before, after).flatMap(([hostname]): HostnameChange[] => {
    const [was, is] = [before.get(hostname), after.get(hostname)];
    const record = is ?? was;
    if (!record || isSameHostname(was, is)) return [];
    return [{ kind: hostnameChangeKind(was, is), hostname, holder: record.holder }];
  });
}

function byHostname(left: HostnameRecord, right: HostnameRecord): number {
  return compareText(left.hostname, right.hostname);
}
