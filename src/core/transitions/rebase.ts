import { allocate, type RunInput } from '../allocate/allocate.ts';
import { type Move, vacatedOn, withoutVacatedPins } from '../allocate/move.ts';
import { PoolIndex } from '../declarations/pools/pool-index.ts';
import {
  type Allocation,
  type AllocationResult,
  type AllocationTable,
  type Change,
  changeKind,
  isFree,
  isHeld,
  isSameAllocation,
  isSameTable,
  moveOrigins,
  recordsByHolder,
} from '../model/allocation.ts';
import { addDays, type Day } from '../model/day.ts';
import type { Holder } from '../model/holder.ts';
import type { Pools } from '../model/pools.ts';
import { type Outcome, ok } from '../model/problem.ts';
import { byAddress, type Family } from '../net/address.ts';
import { isKeptFor, isSignedFor, rekeyedRecord, rotationProblem } from '../records/key-rules.ts';
import { assignedRecord, refreshedRecord, releasedRecord } from '../records/records.ts';
import { applySuccession } from '../records/succession.ts';
import { asCounted, dateAhead, dateBehind } from './days.ts';
import { withheldUntil } from './landings.ts';
import { mergeTables, type TableSides } from './merge-tables.ts';

/** The base of a branch, and the days that its records may have. */
export interface Base {
  /** The records of the merge base of the branch and its target. */
  readonly table: AllocationTable;
  /** The day of the commit that the branch is to be merged into. */
  readonly target: Day;
}

/**
 * Returns the table that a run on a branch starts from. It records the branch as a single run on
 * the base would, without traces of intermediate states.
 *
 * - An address that is held in the base gets its base record back, even if the branch recorded
 *   another. If the branch moved its holder, the records describe one move, from there to the
 *   holder's present address.
 * - An address that a holder got on the branch stays with that holder if its claims allow it and
 *   the base gives it no other address. Otherwise the address is as in the base.
 * - A record of the branch that a single run would make keeps its day. If the branch is too old for
 *   that day, the record gets today's.
 *
 * Records that are the same in the base stay as they are. The allocator decides what is given and
 * released next. If the base has no records, those of the branch stay: the repository starts to use
 * leasehold on this branch.
 */
export function rebasedTable(
  base: Base,
  pools: Pools,
  { holders, table: own }: { readonly holders: readonly Holder[]; readonly table: AllocationTable },
  today: Day,
): AllocationTable {
  const index = new PoolIndex(pools);
  const table = applySuccession(index, holders, own).table;
  const target = applySuccession(index, holders, base.table).table;
  // The branch recorded nothing.
  if (isSameTable(target, base.table) && isSameTable(own, base.table)) return own;
  const byId = new Map(holders.map((holder) => [holder.id, holder]));
  const other = new Map(table);
  for (const [text, record] of target) {
    const taken = table.get(text);
    const holder = taken && isHeld(taken) && byId.get(taken.holder);
    if (holder && !isHeld(record) && !mayTake(record, holder, today)) other.set(text, record);
  }
  const sides = { kept: target, other, base: target };
  const merged = mergeTables(sides, pools, asOnBranch(index, holders, sides), today);
  const run: Run = { index, byId, base, target, merged, today };
  const rebased = new Map<string, Allocation>();
  for (const [text, record] of merged) {
    const made = rebasedRecord(run, text, { record, own: table.get(text) });
    if (made) rebased.set(text, made);
  }
  return rebased;
}

/**
 * The holders with the families that the branch has given them. So a holder that now wants a second
 * family keeps its first address, if its pool has both families.
 */
function asOnBranch(
  index: PoolIndex,
  holders: readonly Holder[],
  { kept, other }: Pick<TableSides, 'kept' | 'other'>,
): readonly Holder[] {
  const heldBy = [kept, other].map((table) => recordsByHolder(table, isHeld));
  return holders.map((holder) => {
    const [before = [], own = []] = heldBy.map((records) => records.get(holder.id));
    const pool = own[0] && index.of(own[0].address);
    const has = (family: Family) => pool?.ranges.some(({ from }) => from.family === family);
    if (!holder.families.every(has)) return holder;
    const isKnown = (family: Family) =>
      [...before, ...own].some(({ address }) => address.family === family);
    return { ...holder, families: holder.families.filter(isKnown) };
  });
}

