import { type Allocation, type AllocationTable, isSameAllocation } from '../model/allocation.ts';
import type { Holder } from '../model/claim.ts';
import type { Day } from '../model/day.ts';
import { compareProblems, type Problem } from '../model/problem.ts';
import { formatAddress } from '../net/address.ts';
import { leftAddresses } from '../records/came-from.ts';
import { placeOf } from '../records/held.ts';
import { hasLeft, isOtherKey, isSignedFor, keyForgery } from '../records/key-passages.ts';
import { formerHolder } from '../records/successor.ts';
import {
  type Days,
  dateAhead,
  dateBehind,
  earliestOf,
  leaverForgotten,
  type Parting,
  promiseForged,
  returnForged,
} from './days.ts';
import { movedPassageProblems } from './moves.ts';

/** By what the records of a head are judged. */
export interface Judgement extends Days {
  /** The holders of the head by their ids: what it declares may explain a passage. */
  readonly holders: ReadonlyMap<string, Holder>;
  /** Those of the base: a claim that left is still promised the address. */
  readonly formerHolders: ReadonlyMap<string, Holder>;
  /** Where commits of the head part from the target before the base: see {@link earliestOf}. */
  readonly partings?: readonly Parting[];
}

/** The same, and what the tables say as a whole. */
interface Case extends Judgement {
  /** True when the base records nothing: leasehold begins, and its history may come with it. */
  readonly begins: boolean;
  /** What holders of the head were moved from, or passed through: see {@link leftAddresses}. */
  readonly left: ReadonlySet<string>;
}

/**
 * What no run of leasehold can have made of a table, whoever committed it. What is recorded after the
 * day after the head commit's is DATE_AHEAD, and what is promised beyond any promise too; what is recorded of a day
 * before any run on the base is DATE_BEHIND. Every other passage of an address but these is ALLOCATION_FORGED:
 *
 * - absent → held;
 * - held(H) → held(H) since the same day, what was promised kept;
 * - held(H) → released(H), kept for what was promised, no shorter and no longer;
 * - held(a Service alone) → held or released by the group that the Service has joined;
 * - released(H) → held(H), not promised less than it still was;
 * - released(H) → held(G), if G had it from the free day on;
 * - released(H) → held(G) before that day, in the next generation, if G's declarations have a valid signature;
 * - released → absent, from the free day on;
 * - absent, or released and free → released(H), only on the way of a holder that was moved twice, or into a base that
 *   records nothing.
 *
 * So a released record is that of the base, or the release of who held the address there: an address that was
 * taken and given back within one change was never live, and is kept from nobody.
 *
 * In all of them an address without a key may get one. It gets another key or none in two ways: held, in the
 * next generation and by a signature; or from the free day on. Every new record is of generation 0.
 *
 * A holder that goes from one address to another: see {@link movedPassageProblems}.
 *
 * That a holder with claims holds, and one without does not, is what the frozen run proves.
 */
export function transitionProblems(
  base: AllocationTable,
  head: AllocationTable,
  judgement: Judgement,
): Problem[] {
  const addresses = new Set([...base.keys(), ...head.keys()]);
  const by = {
    ...judgement,
    begins: base.size === 0,
    left: leftAddresses(head),
  };
  const passages = [...addresses].flatMap((address) => {
    const before = base.get(address);
    const earliest = earliestOf(address, before, judgement);
    return problemOf(before, head.get(address), { ...by, earliest }) ?? [];
  });
  const places = new Set(passages.map(({ at }) => at.file));
  const moves = movedPassageProblems(base, head, judgement.holders).filter(
    ({ at }) => !places.has(at.file),
  );
  return [...passages, ...moves].sort(compareProblems);
}

function problemOf(
  before: Allocation | undefined,
  after: Allocation | undefined,
  by: Case,
): Problem | undefined {
  if (!after) {
    if (!before) return undefined;
    const lost = lostRecord(before, by.day);
    return lost === undefined ? undefined : problem('ALLOCATION_FORGED', before, lost);
  }
  const left = before !== undefined && isLeft(before, after, by);
  if (before && !left && isSameAllocation(before, after)) return undefined;
  const unrecorded = left ? leaverForgotten(before, after, by) : undefined;
  if (unrecorded !== undefined) {
    return { ...problem('ALLOCATION_FORGED', after, unrecorded), hint: leaverHint };
  }
  const ahead = dateAhead(after, before, by);
  if (ahead !== undefined) return problem('DATE_AHEAD', after, ahead);
  const forged = before ? forgery(before, after, by) : newRecord(after, by);
  if (forged !== undefined) return problem('ALLOCATION_FORGED', after, forged);
  const behind = by.begins ? undefined : dateBehind(before, after, { ...by, isLeft: left });
  return behind === undefined ? undefined : problem('DATE_BEHIND', after, behind);
}

