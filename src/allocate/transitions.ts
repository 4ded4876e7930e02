import { type Allocation, type AllocationTable, isSameAllocation } from '../model/allocation.ts';
import type { Holder } from '../model/claim.ts';
import { addDays, type Day, laterDay } from '../model/day.ts';
import { compareProblems, type Problem } from '../model/problem.ts';
import { formatAddress } from '../net/address.ts';
import { placeOf } from './held.ts';
import { isOtherKey, isSignedFor, keyForgery } from './key-passages.ts';
import { movedPassageProblems } from './moved-passages.ts';
import { formerHolder } from './successor.ts';

/** By what the records of a head are judged. */
export interface Judgement {
  /** The head commit's. */
  readonly day: Day;
  /** The most days that any declaration or pool promises, before or after. */
  readonly longestPromise: number;
  /** The holders of the head by their ids: what it declares may explain a passage. */
  readonly holders: ReadonlyMap<string, Holder>;
}

/**
 * What no run of leasehold can have made of a table, whoever committed it. What is recorded after the
 * day after the head commit's is DATE_AHEAD, and what is promised beyond any promise too. Every other passage of an address but these is
 * ALLOCATION_FORGED:
 *
 * - absent → held, or released again in the same change;
 * - held(H) → held(H) since the same day, what was promised kept;
 * - held(H) → released(H), not free before what was promised;
 * - held(a Service alone) → held or released by the group that the Service has joined;
 * - released(H) → held(H), not promised less than it still was;
 * - released(H) → held(G), or released by G again, if G had it from the free day on;
 * - released(H) → held(G) before that day, in the next generation, if G's declarations have a valid signature;
 * - released → absent, from the free day on.
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
  const passages = [...addresses].flatMap(
    (address) => problemOf(base.get(address), head.get(address), judgement) ?? [],
  );
  const places = new Set(passages.map(({ at }) => at.file));
  const moves = movedPassageProblems(base, head, judgement.holders).filter(
    ({ at }) => !places.has(at.file),
  );
  return [...passages, ...moves].sort(compareProblems);
}

function problemOf(
  before: Allocation | undefined,
  after: Allocation | undefined,
  judgement: Judgement,
): Problem | undefined {
  const { day, longestPromise } = judgement;
  if (!after) {
    if (!before) return undefined;
    const lost = lostRecord(before, day);
    return lost === undefined ? undefined : problem('ALLOCATION_FORGED', before, lost, before);
  }
  if (before && isSameAllocation(before, after)) return undefined;
  const last = addDays(day, 1);
  const most = addDays(last, Math.max(longestPromise, before?.retain ?? 0));
  const furthest = laterDay(most, before?.keepUntil ?? before?.released?.freeFrom);
  const ahead = dateAhead(after, last, furthest);
  if (ahead !== undefined) return problem('DATE_AHEAD', after, ahead, before);
  const forged = before ? forgery(before, after, judgement) : aged(after);
  return forged === undefined ? undefined : problem('ALLOCATION_FORGED', after, forged, before);
}

function problem(
  code: 'ALLOCATION_FORGED' | 'DATE_AHEAD',
  record: Allocation,
  message: string,
  before: Allocation | undefined,
): Problem {
  const at = placeOf(record);
  const hint = before
    ? `take it from the base, and let synth write what changes: git restore --source=BASE --staged --worktree ${at.file}`
    : `remove it, and let synth write what it should be: git rm ${at.file}`;
  return {
    code,
    message: `${formatAddress(record.address)} ${message}`,
    at,
    hint,
  };
}

function dateAhead(
  { since, keepUntil, released }: Allocation,
  last: Day,
  furthest: Day,
): string | undefined {
  if (since > last) return `is held since ${since}, later than ${last}`;
  if (released && released.on > last) return `was released on ${released.on}, later than ${last}`;
  const kept = released?.freeFrom ?? keepUntil;
  return kept !== undefined && kept > furthest
    ? `is kept until ${kept}, and no promise reaches beyond ${furthest}`
    : undefined;
}

function forgery(
  before: Allocation,
  after: Allocation,
  { holders, day }: Judgement,
): string | undefined {
  const by = { holder: holders.get(after.holder), day };
  if (!before.released) {
    const own = hasSucceeded(before, by.holder) ? { ...before, holder: after.holder } : before;
    return whileHeld(own, after) ?? keyForgery(own, after, by);
  }
  const { freeFrom } = before.released;
  const late = beforeRelease(before.released, after);
  if (late !== undefined || after.since >= freeFrom) return late ?? aged(after);
  const isOwn = after.holder === before.holder;
  if (isReclaimed(before, after, by.holder))
    return isOwn ? promiseBroken(before, after) : undefined;
  if (!isOwn) {
    return `is kept for ${before.holder} until ${freeFrom}, and goes to ${after.holder} on ${after.since}`;
  }
  if (before.key !== undefined && before.key !== after.key) {
    return `is kept with a key for ${before.holder} until ${freeFrom}, and has another one here`;
  }
  return promiseBroken(before, after) ?? keyForgery(before, after, by);
}

/** True when an address was that of a Service alone that has joined its holder. */
function hasSucceeded(before: Allocation, holder: Holder | undefined): boolean {
  return holder?.claims.some((claim) => formerHolder(claim) === before.holder) ?? false;
}

/** True when a kept address goes to a holder that has a signature of its key for it. */
function isReclaimed(before: Allocation, after: Allocation, holder: Holder | undefined): boolean {
  return (
    holder !== undefined &&
    after.released === undefined &&
    after.generation === before.generation + 1 &&
    !isOtherKey(holder, after) &&
    isSignedFor('reclaim', before, holder)
  );
}

/** Why a new record is not one: its generation counts what nobody signed. */
function aged({ generation }: Allocation): string | undefined {
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
  const promised = after.released
    ? laterDay(addDays(after.released.on, before.retain), before.keepUntil)
    : promiseKept(before, after);
  const kept = after.released ? after.released.freeFrom : after.keepUntil;
  if (promised === undefined || (kept !== undefined && kept >= promised)) return undefined;
  return `was promised to ${before.holder} until ${promised} at least, and is kept until ${kept ?? `${after.retain} days after its release`}`;
}

/** The day that `keepUntil` of an address that stays held must reach; undefined when it needs none. */
function promiseKept(before: Allocation, after: Allocation): Day | undefined {
  const shortened = addDays(before.since, before.retain);
  if (after.retain < before.retain) return laterDay(shortened, before.keepUntil);
  return before.keepUntil;
}

function beforeRelease(
  { on, freeFrom }: NonNullable<Allocation['released']>,
  after: Allocation,
): string | undefined {
  if (after.since >= on) return undefined;
  return after.released
    ? `was released on ${on} and is free from ${freeFrom} in the base; here on ${after.released.on} and from ${after.released.freeFrom}`
    : `was released on ${on} in the base, and is held since ${after.since} here`;
}

/** Why an address that comes back to its holder is promised less than it still was. */
function promiseBroken({ holder, released }: Allocation, after: Allocation): string | undefined {
  const kept = after.released
    ? after.released.freeFrom
    : laterDay(addDays(after.since, after.retain), after.keepUntil);
  return released !== undefined && kept < released.freeFrom
    ? `is promised to ${holder} until ${released.freeFrom}, and would be kept until ${kept}`
    : undefined;
}
