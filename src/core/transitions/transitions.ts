import {
  type Allocation,
  type AllocationTable,
  isSameAllocation,
  type Tenure,
  vacatedIn,
} from '../model/allocation.ts';
import type { Day } from '../model/day.ts';
import type { Holder } from '../model/holder.ts';
import { compareProblems, type Problem } from '../model/problem.ts';
import { formatAddress } from '../net/address.ts';
import { recordProblem } from '../records/held.ts';
import { hasLeft, isOtherKey, isOwnRecord, isSignedFor, keyForgery } from '../records/key-rules.ts';
import { maySucceed } from '../records/succession.ts';
import {
  type Days,
  dateAhead,
  dateBehind,
  leaverForgotten,
  retentionForged,
  returnForged,
} from './days.ts';
import { type MoveContext, moveProblems } from './moves.ts';

/** The inputs for checking the records of a head against its base. */
export interface TransitionContext extends Days, MoveContext {
  /** The holders of the head by id. Their declarations may justify a transition. */
  readonly holders: ReadonlyMap<string, Holder>;
  /** The holders of the base by id. Their retained addresses are still kept for them. */
  readonly formerHolders: ReadonlyMap<string, Holder>;
}

interface Case extends TransitionContext {
  /** True when the base has no records: the first records may have a history. */
  readonly begins: boolean;
  /** The addresses that holders of the head vacated: see {@link vacatedIn}. */
  readonly vacated: ReadonlySet<string>;
}

/**
 * Returns the changes between two tables that no run of leasehold can have made. A day after the
 * day after the head commit is DATE_AHEAD, and so is a retention that is too long. A day that is too
 * old for the target is DATE_BEHIND. Every transition of an address other than these is
 * ALLOCATION_FORGED:
 *
 * - absent → held;
 * - held(H) → held(H) since the same day, its retention kept;
 * - held(H) → released(H), kept for its retention, no shorter and no longer;
 * - held(a single Service) → held or released by the group that the Service has joined;
 * - held(H) → held or released by the holder that a `Rename` names in place of H;
 * - released(H) → held(H), or held(G) by a `Rename` of one owner, with a retention that is not
 *   shorter;
 * - released(H) → held(G), if G had it from the free day on;
 * - released(H) → held(G) before that day, in the next generation, if G's declarations have a valid
 *   signature;
 * - released → absent, from the free day on;
 * - absent, or released and free → released(H), only for a holder that was moved twice, or if the
 *   base has no records.
 *
 * So a released record is that of the base, or the release of an address that is held there. An
 * address that was given and released within one change was never live, and is not retained.
 *
 * In all of them an address without a key may get one. Its key changes or goes in two ways only:
 * while held, in the next generation and by a signature; or from the free day on. A new record has
 * generation 0.
 *
 * For holders that change their address, see {@link moveProblems}.
 *
 * The frozen run proves that exactly the holders with claims hold addresses.
 */
export function transitionProblems(
  base: AllocationTable,
  head: AllocationTable,
  context: TransitionContext,
): Problem[] {
  const addresses = new Set([...base.keys(), ...head.keys()]);
  const by = {
    ...context,
    begins: base.size === 0,
    vacated: vacatedIn(head),
  };
  const transitions = [...addresses].flatMap(
    (address) => problemOf(base.get(address), head.get(address), by) ?? [],
  );
  const places = new Set(transitions.map(({ at }) => at.file));
  const moves = moveProblems(base, head, context).filter(({ at }) => !places.has(at.file));
  return [...transitions, ...moves].sort(compareProblems);
}

function problemOf(
  before: Allocation | undefined,
  after: Allocation | undefined,
  by: Case,
): Problem | undefined {
  if (!after) {
    if (!before) return undefined;
    const lost = lostRecord(before, by.day);
    return lost === undefined ? undefined : recordProblem('ALLOCATION_FORGED', before, lost);
  }
  const ends = before !== undefined && endsSharing(before, after, by);
  if (before && !ends && isSameAllocation(before, after)) return undefined;
  const unrecorded = ends ? leaverForgotten(before, after, by) : undefined;
  if (unrecorded !== undefined) {
    return recordProblem('ALLOCATION_FORGED', after, unrecorded, leaverHint);
  }
  const ahead = dateAhead(after, before, { ...by, endsSharing: ends });
  if (ahead !== undefined) return recordProblem('DATE_AHEAD', after, ahead);
  const forged = before ? forgery(before, after, by) : newRecord(after, by);
  if (forged !== undefined) return recordProblem('ALLOCATION_FORGED', after, forged);
  const behind = by.begins ? undefined : dateBehind(before, after, { ...by, endsSharing: ends });
  return behind === undefined ? undefined : recordProblem('DATE_BEHIND', after, behind);
}

const leaverHint =
  'declare the leaving and the staying Service together and run `leasehold synth`; then remove the leaving one and run it again';

