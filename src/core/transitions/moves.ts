import { PoolIndex } from '../declarations/pools/pool-index.ts';
import {
  type Allocation,
  type AllocationTable,
  isHeld,
  isSameAllocation,
  moveOrigins,
  recordsByHolder,
} from '../model/allocation.ts';
import type { Holder } from '../model/holder.ts';
import type { Pools } from '../model/pools.ts';
import type { Problem } from '../model/problem.ts';
import { formatAddress } from '../net/address.ts';
import { allocationPath } from '../records/allocation-file.ts';
import { recordProblem } from '../records/held.ts';
import { applySuccession } from '../records/succession.ts';

/**
 * ALLOCATION_FORGED for holders that changed their address other than by `leasehold move`, which
 * records the former address in `movedFrom`. A holder that lost an address of a family and has
 * another one must have been moved from it, and `movedFrom` must be an address that the holder had.
 */
export function moveProblems(
  base: AllocationTable,
  head: AllocationTable,
  { holders, unreadable }: MoveContext,
): Problem[] {
  const heldBy = recordsByHolder(head, isHeld);
  const known = [...head.values()].filter(
    ({ movedFrom }) => !movedFrom || !unreadable?.has(allocationPath(movedFrom)),
  );
  return [
    ...[...base.values()].flatMap((record) => silentMove(base, head, { record, heldBy }) ?? []),
    ...known.flatMap(
      (record) => falseOrigin(base, head, { record, names: namesOf(record.holder, holders) }) ?? [],
    ),
  ];
}

/** The inputs of {@link moveProblems} beside the tables. */
export interface MoveContext {
  /** The holders of the head by id. */
  readonly holders: ReadonlyMap<string, Holder>;
  /**
   * The paths of the head's records that cannot be read, which is a problem of its own. A move from
   * such an address is not judged.
   */
  readonly unreadable?: ReadonlySet<string> | undefined;
}

function silentMove(
  base: AllocationTable,
  head: AllocationTable,
  had: {
    readonly record: Allocation;
    readonly heldBy: ReadonlyMap<string, readonly Allocation[]>;
  },
): Problem | undefined {
  const { holder, address } = had.record;
  // A missing record of the old address is a problem of its own.
  if (!isHeld(had.record) || !head.has(formatAddress(address))) return undefined;
  const own = (had.heldBy.get(holder) ?? []).filter(
    (record) => record.address.family === address.family,
  );
  const [now] = own;
  const wasHeld = (record: Allocation) => {
    const before = base.get(formatAddress(record.address));
    return before !== undefined && isHeld(before) && before.holder === holder;
  };
  const from = formatAddress(address);
  if (!now || own.some(wasHeld) || moveOrigins(head, now).includes(from)) return undefined;
  return forged(
    now,
    `is held by ${holder}, which has ${from} in the base and was not moved from there by \`leasehold move\``,
  );
}

/** The holder's own id, and its former ones. */
function namesOf(holder: string, holders: ReadonlyMap<string, Holder>): ReadonlySet<string> {
  const former = holders.get(holder)?.formerly.map(({ id }) => id);
  return new Set([holder, ...(former ?? [])]);
}

function falseOrigin(
  base: AllocationTable,
  head: AllocationTable,
  { record, names }: { readonly record: Allocation; readonly names: ReadonlySet<string> },
): Problem | undefined {
  const { movedFrom, holder, since } = record;
  const before = base.get(formatAddress(record.address));
  if (before && names.has(before.holder) && before.since === since && isHeld(before)) {
    const [was, is] = [before, record].map((one) => one.movedFrom && formatAddress(one.movedFrom));
    // A return to a kept address has no origin, and a run on another base has one.
    const isOwn = (text: string) =>
      [base, head].some((table) => names.has(table.get(text)?.holder ?? ''));
    if (was === is || is === undefined || isOwn(is)) return undefined;
    return forged(
      record,
      `was moved from ${was ?? 'nowhere'} in the base, and from ${is ?? 'nowhere'} here`,
    );
  }
  if (!movedFrom || isSameAllocation(before, record)) return undefined;
  const from = formatAddress(movedFrom);
  const [was, is] = [base.get(from), head.get(from)];
  if (was && isHeld(was) && names.has(was.holder)) return undefined;
  if (is && !isSameAllocation(was, is) && names.has(is.holder)) return undefined;
  return forged(record, `records that ${holder} was moved from ${from}, which it did not have`);
}

function forged(record: Allocation, message: string): Problem {
  return recordProblem('ALLOCATION_FORGED', record, message);
}

/**
 * ALLOCATION_FORGED for groups that do not hold the address of a Service that joined them (see
 * {@link applySuccession}) and were not moved from it by `leasehold move`. Uses the pools of the
 * head.
 */
export function groupMoveProblems(
  pools: Pools,
  holders: readonly Holder[],
  { base, head }: { readonly base: AllocationTable; readonly head: AllocationTable },
): Problem[] {
  const { table, former } = applySuccession(new PoolIndex(pools), holders, base);
  const held = [...head.values()].filter(isHeld);
  return [...former].flatMap(([from, { holder: service, address }]): Problem[] => {
    const holder = table.get(from)?.holder;
    const now = held.find(
      (record) => record.holder === holder && record.address.family === address.family,
    );
    // A missing address, or a missing record of the old one, is a problem of its own.
    if (!now || !head.has(from)) return [];
    if (formatAddress(now.address) === from || moveOrigins(head, now).includes(from)) return [];
    return [
      forged(
        now,
        `is held by ${holder}, and its Service ${service} has ${from} in the base and was not moved from there by \`leasehold move\``,
      ),
    ];
  });
}

/** A holder that a branch gives its former address, as by git revert of a move. */
export interface RevertedMove {
  /** The record of the address that the holder has in the base, and the branch lacks. */
  readonly kept: Allocation;
  /** The record of its former address on the branch. */
  readonly former: Allocation;
}

/** Returns the moves of the base that a branch reverts. A run on the base restores each of them. */
export function revertedMoves(base: AllocationTable, head: AllocationTable): RevertedMove[] {
  const keyOf = ({ holder, address }: Allocation) => `${holder} ${address.family}`;
  const back = new Map(
    [...head].flatMap(([text, record]) => {
      const before = base.get(text);
      const isBack = isHeld(record) && before?.released && before.holder === record.holder;
      return isBack ? [[keyOf(record), record] as const] : [];
    }),
  );
  if (back.size === 0) return [];
  return [...base].flatMap(([text, kept]) => {
    const former = isHeld(kept) && !head.has(text) ? back.get(keyOf(kept)) : undefined;
    return former ? [{ kept, former }] : [];
  });
}