interface Run {
  readonly index: PoolIndex;
  readonly byId: ReadonlyMap<string, Holder>;
  readonly base: Base;
  readonly target: AllocationTable;
  /** The addresses of the branch that stay with their holders. Other fields are not final. */
  readonly merged: AllocationTable;
  readonly today: Day;
}

interface OnBranch {
  /** The record of the address in {@link Run.merged}. */
  readonly record: Allocation;
  /** The record of the address on the branch. */
  readonly own: Allocation | undefined;
}

function rebasedRecord(run: Run, text: string, { record, own }: OnBranch): Allocation | undefined {
  const before = run.target.get(text);
  const holder = run.byId.get(record.holder);
  if (!before || !isHeld(before)) {
    if (isHeld(record) && holder) return givenRecord(run, holder, { before, record });
    return before ?? (run.base.table.size === 0 ? own : undefined);
  }
  const owner = run.byId.get(before.holder);
  if (isHeld(record)) return owner && own && isOfOneRun(run, owner, { before, own }) ? own : before;
  const isMoved = owner?.families.includes(before.address.family) ?? false;
  return vacatedRecord(run, before, { own, isMoved });
}

/** True when a holder may have an address that is released in the base. */
function mayTake(record: Allocation, holder: Holder, day: Day): boolean {
  return isFree(record, day) || isKeptFor(record, holder) || isSignedFor('reclaim', record, holder);
}

/** The record of an address that a holder got on the branch: of that day, or of today. */
function givenRecord(
  run: Run,
  holder: Holder,
  { before, record }: { readonly before: Allocation | undefined; readonly record: Allocation },
): Allocation | undefined {
  const { index, base, target, merged, today } = run;
  const pool = index.of(record.address);
  if (!pool) return undefined;
  const from = moveOrigins(merged, record).find((text) => {
    const was = target.get(text);
    return was !== undefined && isHeld(was) && merged.get(text)?.released !== undefined;
  });
  const movedFrom = from === undefined ? undefined : target.get(from)?.address;
  const madeOn = (day: Day): Allocation => ({
    ...assignedRecord(holder, pool, record.address, { former: before, today: day }),
    ...{ movedFrom, at: record.at },
  });
  const { since } = record;
  const made = madeOn(since);
  const isEarly =
    before?.released !== undefined &&
    (since < before.released.on || !mayTake(before, holder, since));
  return isEarly || !isInTime(made, before, { base, today }) ? madeOn(today) : made;
}

/**
 * The record of an address that is held in the base and that its holder left on the branch. A release
 * that no single run would make is undone: the allocator makes it again.
 */
function vacatedRecord(
  { base, today }: Run,
  before: Allocation,
  { own, isMoved }: { readonly own: Allocation | undefined; readonly isMoved: boolean },
): Allocation {
  const madeOn = (day: Day): Allocation => ({
    ...(isMoved ? vacatedOn(before, day) : releasedRecord(before, day)),
    at: before.at,
  });
  const made = own?.released && madeOn(own.released.on);
  if (made && isSameAllocation(made, own) && isInTime(made, before, { base, today })) return made;
  return isMoved ? madeOn(today) : before;
}

/**
 * True when the branch's record of an address that stays held is what a single run on the base
 * would make, today or on an earlier day.
 */
function isOfOneRun(
  { index, base, today }: Run,
  holder: Holder,
  { before, own }: { readonly before: Allocation; readonly own: Allocation },
): boolean {
  const refreshed = refreshedRecord(index, holder, before, today);
  if (rotationProblem(holder, refreshed, today)) return false;
  const fresh = rekeyedRecord(holder, refreshed);
  return isSameAllocation(own, asCounted(fresh, { before, own, target: base.target }));
}