function forgery(before: Allocation, after: Allocation, by: Case): string | undefined {
  const holder = by.holders.get(after.holder);
  const former = by.formerHolders.get(before.holder);
  if (!before.released) {
    const own = hasSucceeded(before, holder, by) ? { ...before, holder: after.holder } : before;
    return (
      whileHeld(own, after) ??
      retentionForged(own, after, { ...by, endsSharing: endsSharing(before, after, by) }) ??
      keyForgery(own, after, { holder, former, day: by.day })
    );
  }
  const { on, freeFrom } = before.released;
  const isNew = after.since >= freeFrom;
  if (after.released && !(isNew && isPassedThrough(after, by))) {
    return `is released and free from ${freeFrom} in the base, and its record is different here`;
  }
  if (after.since < on) {
    return `was released on ${on} in the base, and is held since ${after.since} here`;
  }
  return isNew ? newRecord(after, by) : whileKept(before, after, by);
}

/** Returns why a retained address may not be held again before its free day. */
function whileKept(before: Allocation, after: Allocation, by: Case): string | undefined {
  const holder = by.holders.get(after.holder);
  const isOwn =
    after.holder === before.holder || (holder !== undefined && isOwnRecord(before, holder));
  if (isReclaimed(before, after, holder)) return isOwn ? returnForged(before, after) : undefined;
  if (!isOwn) {
    return `is kept for ${before.holder} until ${before.released?.freeFrom}, and goes to ${after.holder} on ${after.since}`;
  }
  if (before.key !== undefined && before.key !== after.key) {
    return `is kept with a key for ${before.holder} until ${before.released?.freeFrom}, and has another key here`;
  }
  return (
    returnForged(before, after) ??
    keyForgery(before, after, { holder, former: undefined, day: by.day })
  );
}

/**
 * True when a Service left a shared address with a key and one remains: its retention must be
 * recorded.
 */
function endsSharing(before: Allocation, after: Allocation, by: Case): boolean {
  const former = by.formerHolders.get(before.holder);
  const holder = by.holders.get(after.holder);
  return (
    before.key !== undefined &&
    before.retain > 0 &&
    before.released === undefined &&
    after.released === undefined &&
    !after.shared &&
    !isRenamedAlone(before, holder, former) &&
    hasLeft(former, holder, before.address)
  );
}

/** True when a single Service or claim goes on under the name that a `Rename` gives it. */
function isRenamedAlone(
  { holder: from }: Allocation,
  holder: Holder | undefined,
  former: Holder | undefined,
): boolean {
  const isRenamed = holder?.formerly.some(({ id, renamedAt }) => id === from && renamedAt);
  return isRenamed === true && [holder, former].every((one) => one?.claims.length === 1);
}

/**
 * True when the address belonged to a former id of its present holder, or a Service in it, which is
 * no longer declared.
 */
function hasSucceeded(
  before: Allocation,
  holder: Holder | undefined,
  { holders }: Pick<Case, 'holders'>,
): boolean {
  return holder !== undefined && !holders.has(before.holder) && maySucceed(holder, before);
}

/** True when a retained address goes to a holder with a signature by its key. */
function isReclaimed(before: Allocation, after: Allocation, holder: Holder | undefined): boolean {
  return (
    holder !== undefined &&
    after.generation === before.generation + 1 &&
    !isOtherKey(holder, after) &&
    isSignedFor('reclaim', before, holder)
  );
}

/** True when a holder had the address between two moves, with the key that it names. */
function isPassedThrough(record: Allocation, { vacated, holders }: Case): boolean {
  const holder = holders.get(record.holder);
  return (
    record.movedFrom !== undefined &&
    vacated.has(`${record.holder} ${formatAddress(record.address)}`) &&
    (holder === undefined || !isOtherKey(holder, record))
  );
}

/**
 * Returns why a new record is invalid: its generation, or an address retained without having been
 * held.
 */
function newRecord(after: Allocation, by: Case): string | undefined {
  if (after.released && !by.begins && !isPassedThrough(after, by)) {
    return `is kept for ${after.holder} until ${after.released.freeFrom}, which did not have it in the base`;
  }
  const { generation } = after;
  return generation === 0
    ? undefined
    : `is a new record of generation ${generation}, and those start at 0`;
}

/** Returns why a record may not be removed on a day. */
export function lostRecord(before: Tenure, day: Day): string | undefined {
  if (!before.released) {
    return `is held by ${before.holder} in the base, and no longer has a record`;
  }
  const { freeFrom } = before.released;
  return freeFrom > day
    ? `is kept for ${before.holder} until ${freeFrom}, and no longer has a record`
    : undefined;
}

/** Returns why what is held may not go to this record: another holder, or another day. */
export function whileHeld(before: Tenure, after: Tenure): string | undefined {
  if (after.holder !== before.holder) {
    return `is held by ${before.holder} in the base, and goes to ${after.holder} without having been released before`;
  }
  if (after.since !== before.since) {
    return `is held since ${before.since} in the base, and since ${after.since} here`;
  }
  return undefined;
}
