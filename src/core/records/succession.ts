import type { PoolIndex } from '../declarations/pools/pool-index.ts';
import {
  type Allocation,
  type AllocationResult,
  type AllocationTable,
  type Change,
  isHeld,
  recordsByHolder,
} from '../model/allocation.ts';
import type { Holder } from '../model/holder.ts';
import { compareText } from '../model/order.ts';
import type { Problem } from '../model/problem.ts';
import { byAddress, type Family, formatAddress } from '../net/address.ts';
import { recordProblem } from './held.ts';
import { isOwnRecord } from './key-rules.ts';

/** A table in which groups have the former addresses of their Services. */
export interface Succession {
  readonly table: AllocationTable;
  /** The former records, by address. */
  readonly former: ReadonlyMap<string, Allocation>;
}

/**
 * A Service that gets a sharing key, or joins an anycast group, keeps its address, and so does a
 * holder that a `Rename` gives another id: a holder that lacks a family takes over the address of a
 * former one, which no longer exists. Of several addresses it takes the lowest in an allowed pool,
 * so that the choice does not depend on names. The address of the second family must be in the
 * same pool. The other addresses are released. `since` and the retention do not change.
 */
export function applySuccession(
  index: PoolIndex,
  holders: readonly Holder[],
  table: AllocationTable,
): Succession {
  const former = new Map<string, Allocation>();
  const successors = holders.filter(({ formerly }) => formerly.length > 0);
  if (successors.length === 0) return { table, former };
  const heldBy = recordsByHolder(table, isHeld);
  const declared = new Set(holders.map(({ id }) => id));
  const next = new Map(table);
  for (const holder of successors.sort((left, right) => compareText(left.id, right.id))) {
    const kept = [...(heldBy.get(holder.id) ?? [])];
    for (const family of holder.families) {
      if (kept.some(({ address }) => address.family === family)) continue;
      const found = holder.formerly
        .filter(({ id }) => !declared.has(id))
        .flatMap(({ id }) => heldBy.get(id) ?? [])
        .sort(byAddress)
        .find((record) => fits(index, record, { holder, family, kept, former }));
      if (!found) continue;
      kept.push(found);
      former.set(formatAddress(found.address), found);
      next.set(formatAddress(found.address), { ...found, holder: holder.id });
    }
  }
  return former.size === 0 ? { table, former } : { table: next, former };
}

/**
 * True when a holder may take over the record of a former one. A `Rename` never takes an address
 * with a key to another owner: that needs a signature.
 */
export function maySucceed(holder: Holder, record: Allocation): boolean {
  const former = holder.formerly.find(({ id }) => id === record.holder);
  if (!former) return false;
  return former.renamedAt === undefined || record.key === undefined || isOwnRecord(record, holder);
}

/** Adds a change for each address that only changed its holder by succession. */
export function withSuccession(
  allocated: AllocationResult,
  { former }: Succession,
): AllocationResult {
  if (former.size === 0) return allocated;
  const { table, changes } = allocated;
  const listed = new Set(changes.map(({ address }) => formatAddress(address)));
  const taken = [...former.keys()].flatMap((text): Change[] => {
    const record = table.get(text);
    if (!record || listed.has(text)) return [];
    const { address, holder, pool } = record;
    return [{ kind: 'updated', address, holder, pool }];
  });
  const all = [...changes, ...taken];
  return { table, changes: all.sort(byAddress) };
}

/** One STALE problem for each address that a writing run would record for its successor. */
export function successionProblems({ table, former }: Succession): Problem[] {
  return [...former].map(([text, record]) =>
    recordProblem(
      'STALE',
      record,
      `is recorded for ${record.holder}, expected ${table.get(text)?.holder}`,
      'run `leasehold synth` and commit what it writes',
    ),
  );
}

function fits(
  index: PoolIndex,
  record: Allocation,
  wanted: {
    readonly holder: Holder;
    readonly family: Family;
    readonly kept: readonly Allocation[];
    readonly former: ReadonlyMap<string, Allocation>;
  },
): boolean {
  const pool = index.of(record.address);
  return (
    pool !== undefined &&
    index.allows(wanted.holder, pool) &&
    maySucceed(wanted.holder, record) &&
    record.address.family === wanted.family &&
    !wanted.former.has(formatAddress(record.address)) &&
    wanted.kept.every(({ address }) => index.of(address) === pool)
  );
}
