import { type Allocation, type AllocationTable, isHeld } from '../model/allocation.ts';
import type { Holder } from '../model/claim.ts';
import type { Day } from '../model/day.ts';
import type { Pool } from '../model/pools.ts';
import type { Position, Problem } from '../model/problem.ts';
import { type Address, formatAddress, isBuggyIP } from '../net/address.ts';
import { setHas } from '../net/range-set.ts';
import { pinFor } from './holders.ts';
import { isKeptFor, isSignedFor, proofProblem } from './key-passages.ts';
import { obstacle, type PoolIndex } from './pool-index.ts';
import { isFree } from './supply.ts';
import type { Want } from './wants.ts';

/**
 * Why pinned addresses cannot be given: PIN_OUTSIDE, PIN_RESERVED, POOL_DRAINING, PIN_TAKEN,
 * PIN_RETAINED, and for a kept address with a key NOT_PROVEN. An address that two
 * holders pin is taken for both.
 */
export function pinProblems(
  index: PoolIndex,
  wants: readonly Want[],
  table: AllocationTable,
  today: Day,
): Problem[] {
  const firstToPin = new Map<string, { readonly holder: Holder; readonly at: Position }>();
  const problems: Problem[] = [];
  for (const want of wants) {
    for (const address of want.pins) {
      const text = formatAddress(address);
      const at = pinFor(want.holder, address.family)?.at ?? want.holder.claims[0].at;
      const other = firstToPin.get(text);
      const refused =
        placeProblem(index, want, address) ?? recordProblem(want, table.get(text), today);
      if (other) {
        problems.push({
          code: 'PIN_TAKEN',
          message: `${text} is pinned by ${other.holder.id} too`,
          at,
          also: [other.at],
        });
      } else {
        firstToPin.set(text, { holder: want.holder, at });
        if (refused) problems.push({ at, ...refused });
      }
    }
  }
  return problems;
}

/** A problem of a pin, at the pin if it says no other place. */
type Refusal = Omit<Problem, 'at'> & Partial<Pick<Problem, 'at'>>;

function placeProblem(index: PoolIndex, want: Want, address: Address): Refusal | undefined {
  const text = formatAddress(address);
  const pool = index.of(address);
  if (!pool) {
    return { code: 'PIN_OUTSIDE', message: `${text} is pinned, and no pool has it` };
  }
  const [decided] = want.pools;
  if (want.pools.length === 1 && decided && decided !== pool) {
    return {
      code: 'PIN_OUTSIDE',
      message: `${text} lies in pool ${pool.name}, but the holder's other address lies in pool ${decided.name}`,
    };
  }
  if (!index.isWanted(want.holder, pool)) {
    const { pool: named } = want.holder;
    const wanted = named === undefined ? `zone ${index.zoneOf(want.holder)}` : `pool ${named}`;
    return {
      code: 'PIN_OUTSIDE',
      message: `${text} lies in pool ${pool.name} of zone ${pool.zone}, but its claims want ${wanted}`,
    };
  }
  const between = obstacle(want.holder, pool);
  if (between) return { code: 'PIN_OUTSIDE', message: `${text} is pinned, and ${between.reason}` };
  return withheld(pool, address, want);
}

function withheld(pool: Pool, address: Address, want: Want): Refusal | undefined {
  const text = formatAddress(address);
  if (setHas(pool.reserved, address)) {
    return { code: 'PIN_RESERVED', message: `${text} is reserved in pool ${pool.name}` };
  }
  if (pool.avoidBuggyIPs && isBuggyIP(address)) {
    return {
      code: 'PIN_RESERVED',
      message: `${text} ends in .0 or .255, which pool ${pool.name} avoids`,
    };
  }
  const isKept = want.keptForIt.some((record) => formatAddress(record.address) === text);
  if (pool.state === 'draining' && !isKept) {
    return {
      code: 'POOL_DRAINING',
      message: `${text} lies in pool ${pool.name}, which is draining and gives nothing new`,
    };
  }
  return undefined;
}

function recordProblem(
  want: Want,
  record: Allocation | undefined,
  today: Day,
): Refusal | undefined {
  if (!record) return undefined;
  const text = formatAddress(record.address);
  const also = record.at ? { also: [record.at] } : {};
  if (isHeld(record)) {
    return { code: 'PIN_TAKEN', message: `${text} is held by ${record.holder}`, ...also };
  }
  if (isFree(record, today) || isKeptFor(record, want.holder)) return undefined;
  if (record.key !== undefined) {
    const isSigned = isSignedFor('reclaim', record, want.holder);
    return isSigned ? undefined : proofProblem('reclaim', record, want.holder);
  }
  return {
    code: 'PIN_RETAINED',
    message: `${text} is kept for ${record.holder} until ${record.released?.freeFrom}`,
    ...also,
  };
}
