import { PoolIndex } from '../declarations/pools/pool-index.ts';
import {
  type Allocation,
  type AllocationResult,
  type AllocationTable,
  type Change,
  isFree,
  isHeld,
  ownerOf,
  recordsByHolder,
} from '../model/allocation.ts';
import type { Day } from '../model/day.ts';
import type { Holder, Placement } from '../model/holder.ts';
import type { Pools } from '../model/pools.ts';
import { failSorted, type Outcome, ok, type Problem } from '../model/problem.ts';
import { type Address, byAddress, formatAddress } from '../net/address.ts';
import { checkTable, type HolderStatus, recordPlace, type TableCheck } from '../records/held.ts';
import { isOwnRecord, rekeyedRecord, rotationProblem } from '../records/key-rules.ts';
import { assignedRecord, refreshedRecord, releasedRecord } from '../records/records.ts';
import { renameProblems } from '../records/rename-rules.ts';
import {
  applySuccession,
  type Succession,
  successionProblems,
  withSuccession,
} from '../records/succession.ts';
import { dateProblems } from '../records/tenure.ts';
import { assignAddresses } from './assign.ts';
import type { Assignment } from './assigner.ts';
import { assertInvariants } from './invariants.ts';
import { beginMoves, type Move } from './move.ts';
import { needsOf } from './needs.ts';
import { quotaProblems } from './quotas.ts';
import { staleProblems } from './stale.ts';
import { unsatisfiable } from './unsatisfiable.ts';

export interface RunInput {
  /** Undefined in a frozen run. */
  readonly today: Day | undefined;
  /** The holders to move to another address. A frozen run has none. */
  readonly moves?: readonly Move[] | undefined;
  /**
   * Free addresses that this run must not give. They are recorded as retained until tomorrow, but do
   * not count for a quota.
   */
  readonly withheld?: readonly Allocation[] | undefined;
}

/**
 * Computes the new table from the pools, the holders and the committed table. Pure: no file, clock,
 * environment, locale or random source, and the order of the input does not matter. The steps:
 * check the table against the holders (nothing held moves), release what no claim holds, assign
 * what is lacking, and check the result against the invariants.
 *
 * A frozen run, which has no `today`, changes nothing and reports each difference as a STALE
 * problem. DATE_EARLIER when a day has to be recorded that is before a recorded one.
 */
export function allocate(
  pools: Pools,
  holders: readonly Holder[],
  committed: AllocationTable,
  { today, moves = [], withheld = [] }: RunInput,
): Outcome<AllocationResult> {
  const index = new PoolIndex(pools);
  const succession = applySuccession(index, holders, committed);
  if (today === undefined) return frozen(index, holders, succession);
  const moving = beginMoves(index, { holders, table: succession.table }, moves, today);
  if (moving.problems.length > 0) return failSorted(moving.problems);
  const { table } = moving;
  const review = checkTable(index, moving.holders, table);
  const { satisfiable, problems: refused } = satisfiableOf(index, review);
  const needs = needsOf(index, satisfiable, table, today);
  const releasing = [...moving.vacated, ...review.gone];
  const { avoided } = moving;
  const assigned = assignAddresses(index, needs, { table, today, avoided, releasing });
  const applied = apply(index, table, { review, assignments: assigned.assignments }, today);
  const result = withSuccession(moving.finish(applied), succession);
  const records = result.changes.length > 0 || needs.length > 0;
  const order = { compare: byAddress, placeOf: recordPlace };
  const early = records ? dateProblems(committed.values(), today, order) : [];
  const given = result.changes
    .filter(({ kind }) => kind === 'allocated')
    .map(({ holder }) => holder);
  const vacated = [...moving.vacated, ...withheld];
  const problems = [
    ...review.problems,
    ...refused.map(moving.hinted),
    ...keyProblems(index, review, today, succession),
    ...renameProblems(index, holders, succession),
    ...assigned.problems.map((problem) => moving.hinted(withHolder(problem, table, holders))),
    ...early,
    ...quotaProblems(pools, {
      before: committed,
      table: result.table,
      holders,
      today,
      given,
      vacated,
    }),
  ];
  if (problems.length > 0) return failSorted(problems);
  assertInvariants(index, moving.declared, result.table);
  return ok(result);
}

