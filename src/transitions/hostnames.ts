import {
  allocateHostnames,
  casesOf,
  type HostnameResult,
  type HostnameRun,
  hostnameChanges,
  hostnameRecord,
  placeOf,
} from '../allocate/hostnames.ts';
import type { Day } from '../model/day.ts';
import {
  type Hostname,
  type HostnameRecord,
  type HostnameTable,
  isSameHostname,
} from '../model/hostname.ts';
import { compareProblems, type Outcome, ok, type Problem } from '../model/problem.ts';
import {
  type BranchPoint,
  type Days,
  dateAhead,
  dateBehind,
  earliestOf,
  retentionForged,
  returnForged,
} from './days.ts';
import { lostRecord, whileHeld } from './transitions.ts';

/** The records of the merge base of a branch, and the days that those of the branch may have. */
export interface HostnameBase {
  readonly table: HostnameTable;
  /** The first day that a record of the branch may have to be accepted in the target. */
  readonly earliest: Day;
  /** The day of the commit that the branch is to be merged into. */
  readonly target: Day;
}

/** {@link HostnameResult}. `isRebased` is true if the base made a difference. */
interface RebasedHostnames extends HostnameResult {
  readonly isRebased: boolean;
}

/**
 * Computes the records of hostnames as {@link allocateHostnames} does, but as a single run on the
 * base would. What was given and released on the branch only leaves no record. A record of the
 * branch that such a run would have made on its day stays.
 */
export function hostnamesOnBase(
  hostnames: readonly Hostname[],
  committed: HostnameTable,
  run: HostnameRun & { readonly today: Day },
  base: HostnameBase,
): Outcome<RebasedHostnames> {
  const start = new Map(base.table);
  for (const [hostname, one] of casesOf(hostnames, base.table, committed)) {
    const own = committed.get(hostname);
    if (own && isOfOneRun(one, own, run, base)) start.set(hostname, own);
  }
  const result = allocateHostnames(hostnames, start, run);
  if (!result.ok) return result;
  const { table } = result.value;
  const isRebased = hostnameChanges(committed, start).length > 0;
  return ok({ table, changes: hostnameChanges(committed, table), isRebased });
}

/** True for a record of the branch that a single run on the base makes, on its day. */
function isOfOneRun(
  one: Parameters<typeof hostnameRecord>[0],
  own: HostnameRecord,
  { today, cooldownDays }: HostnameRun & { readonly today: Day },
  { earliest, target }: HostnameBase,
): boolean {
  const { before, declared } = one;
  if (isSameHostname(before, own)) return true;
  if (before && declared && before.holder !== declared.holder && !isFreeOn(before, own.since)) {
    return false;
  }
  const day = own.released?.on ?? own.since;
  const days = { day: today, earliest, target, longestRetention: own.retain, isLeft: false };
  return (
    isSameHostname(own, hostnameRecord(one, { today: day, cooldownDays })) &&
    dateAhead(own, before, days) === undefined &&
    dateBehind(before, own, days) === undefined
  );
}

function isFreeOn({ released }: HostnameRecord, day: Day): boolean {
  return released !== undefined && released.freeFrom <= day;
}

/** The inputs for checking the records of a head against its base. */
export interface HostnameJudgement extends Days {
  /** Where commits of the head branch off before the base: see {@link earliestOf}. */
  readonly branchPoints?: readonly BranchPoint<HostnameRecord>[] | undefined;
}

/**
 * Returns the changes between two tables of hostnames that no run of leasehold can have made:
 * DATE_AHEAD, DATE_BEHIND, and ALLOCATION_FORGED for all transitions other than
 *
 * - absent → held;
 * - held(H) → held(H) since the same day, its cooldown kept;
 * - held(H) → released(H), kept for its cooldown, no shorter and no longer;
 * - released(H) → held(H), with a cooldown that is not shorter;
 * - released(H) → held(G), if G had it from the free day on;
 * - released → absent, from the free day on.
 */
export function hostnameTransitions(
  base: HostnameTable,
  head: HostnameTable,
  judgement: HostnameJudgement,
): Problem[] {
  return casesOf([], base, head)
    .flatMap(([hostname, { before }]): Problem[] => {
      const after = head.get(hostname);
      const record = after ?? before;
      if (!record || isSameHostname(before, after)) return [];
      const earliest = earliestOf(hostname, before, judgement, isSameHostname);
      const found = fault(before, after, { ...judgement, earliest });
      if (!found) return [];
      const [code, message] = found;
      return [{ code, message: `${hostname} ${message}`, at: placeOf(record) }];
    })
    .sort(compareProblems);
}

type Fault = readonly [code: 'ALLOCATION_FORGED' | 'DATE_AHEAD' | 'DATE_BEHIND', message: string];

function fault(
  before: HostnameRecord | undefined,
  after: HostnameRecord | undefined,
  by: Days,
): Fault | undefined {
  if (!after) {
    const lost = before && lostRecord(before, by.day);
    return lost === undefined ? undefined : ['ALLOCATION_FORGED', lost];
  }
  const ahead = dateAhead(after, before, by);
  if (ahead !== undefined) return ['DATE_AHEAD', ahead];
  const forged = before ? forgery(before, after, by) : newRecord(after);
  if (forged !== undefined) return ['ALLOCATION_FORGED', forged];
  const behind = dateBehind(before, after, { ...by, isLeft: false });
  return behind === undefined ? undefined : ['DATE_BEHIND', behind];
}

function newRecord(after: HostnameRecord): string | undefined {
  return after.released
    ? `is kept for ${after.holder} until ${after.released.freeFrom}, which did not have it in the base`
    : undefined;
}

function forgery(before: HostnameRecord, after: HostnameRecord, by: Days): string | undefined {
  const { released } = before;
  if (!released) {
    return whileHeld(before, after) ?? retentionForged(before, after, { ...by, isLeft: false });
  }
  const { on, freeFrom } = released;
  if (after.released) {
    return `is released and free from ${freeFrom} in the base, and its record is different here`;
  }
  if (after.since < on) {
    return `was released on ${on} in the base, and is held since ${after.since} here`;
  }
  if (after.since >= freeFrom) return undefined;
  return after.holder === before.holder
    ? returnForged(before, after)
    : `is kept for ${before.holder} until ${freeFrom}, and goes to ${after.holder} on ${after.since}`;
}
