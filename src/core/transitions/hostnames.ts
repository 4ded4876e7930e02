import {
  allocateHostnames,
  casesOf,
  type HostnameCase,
  type HostnameResult,
  type HostnameRun,
  hostnameChanges,
  hostnameRecord,
} from '../allocate/hostnames.ts';
import { isGiven, OverlapIndex, placeOf } from '../allocate/kept-hostnames.ts';
import { isFree, isHeld } from '../model/allocation.ts';
import { type Day, earlierDay } from '../model/day.ts';
import {
  type Hostname,
  type HostnameRecord,
  type HostnameTable,
  isOfHolder,
  isSameHostname,
} from '../model/hostname.ts';
import { compareProblems, type Outcome, ok, type Problem } from '../model/problem.ts';
import {
  asCounted,
  type Days,
  dateAhead,
  dateBehind,
  retentionForged,
  returnForged,
} from './days.ts';
import { lostRecord, whileHeld } from './transitions.ts';

/** The records of the merge base of a branch, and the days that those of the branch may have. */
export interface HostnameBase {
  readonly table: HostnameTable;
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
  const { today } = run;
  const start = new Map(base.table);
  const branch = { run, base, overlaps: new OverlapIndex(base.table.values()) };
  for (const [hostname, one] of casesOf(hostnames, base.table, committed)) {
    const own = committed.get(hostname);
    if (own && isOfOneRun(branch, one, own)) start.set(hostname, own);
    // Pruned on the branch.
    if (!own && one.before && isFree(one.before, today)) start.delete(hostname);
  }
  const result = allocateHostnames(hostnames, start, run);
  if (!result.ok) return result;
  const { table } = result.value;
  const lost = [...base.table].filter(([hostname]) => table.has(hostname));
  const changes = hostnameChanges(new Map([...lost, ...committed]), table);
  const isRebased = hostnameChanges(committed, start).length > 0;
  return ok({ table, changes, isRebased });
}

/** The records of hostnames on the two sides of a merge, and on their base. */
interface HostnameSides {
  /** The side whose holders keep their hostnames. */
  readonly kept: HostnameTable;
  readonly other: HostnameTable;
  readonly base: HostnameTable;
}

/**
 * Merges two tables, name by name. A record that the kept side changed is taken from the kept side.
 * Of the records that only the other side changed:
 *
 * - A hostname that the kept side holds stays with its holder. A new retention and a release are
 *   taken over.
 * - A removed record is removed if the hostname is free for any holder.
 * - A hostname that a holder got is taken over, unless it overlaps one that the kept side holds for
 *   another holder.
 *
 * Whether a record fits the declarations of the result is left to {@link hostnamesOnBase}.
 */
export function mergeHostnames({ kept, other, base }: HostnameSides, today: Day): HostnameTable {
  const merged = new Map(kept);
  const overlaps = new OverlapIndex([...kept.values()].filter(isHeld));
  for (const [hostname] of casesOf([], base, other)) {
    const [was, own, theirs] = [base, kept, other].map((table) => table.get(hostname));
    if (!isSameHostname(own, was) || isSameHostname(theirs, was)) continue;
    if (!theirs) {
      if (own && isFree(own, today)) merged.delete(hostname);
      continue;
    }
    const isOwn = own === undefined || !isHeld(own) || isSameTerm(own, theirs);
    if (isOwn && overlaps.othersOf(theirs).length === 0) merged.set(hostname, theirs);
  }
  return merged;
}

/** True for records of one holder since one day. */
function isSameTerm(left: HostnameRecord, right: HostnameRecord): boolean {
  return left.holder === right.holder && left.since === right.since;
}

interface Branch {
  readonly run: HostnameRun & { readonly today: Day };
  readonly base: HostnameBase;
  /** The records of the base. */
  readonly overlaps: OverlapIndex;
}

/** True for a record of the branch that a single run on the base makes, today or on its day. */
function isOfOneRun(branch: Branch, one: HostnameCase, own: HostnameRecord): boolean {
  const { before } = one;
  if (isSameHostname(before, own)) return true;
  if (isGiven(before, own) && isEarly(branch, before, own)) return false;
  const { target } = branch.base;
  const { today, retentionDays } = branch.run;
  const isKept = isHeld(own) && !isGiven(before, own);
  const day = isKept ? today : (own.released?.on ?? own.since);
  const fresh = hostnameRecord(one, { today: day, retentionDays });
  const made = isKept && before && fresh ? asCounted(fresh, { before, own, target }) : fresh;
  const days = { day: today, target, longestRetention: own.retain, endsSharing: false };
  return (
    isSameHostname(own, made) &&
    dateAhead(own, before, days) === undefined &&
    dateBehind(before, own, days) === undefined
  );
}

