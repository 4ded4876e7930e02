import { PoolIndex } from '../declarations/pools/pool-index.ts';
import { type AllocationTable, isHeld } from '../model/allocation.ts';
import type { Holder } from '../model/claim.ts';
import type { Pools } from '../model/pools.ts';
import type { Problem } from '../model/problem.ts';
import { formatAddress } from '../net/address.ts';
import { origins } from '../records/came-from.ts';
import { placeOf } from '../records/held.ts';
import { succeed } from '../records/successor.ts';

/**
 * ALLOCATION_FORGED for holders that stand on another address than the one that a Service of theirs has
 * brought along (see {@link succeed}), without having been taken from it by `leasehold move`. By the pools of the head.
 */
export function joinedPassageProblems(
  pools: Pools,
  holders: readonly Holder[],
  { base, head }: { readonly base: AllocationTable; readonly head: AllocationTable },
): Problem[] {
  const { table, former } = succeed(new PoolIndex(pools), holders, base);
  const held = [...head.values()].filter(isHeld);
  return [...former].flatMap(([from, { holder: service, address }]): Problem[] => {
    const holder = table.get(from)?.holder;
    const now = held.find(
      (record) => record.holder === holder && record.address.family === address.family,
    );
    // Without one, or without a record of the old address, the head is wrong in any case.
    if (!now || !head.has(from)) return [];
    const text = formatAddress(now.address);
    if (text === from || origins(head, now).includes(from)) return [];
    return [
      {
        code: 'ALLOCATION_FORGED',
        message: `${text} is held by ${holder}, and its Service ${service} has ${from} in the base and was not moved from there by leasehold move`,
        at: placeOf(now),
      },
    ];
  });
}