/** Adds the declaration of the holder whose record is in the way of a pin, or the way to rename it. */
function withHolder(problem: Problem, table: AllocationTable, holders: readonly Holder[]): Problem {
  const { code, also = [] } = problem;
  if (code !== 'PIN_TAKEN' && code !== 'PIN_RETAINED') return problem;
  const record = [...table.values()].find(({ at }) => also.some(({ file }) => file === at?.file));
  const holder = holders.find(({ id }) => id === record?.holder);
  if (holder) return code === 'PIN_TAKEN' ? { ...problem, also: [holder.at, ...also] } : problem;
  const pinning = holders.find(({ pins }) => pins.some(({ at }) => at === problem.at));
  if (!record || !pinning || record.vacatedBy !== undefined) return problem;
  const isOther = code === 'PIN_RETAINED' && ownerOf(record.holder) !== ownerOf(pinning.id);
  if (isOther || record.key !== undefined) return problem;
  const gone = code === 'PIN_TAKEN' ? ', which is no longer declared' : '';
  const message = `${problem.message}${gone}`;
  const hint = `to go on with its address under another name, run \`leasehold rename ${record.holder} ${pinning.id}\`; else ${problem.hint}`;
  return { ...problem, message, hint };
}

function frozen(
  index: PoolIndex,
  holders: readonly Holder[],
  succession: Succession,
): Outcome<AllocationResult> {
  const { table } = succession;
  const review = checkTable(index, holders, table);
  const { satisfiable, problems: refused } = satisfiableOf(index, review);
  const quotaCase = { before: table, table, holders, today: undefined, given: [], vacated: [] };
  const problems = [
    ...review.problems,
    ...refused,
    ...keyProblems(index, review, undefined, succession),
    ...renameProblems(index, holders, succession),
    ...staleProblems(index, { ...review, statuses: satisfiable }),
    ...successionProblems(succession),
    ...quotaProblems(index.pools, quotaCase),
  ];
  return problems.length > 0 ? failSorted(problems) : ok({ table, changes: [] });
}

/** Separates what can be met if enough addresses are free from what never can. */
function satisfiableOf(
  index: PoolIndex,
  { statuses }: TableCheck,
): { readonly satisfiable: readonly HolderStatus[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const satisfiable = statuses.filter((status) => {
    const problem = unsatisfiable(index, status);
    if (problem) problems.push(problem);
    return problem === undefined;
  });
  return { satisfiable, problems };
}

function apply(
  index: PoolIndex,
  table: AllocationTable,
  given: { readonly review: TableCheck; readonly assignments: readonly Assignment[] },
  today: Day,
): AllocationResult {
  const { review, assignments } = given;
  const next = new Map(table);
  const changes: Change[] = [];
  const put = (kind: Change['kind'], record: Allocation, text = formatAddress(record.address)) => {
    next.set(text, record);
    changes.push({ kind, address: record.address, holder: record.holder, pool: record.pool });
  };
  for (const status of review.statuses) {
    for (const record of status.kept.values()) {
      const fresh = rekeyedRecord(
        status.holder,
        refreshedRecord(index, status.holder, record, today),
      );
      if (fresh !== record) put('updated', fresh);
    }
  }
  for (const record of review.gone) put('released', releasedRecord(record, today));
  for (const { need, pool, address } of assignments) {
    const text = formatAddress(address);
    const former = table.get(text);
    const isBack = former && isOwnRecord(former, need.holder) && !isFree(former, today);
    const record = assignedRecord(need.holder, pool, address, { former, today });
    put(isBack ? 'reclaimed' : 'allocated', record, text);
  }
  changes.sort(byAddress);
  return { table: next, changes };
}

/** The problems of {@link rotationProblem} for all held addresses. */
function keyProblems(
  index: PoolIndex,
  { statuses }: TableCheck,
  today: Day | undefined,
  { former }: Succession,
): Problem[] {
  const problems: Problem[] = [];
  for (const { holder, kept } of statuses) {
    for (const record of kept.values()) {
      // Without a key of its own nothing of it is proven.
      if (record.key === undefined) continue;
      const fresh = today === undefined ? record : refreshedRecord(index, holder, record, today);
      const problem = rotationProblem(holder, fresh, today);
      if (!problem) continue;
      // A holder that the address is not recorded for yet cannot have a signature for it.
      const isJoining = former.has(formatAddress(record.address));
      problems.push(isJoining ? { ...problem, hint: joiningHint } : problem);
    }
  }
  return problems;
}

const joiningHint =
  'name the key of the address in all of them; or change the key of the address first, in a separate change';

/**
 * Returns the holders with claims that have all their addresses, with these, in the order of
 * `holders`. Nothing is served on a promised address.
 */
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
    if (!pool || holder.claims.length === 0 || addresses.length !== holder.families.length)
      return [];
    return [{ holder, pool, addresses: [first, ...rest] as const }];
  });
}