function problem(
  code: 'ALLOCATION_FORGED' | 'DATE_AHEAD' | 'DATE_BEHIND',
  record: Allocation,
  message: string,
): Problem {
  return { code, message: `${formatAddress(record.address)} ${message}`, at: placeOf(record) };
}

const leaverHint =
  'declare the one that goes and the one that stays together, and run leasehold synth; then remove the one, and run it again';

function forgery(before: Allocation, after: Allocation, by: Case): string | undefined {
  const holder = by.holders.get(after.holder);
  const former = by.formerHolders.get(before.holder);
  if (!before.released) {
    const own = hasSucceeded(before, holder) ? { ...before, holder: after.holder } : before;
    return (
      whileHeld(own, after) ??
      promiseForged(own, after, { ...by, isLeft: isLeft(before, after, by) }) ??
      keyForgery(own, after, { holder, former, day: by.day })
    );
  }
  const { on, freeFrom } = before.released;
  const isNew = after.since >= freeFrom;
  if (after.released && !(isNew && isPassedThrough(after, by))) {
    return `is released and free from ${freeFrom} in the base, and its record says something else here`;
  }
  if (after.since < on) {
    return `was released on ${on} in the base, and is held since ${after.since} here`;
  }
  return isNew ? newRecord(after, by) : whileKept(before, after, by);
}

/** Why an address that is kept may not be held again before its free day. */
function whileKept(before: Allocation, after: Allocation, by: Case): string | undefined {
  const holder = by.holders.get(after.holder);
  const isOwn = after.holder === before.holder;
  if (isReclaimed(before, after, holder)) return isOwn ? returnForged(before, after) : undefined;
  if (!isOwn) {
    return `is kept for ${before.holder} until ${before.released?.freeFrom}, and goes to ${after.holder} on ${after.since}`;
  }
  if (before.key !== undefined && before.key !== after.key) {
    return `is kept with a key for ${before.holder} until ${before.released?.freeFrom}, and has another one here`;
  }
  return (
    returnForged(before, after) ??
    keyForgery(before, after, { holder, former: undefined, day: by.day })
  );
}

/** True when a Service left an address with a key, and not several stand on it now: its promise is to be recorded. */
function isLeft(before: Allocation, after: Allocation, by: Case): boolean {
  const former = by.formerHolders.get(before.holder);
  const holder = by.holders.get(after.holder);
  return (
    before.key !== undefined &&
    before.retain > 0 &&
    before.released === undefined &&
    after.released === undefined &&
    !after.shared &&
    hasLeft(former, holder, before.address)
  );
}

/** True when an address was that of a Service alone that has joined its holder. */
function hasSucceeded(before: Allocation, holder: Holder | undefined): boolean {
  return holder?.claims.some((claim) => formerHolder(claim) === before.holder) ?? false;
}

/** True when a kept address goes to a holder that has a signature of its key for it. */
function isReclaimed(before: Allocation, after: Allocation, holder: Holder | undefined): boolean {
  return (
    holder !== undefined &&
    after.generation === before.generation + 1 &&
    !isOtherKey(holder, after) &&
    isSignedFor('reclaim', before, holder)
  );
}

/** True when a holder had an address between two moves, with the key that it names. */
function isPassedThrough(record: Allocation, { left, holders }: Case): boolean {
  const holder = holders.get(record.holder);
  return (
    record.movedFrom !== undefined &&
    left.has(`${record.holder} ${formatAddress(record.address)}`) &&
    (holder === undefined || !isOtherKey(holder, record))
  );
}

/** Why a new record is not one: its generation counts what nobody signed, or it keeps what nobody had. */
function newRecord(after: Allocation, by: Case): string | undefined {
  if (after.released && !by.begins && !isPassedThrough(after, by)) {
    return `is kept for ${after.holder} until ${after.released.freeFrom}, which did not have it in the base`;
  }
  const { generation } = after;
  return generation === 0
    ? undefined
    : `is a new record of generation ${generation}, and those start at 0`;
}

function lostRecord(before: Allocation, day: Day): string | undefined {
  if (!before.released) {
    return `is held by ${before.holder} in the base, and has no record any more`;
  }
  const { freeFrom } = before.released;
  return freeFrom > day
    ? `is kept for ${before.holder} until ${freeFrom}, and has no record any more`
    : undefined;
}

function whileHeld(before: Allocation, after: Allocation): string | undefined {
  if (after.holder !== before.holder) {
    return `is held by ${before.holder} in the base, and goes to ${after.holder} without having been released before`;
  }
  if (after.since !== before.since) {
    return `is held since ${before.since} in the base, and since ${after.since} here`;
  }
  return undefined;
}
