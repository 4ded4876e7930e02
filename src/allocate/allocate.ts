import { PoolIndex } from '../declarations/pools/pool-index.ts';
import {
  type Allocation,
  type AllocationTable,
  isFree,
  isHeld,
  recordsByHolder,
} from '../model/allocation.ts';
import type { Allocated, Change } from '../model/change.ts';
import type { Holder } from '../model/claim.ts';
import { type Day, laterDay } from '../model/day.ts';
import { compareText } from '../model/order.ts';
import type { Placement } from '../model/placement.ts';
import type { Pools } from '../model/pools.ts';
import { compareProblems, type Outcome, type Problem } from '../model/problem.ts';
import { type Address, compareAddresses, formatAddress } from '../net/address.ts';
import { placeOf, type Review, reviewHeld, type Standing } from '../records/held.ts';
import { rekeyed, rotationProblem } from '../records/key-passages.ts';
import { givenRecord, refreshed, released } from '../records/records.ts';
import {
  type Succession,
  succeed,
  successionProblems,
  withSuccession,
} from '../records/successor.ts';
import { type Gift, giveAddresses } from './assign.ts';
import { assertInvariants } from './invariants.ts';
import { beginMoves, type Move } from './move.ts';
import { quotaProblems } from './quotas.ts';
import { wantsOf } from './requests.ts';
import { staleProblems } from './stale.ts';
import { unservable } from './unsatisfiable.ts';

/**
 * The allocator: pools, holders and the committed table give the new table. Pure: no file, clock,
 * environment, locale or random source. In order: hold the table against the holders (nothing held
 * moves), release what no claim holds, give what is lacking, and check the result against the
 * invariants. The same input gives the same result in whatever order it comes.
 */

/** What a run is told beside what is declared. */
export interface RunInput {
  /** Undefined in a frozen run. */
  readonly today: Day | undefined;
  /** Holders that are to have another address; none in a frozen run. */
  readonly moves?: readonly Move[];
}

/**
 * Allocates. A frozen run, which has no `today`, changes nothing and reports each difference as a
 * STALE problem. DATE_EARLIER when a day has to be recorded that is before a recorded one.
 */
export function allocate(
  pools: Pools,
  holders: readonly Holder[],
  committed: AllocationTable,
  { today, moves = [] }: RunInput,
): Outcome<Allocated> {
  const index = new PoolIndex(pools);
  const succession = succeed(index, holders, committed);
  if (today === undefined) return frozen(index, holders, succession);
  const moving = beginMoves(index, { holders, table: succession.table }, moves, today);
  if (moving.problems.length > 0) return failed(moving.problems);
  const { table } = moving;
  const review = reviewHeld(index, moving.holders, table);
  const { servable, problems: refused } = servableOf(index, review);
  const wants = wantsOf(index, servable, table, today);
  const giving = giveAddresses(index, wants, table, today);
  const applied = apply(index, table, { review, gifts: giving.gifts }, today);
  const result = withSuccession(moving.finish(applied), succession);
  const records = result.changes.length > 0 || wants.length > 0;
  const early = records ? dateProblems(committed, today) : [];
  const given = new Set(
    result.changes.filter(({ kind }) => kind === 'allocated').map(({ holder }) => holder),
  );
  const { left } = moving;
  const problems = [
    ...review.problems,
    ...refused,
    ...keyProblems(index, review, today, succession),
    ...giving.problems,
    ...early,
    ...quotaProblems(pools.quotas, { table: result.table, holders, today, given, left }),
  ];
  if (problems.length > 0) return failed(problems);
  assertInvariants(index, holders, result.table);
  return { ok: true, value: result };
}

function frozen(
  index: PoolIndex,
  holders: readonly Holder[],
  succession: Succession,
): Outcome<Allocated> {
  const { table } = succession;
  const review = reviewHeld(index, holders, table);
  const { servable, problems: refused } = servableOf(index, review);
  const quotaCase = { table, holders, today: undefined, given: new Set<string>(), left: [] };
  const problems = [
    ...review.problems,
    ...refused,
    ...keyProblems(index, review, undefined, succession),
    ...staleProblems(index, { ...review, standings: servable }),
    ...successionProblems(succession),
    ...quotaProblems(index.pools.quotas, quotaCase),
  ];
  return problems.length > 0 ? failed(problems) : { ok: true, value: { table, changes: [] } };
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
    const isBack = former?.holder === want.holder.id && !isFree(former, today);
    const record = givenRecord(want.holder, pool, address, { former, today });
    put(isBack ? 'reclaimed' : 'allocated', record);
  }
  changes.sort((left, right) => compareAddresses(left.address, right.address));
  return { table: next, changes };
}

/** Why held addresses may not get the keys that their holders name: see {@link rotationProblem}. */
function keyProblems(
  index: PoolIndex,
  { standings }: Review,
  today: Day | undefined,
  { former }: Succession,
): Problem[] {
  return standings.flatMap(({ holder, kept }) =>
    [...kept.values()].flatMap((record): Problem[] => {
      const fresh = today === undefined ? record : refreshed(index, holder, record, today);
      const problem = rotationProblem(holder, fresh, today);
      if (!problem) return [];
      // Nobody can sign for a holder that the address is not recorded for yet.
      const isJoining = former.has(formatAddress(record.address));
      return [isJoining ? { ...problem, hint: joiningHint } : problem];
    }),
  );
}

const joiningHint =
  'let all of them name the key that the address has; or change its key first, in a change of its own';

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

/** The holders that have all their addresses, with them, in the order of `holders`. */
export function placementsOf(
  pools: Pools,
  holders: readonly Holder[],
  table: AllocationTable,
): readonly Placement[] {
  const index = new PoolIndex(pools);
  const heldBy = recordsByHolder(table, isHeld);
  return holders.flatMap((holder) => {
    const records = heldBy.get(holder.id) ?? [];
    const addresses: Address[] = holder.families.flatMap((family) =>
      records.flatMap(({ address }) => (address.family === family ? [address] : [])),
    );
    const [first, ...rest] = addresses;
    const pool = first && index.of(first);
    if (!pool || addresses.length !== holder.families.length) return [];
    return [{ holder, pool, addresses: [first, ...rest] as const }];
  });
}
