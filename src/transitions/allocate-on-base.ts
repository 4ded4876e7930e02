import { allocateMoving } from '../allocate/allocate.ts';
import type { Move } from '../allocate/move.ts';
import { PoolIndex } from '../declarations/pools/pool-index.ts';
import {
  type Allocation,
  type AllocationTable,
  isHeld,
  isSameAllocation,
  isSameTable,
} from '../model/allocation.ts';
import type { Allocated, Change } from '../model/change.ts';
import type { Holder } from '../model/claim.ts';
import type { Day } from '../model/day.ts';
import type { Pools } from '../model/pools.ts';
import type { Outcome } from '../model/problem.ts';
import { compareAddresses } from '../net/address.ts';
import { succeed } from '../records/successor.ts';
import { type Base, rebasedTable } from './rebase.ts';

/** What a run on a branch is told. */
export interface BranchInput {
  readonly today: Day;
  readonly moves: readonly Move[];
  readonly base: Base;
}

/** The new table, and whether the base made it another one than the branch alone would have. */
export interface AllocatedOnBase extends Allocated {
  readonly isRebased: boolean;
}

/**
 * Allocates as {@link allocateMoving} does. The table that it starts from, and the one that it gives, record the branch as
 * one run on the base: see {@link rebasedTable}. Nobody is recorded as moved from an address that the base never had.
 */
export function allocateOnBase(
  pools: Pools,
  holders: readonly Holder[],
  committed: AllocationTable,
  { today, moves, base }: BranchInput,
): Outcome<AllocatedOnBase> {
  const rebased = (table: AllocationTable) => rebasedTable(base, pools, { holders, table }, today);
  const begun = rebased(committed);
  const own = succeed(new PoolIndex(pools), holders, committed).table;
  const isAsCommitted = isSameTable(begun, own);
  const start = isAsCommitted ? committed : begun;
  const run = allocateMoving(pools, holders, start, { today, moves });
  if (!run.ok) return run;
  const again = rebased(run.value.table);
  const isSettled = isSameTable(again, run.value.table);
  const last = isSettled ? run : allocateMoving(pools, holders, again, { today, moves: [] });
  if (!last.ok) return last;
  if (isAsCommitted && isSettled) return { ok: true, value: { ...run.value, isRebased: false } };
  const { table } = last.value;
  const changes = changesBetween({ committed, base: base.table }, table);
  return { ok: true, value: { table, changes, isRebased: true } };
}

/** What is different from what was committed, by address. Where a record was lost, from what the base has. */
function changesBetween(
  { committed, base }: { readonly committed: AllocationTable; readonly base: AllocationTable },
  after: AllocationTable,
): Change[] {
  const texts = new Set([...committed.keys(), ...after.keys()]);
  return [...texts]
    .flatMap((text) => changeOf(committed.get(text) ?? base.get(text), after.get(text)) ?? [])
    .sort((left, right) => compareAddresses(left.address, right.address));
}

function changeOf(before: Allocation | undefined, after: Allocation | undefined) {
  const record = after ?? before;
  if (!record || (before && after && isSameAllocation(before, after))) return undefined;
  const { address, holder, pool } = record;
  return { kind: kindOf(before, after), address, holder, pool };
}

function kindOf(before: Allocation | undefined, after: Allocation | undefined): Change['kind'] {
  if (!after) return 'removed';
  const isOwn = before?.holder === after.holder;
  const wasHeld = before !== undefined && isHeld(before);
  if (isHeld(after)) {
    if (!isOwn) return 'allocated';
    return wasHeld ? 'updated' : 'reclaimed';
  }
  return isOwn && wasHeld ? 'released' : 'updated';
}
