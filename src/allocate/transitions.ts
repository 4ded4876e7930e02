import type { Allocation, AllocationTable } from '../model/allocation.ts';
import { addDays, type Day, laterDay } from '../model/day.ts';
import { compareProblems, type Problem } from '../model/problem.ts';
import { formatAddress } from '../net/address.ts';
import { placeOf } from './held.ts';

/** No declaration and no pool promises more days (codec: retain and cooldownDays). */
const longestPromise = 365;

/**
 * What no run of leasehold can have made of a table, whoever committed it. `day` is the head commit's:
 * what is recorded after the day after it is DATE_AHEAD. Every other passage of an address but these is
 * ALLOCATION_FORGED:
 *
 * - absent → held, or released again in the same change;
 * - held(H) → held(H) since the same day, what was promised kept;
 * - held(H) → released(H), not free before what was promised;
 * - released(H) → held(H), not promised less than it still was;
 * - released(H) → held(G), or released by G again, if G had it from the free day on;
 * - released → absent, from the free day on.
 *
 * That a holder with claims holds, and one without does not, is what the frozen run proves.
 */
export function transitionProblems(
  base: AllocationTable,
  head: AllocationTable,
  day: Day,
): Problem[] {
  const problems: Problem[] = [];
  const addresses = new Set([...base.keys(), ...head.keys()]);
  for (const address of addresses) {
    const before = base.get(address);
    const after = head.get(address);
    if (before && after && isSame(before, after)) continue;
    const ahead = after && dateAhead(after, day);
    const forged = forgery(before, after, day);
    if (ahead !== undefined && after) problems.push(problem('DATE_AHEAD', after, ahead, before));
    else if (forged !== undefined) {
      const record = after ?? before;
      if (record) problems.push(problem('ALLOCATION_FORGED', record, forged, before));
    }
  }
  return problems.sort(compareProblems);
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

function isSame(left: Allocation, right: Allocation): boolean {
  return (
    left.holder === right.holder &&
    left.pool === right.pool &&
    left.since === right.since &&
    left.retain === right.retain &&
    left.keepUntil === right.keepUntil &&
    left.released?.on === right.released?.on &&
    left.released?.freeFrom === right.released?.freeFrom
  );
}

function dateAhead({ since, keepUntil, released }: Allocation, day: Day): string | undefined {
  const last = addDays(day, 1);
  const furthest = addDays(last, longestPromise);
  if (since > last) return `is held since ${since}, later than ${last}`;
  if (released && released.on > last) return `was released on ${released.on}, later than ${last}`;
  if (released && released.freeFrom > furthest) {
    return `is kept until ${released.freeFrom}, and no promise reaches beyond ${furthest}`;
  }
  if (keepUntil !== undefined && keepUntil > furthest) {
    return `is kept until ${keepUntil}, and no promise reaches beyond ${furthest}`;
  }
  return undefined;
}

function forgery(
  before: Allocation | undefined,
  after: Allocation | undefined,
  day: Day,
): string | undefined {
  if (!before) return undefined;
  if (!after) return lost(before, day);
  return before.released ? afterRelease(before, before.released, after) : whileHeld(before, after);
}

function lost(before: Allocation, day: Day): string | undefined {
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

function afterRelease(
  before: Allocation,
  released: NonNullable<Allocation['released']>,
  after: Allocation,
): string | undefined {
  const { on, freeFrom } = released;
  if (after.since < on) {
    return after.released
      ? `was released on ${on} and is free from ${freeFrom} in the base; here on ${after.released.on} and from ${after.released.freeFrom}`
      : `was released on ${on} in the base, and is held since ${after.since} here`;
  }
  if (after.since >= freeFrom) return undefined;
  if (after.holder !== before.holder) {
    return `is kept for ${before.holder} until ${freeFrom}, and goes to ${after.holder} on ${after.since}`;
  }
  const kept = after.released
    ? after.released.freeFrom
    : laterDay(addDays(after.since, after.retain), after.keepUntil);
  return kept < freeFrom
    ? `is promised to ${before.holder} until ${freeFrom}, and would be kept until ${kept}`
    : undefined;
}
