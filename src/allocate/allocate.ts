/**
 * The allocator: pools, holders and the committed table give the new table. Pure: no file, clock,
 * environment, locale or random source. In order: hold the table against the holders (nothing held
 * moves), release what no claim holds, give what is lacking, and check the result against the
 * invariants. The same input gives the same result in whatever order it comes.
 */

import type { Allocation, AllocationTable } from '../model/allocation.ts';
import type { Change } from '../model/change.ts';
import type { Holder } from '../model/claim.ts';
import { type Day, laterDay } from '../model/day.ts';
import { compareText } from '../model/order.ts';
import type { Pools } from '../model/pools.ts';
import { compareProblems, type Outcome, type Problem } from '../model/problem.ts';
import { compareAddresses, formatAddress } from '../net/address.ts';
import { giveAddresses } from './give.ts';
import type { Gift } from './giver.ts';
import { placeOf, type Review, reviewHeld, type Standing } from './held.ts';
import { assertInvariants } from './invariants.ts';
import { isKeptFor, rekeyed, rotationProblem } from './key-passages.ts';
import { PoolIndex } from './pool-index.ts';
import { heldRecord, inGeneration, reclaimed, refreshed, released } from './records.ts';
import { staleProblems } from './stale.ts';
import { isFree } from './supply.ts';
import { unservable } from './unservable.ts';
import { wantsOf } from './wants.ts';

/** The new table, and what differs from the old one, by address. */
export interface Allocated {
  readonly table: AllocationTable;
  readonly changes: readonly Change[];
}

/**
 * Allocates. `today` is undefined in a frozen run, which changes nothing: whatever would change is
 * then a STALE problem. DATE_EARLIER when a day has to be recorded that is before a recorded one.
 */
export function allocate(
  pools: Pools,
  holders: readonly Holder[],
  table: AllocationTable,
  today: Day | undefined,
): Outcome<Allocated> {
  const index = new PoolIndex(pools);
  const review = reviewHeld(index, holders, table);
  const { servable, problems: refused } = servableOf(index, review);
  if (today === undefined) {
    const stale = staleProblems(index, { ...review, standings: servable });
    const keys = keyProblems(index, review, undefined);
    const problems = [...review.problems, ...refused, ...keys, ...stale];
    return problems.length > 0 ? failed(problems) : { ok: true, value: { table, changes: [] } };
  }
  const wants = wantsOf(index, servable, table, today);
  const giving = giveAddresses(index, wants, table, today);
  const result = apply(index, table, { review, gifts: giving.gifts }, today);
  const records = result.changes.length > 0 || wants.length > 0;
  const early = records ? dateProblems(table, today) : [];
  const keys = keyProblems(index, review, today);
  const problems = [...review.problems, ...refused, ...keys, ...giving.problems, ...early];
  if (problems.length > 0) return failed(problems);
  assertInvariants(index, holders, result.table);
  return { ok: true, value: result };
}

/** The standings that can be met if enough is free, and what is wrong with the others. */
function servableOf(
  index: PoolIndex,
  { standings }: Review,
): { readonly servable: readonly Standing[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const servable = standings.filter((standing) => {
    const problem = unservable(index, standing);
    if (problem) problems.push(problem);
    return problem === undefined;
  });
  return { servable, problems };
}

function apply(
  index: PoolIndex,
  table: AllocationTable,
  given: { readonly review: Review; readonly gifts: readonly Gift[] },
  today: Day,
): Allocated {
  const { review, gifts } = given;
  const next = new Map(table);
  const changes: Change[] = [];
  const put = (kind: Change['kind'], record: Allocation) => {
    next.set(formatAddress(record.address), record);
    changes.push({ kind, address: record.address, holder: record.holder, pool: record.pool });
  };
  for (const standing of review.standings) {
    for (const record of standing.kept.values()) {
      const fresh = rekeyed(standing.holder, refreshed(index, standing.holder, record, today));
      if (fresh !== record) put('updated', fresh);
    }
  }
  for (const record of review.gone) put('released', released(record, today));
  for (const { want, pool, address } of gifts) {
    const former = table.get(formatAddress(address));
    const given = { ...heldRecord(want.holder, pool, address, today), at: former?.at };
    const fresh =
      former === undefined || isFree(former, today)
        ? given
        : inGeneration(given, former, isKeptFor(former, want.holder));
    if (former?.holder === want.holder.id) put('reclaimed', reclaimed(fresh, former));
    else put('allocated', fresh);
  }
  changes.sort((left, right) => compareAddresses(left.address, right.address));
  return { table: next, changes };
}

/** Why held addresses may not get the keys that their holders name: see {@link rotationProblem}. */
function keyProblems(index: PoolIndex, { standings }: Review, today: Day | undefined): Problem[] {
  return standings.flatMap(({ holder, kept }) =>
    [...kept.values()].flatMap((record) => {
      const fresh = today === undefined ? record : refreshed(index, holder, record, today);
      return rotationProblem(holder, fresh, today) ?? [];
    }),
  );
}

function dateProblems(table: AllocationTable, today: Day): Problem[] {
  const [newest] = [...table.values()]
    .map((record) => ({ record, day: laterDay(record.since, record.released?.on) }))
    .filter(({ day }) => day > today)
    .sort(
      (left, right) =>
        compareText(right.day, left.day) ||
        compareAddresses(left.record.address, right.record.address),
    );
  if (!newest) return [];
  return [
    {
      code: 'DATE_EARLIER',
      message: `today is ${today}, and ${newest.day} is recorded already`,
      at: placeOf(newest.record),
      hint: "correct the machine's clock or --today",
    },
  ];
}

function failed(problems: readonly Problem[]): Outcome<Allocated> {
  return { ok: false, problems: [...problems].sort(compareProblems) };
}