/** True when a record has no day after today, and none that is too old for the target. */
function isInTime(
  made: Allocation,
  before: Allocation | undefined,
  { base: { target }, today }: Pick<Run, 'base' | 'today'>,
): boolean {
  const days = { day: today, target, longestRetention: made.retain, endsSharing: false };
  return (
    dateAhead(made, before, days) === undefined && dateBehind(before, made, days) === undefined
  );
}

export interface BranchInput extends Pick<RunInput, 'withheld'> {
  readonly today: Day;
  readonly moves: readonly Move[];
  readonly base: Base;
}

/** The result of {@link allocateOnBase}. `isRebased` is true if the base made a difference. */
export interface AllocatedOnBase extends AllocationResult {
  readonly isRebased: boolean;
}

/**
 * Allocates as {@link allocate} does, but records the branch as a single run on the base: see
 * {@link rebasedTable}. No holder is recorded as moved from an address that the base never had.
 */
export function allocateOnBase(
  pools: Pools,
  holders: readonly Holder[],
  committed: AllocationTable,
  { today, moves, base, withheld = [] }: BranchInput,
): Outcome<AllocatedOnBase> {
  const begun = rebasedTable(base, pools, { holders, table: committed }, today);
  const own = applySuccession(new PoolIndex(pools), holders, committed).table;
  const isAsCommitted = isSameTable(begun, own);
  const start = isAsCommitted ? committed : begun;
  const allocated = (
    table: AllocationTable,
    wanted: readonly Holder[],
    moves?: readonly Move[],
  ): Outcome<AllocationResult> => {
    const kept = withheldUntil(table, unlanded(base.table, table, today));
    const late = [...withheld, ...kept.records];
    const run = allocate(pools, wanted, kept.table, { today, moves, withheld: late });
    return run.ok ? ok({ ...run.value, table: kept.restore(run.value.table) }) : run;
  };
  const run = allocated(start, holders, moves);
  if (!run.ok) return run;
  // This run too can record what no single run on the base would, such as a move from an address that
  // only the branch gave. So its records are rebased as well, and who then has no address gets one.
  const unpinned = withoutVacatedPins(holders, moves, start.values());
  const rebased = rebasedTable(base, pools, { holders: unpinned, table: run.value.table }, today);
  const isSettled = isSameTable(rebased, run.value.table);
  if (isAsCommitted && isSettled) return ok({ ...run.value, isRebased: false });
  const last = isSettled ? run : allocated(rebased, unpinned);
  if (!last.ok) return last;
  const { table } = last.value;
  const changes = changesBetween({ committed, base: base.table }, table);
  return ok({ table, changes, isRebased: true });
}

/**
 * Tomorrow for each address that the base holds, and whose retention on the branch is over: it counts
 * from the landing, which is still to come.
 */
function unlanded(
  base: AllocationTable,
  table: AllocationTable,
  today: Day,
): ReadonlyMap<string, Day> {
  const held = [...base].filter(([, record]) => isHeld(record));
  return new Map(
    held.flatMap(([text]) => {
      const own = table.get(text);
      return own?.released && isFree(own, today) ? [[text, addDays(today, 1)] as const] : [];
    }),
  );
}

/** The changes from the committed table, by address. For a lost record, from the base table. */
function changesBetween(
  { committed, base }: { readonly committed: AllocationTable; readonly base: AllocationTable },
  after: AllocationTable,
): Change[] {
  const texts = new Set([...committed.keys(), ...after.keys()]);
  return [...texts]
    .flatMap((text) => changeOf(committed.get(text) ?? base.get(text), after.get(text)) ?? [])
    .sort(byAddress);
}

function changeOf(before: Allocation | undefined, after: Allocation | undefined) {
  const record = after ?? before;
  if (!record || isSameAllocation(before, after)) return undefined;
  const { address, holder, pool } = record;
  return { kind: changeKind(before, after), address, holder, pool };
}