/** True when the base did not allow a record of the branch on its day. */
function isEarly(
  { overlaps }: Branch,
  before: HostnameRecord | undefined,
  own: HostnameRecord,
): boolean {
  const isBeforeRelease = before?.released !== undefined && own.since < before.released.on;
  return isBeforeRelease || overlaps.othersOf(own).some((other) => !isFree(other, own.since));
}

/** The inputs for checking the records of a head against its base. */
export interface HostnameJudgement extends Days {
  /** The hint for a hostname that overlaps a kept one. */
  readonly overlapHint?: string;
  /** The hostnames of the head: a `Rename` can give one to another holder. */
  readonly hostnames?: readonly Hostname[];
}

/**
 * Returns the changes between two tables of hostnames that no run of leasehold can have made:
 * DATE_AHEAD, DATE_BEHIND, and ALLOCATION_FORGED for all transitions other than
 *
 * - absent → held;
 * - held(H) → held(H), or held(G) by a `Rename`, since the same day, its retention kept;
 * - held(H) → released(H), kept for its retention, no shorter and no longer;
 * - released(H) → held(H), with a retention that is not shorter;
 * - released(H) → held(G), if G had it from the free day on;
 * - released → absent, from the free day on.
 *
 * No hostname may be given while a name that it overlaps is kept for another holder.
 */
export function hostnameTransitions(
  base: HostnameTable,
  head: HostnameTable,
  context: HostnameJudgement,
): Problem[] {
  const released = [base, head].flatMap((table) =>
    [...table.values()].filter((record) => !isHeld(record)),
  );
  const kept = new OverlapIndex(released);
  return casesOf(context.hostnames ?? [], base, head)
    .flatMap(([hostname, { before: was, declared }]): Problem[] => {
      const after = head.get(hostname);
      const isRenamed = was && after?.holder === declared?.holder && isHeld(was);
      const before =
        isRenamed && after && declared && isOfHolder(declared, was)
          ? { ...was, holder: after.holder }
          : was;
      const record = after ?? before;
      if (!record || isSameHostname(before, after)) return [];
      const found = fault(before, after, { ...context, kept });
      if (!found) return [];
      const { code, message, hint } = found;
      const problem: Problem = { code, message: `${hostname} ${message}`, at: placeOf(record) };
      return [hint === undefined ? problem : { ...problem, hint }];
    })
    .sort(compareProblems);
}

interface Fault {
  readonly code: 'ALLOCATION_FORGED' | 'DATE_AHEAD' | 'DATE_BEHIND';
  readonly message: string;
  readonly hint?: string | undefined;
}

function fault(
  before: HostnameRecord | undefined,
  after: HostnameRecord | undefined,
  by: HostnameJudgement & { readonly kept: OverlapIndex },
): Fault | undefined {
  if (!after) {
    const lost = before && lostRecord(before, by.day);
    return lost === undefined ? undefined : { code: 'ALLOCATION_FORGED', message: lost };
  }
  const ahead = dateAhead(after, before, { ...by, endsSharing: false });
  if (ahead !== undefined) return { code: 'DATE_AHEAD', message: ahead };
  const forged = before ? forgery(before, after, by) : newRecord(after);
  if (forged !== undefined) return { code: 'ALLOCATION_FORGED', message: forged };
  const early = isGiven(before, after) ? overlapForged(after, by) : undefined;
  if (early !== undefined) {
    return { code: 'ALLOCATION_FORGED', message: early, hint: by.overlapHint };
  }
  const behind = dateBehind(before, after, { ...by, endsSharing: false });
  return behind === undefined ? undefined : { code: 'DATE_BEHIND', message: behind };
}

function newRecord(after: HostnameRecord): string | undefined {
  return after.released
    ? `is kept for ${after.holder} until ${after.released.freeFrom}, which did not have it in the base`
    : undefined;
}

function forgery(before: HostnameRecord, after: HostnameRecord, by: Days): string | undefined {
  const { released } = before;
  if (!released) {
    return (
      whileHeld(before, after) ?? retentionForged(before, after, { ...by, endsSharing: false })
    );
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

/** Returns why a hostname may not be given: it overlaps a name that is kept for another holder. */
function overlapForged(
  after: HostnameRecord,
  { kept, day }: { readonly kept: OverlapIndex; readonly day: Day },
): string | undefined {
  const given = earlierDay(after.since, day);
  const other = kept
    .othersOf(after)
    .find(({ released }) => released !== undefined && given < released.freeFrom);
  return other
    ? `overlaps ${other.hostname}, which is kept for ${other.holder} until ${other.released?.freeFrom}, and goes to ${after.holder} on ${after.since}`
    : undefined;
}
