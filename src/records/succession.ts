import type { PoolIndex } from '../declarations/pools/pool-index.ts';
import {
  type Allocation,
  type AllocationResult,
  type AllocationTable,
  type Change,
  isHeld,
  recordsByHolder,
} from '../model/allocation.ts';
import type { Claim } from '../model/claim.ts';
import type { Holder } from '../model/holder.ts';
import { compareText } from '../model/order.ts';
import type { Problem } from '../model/problem.ts';
import { serviceIdText } from '../model/service.ts';
import { compareAddresses, type Family, formatAddress } from '../net/address.ts';
import { recordPlace } from './held.ts';

/** A table in which holders have what their Services had alone, and what is different from the old one. */
export interface Succession {
  readonly table: AllocationTable;
  /** The records as they were, by the text of their addresses. */
  readonly former: ReadonlyMap<string, Allocation>;
}

const groupPattern = /^(?:anycast|[^/]+\/shared)\//;

/**
 * A Service that takes a sharing key, or joins a group over clusters, keeps its address: a holder that lacks
 * a family takes over what one of its Services has under its own name, which nobody claims any more. Of
 * several it takes the first in the order of the claims that lies in a pool which the holder's claims allow, and of
 * the second family only one that lies in the same pool; the others are released. Since when it is held and what was promised stays.
 */
export function applySuccession(
  index: PoolIndex,
  holders: readonly Holder[],
  table: AllocationTable,
): Succession {
  const former = new Map<string, Allocation>();
  const groups = holders.filter(({ id }) => groupPattern.test(id));
  if (groups.length === 0) return { table, former };
  const heldBy = recordsByHolder(table, isHeld);
  const declared = new Set(holders.map(({ id }) => id));
  const next = new Map(table);
  for (const holder of groups.sort((left, right) => compareText(left.id, right.id))) {
    const kept = [...(heldBy.get(holder.id) ?? [])];
    for (const family of holder.families) {
      if (kept.some(({ address }) => address.family === family)) continue;
      const found = holder.claims
        .map(formerHolder)
        .filter((id) => id !== undefined && !declared.has(id))
        .flatMap((id) => heldBy.get(id ?? '') ?? [])
        .find((record) => fits(index, record, { holder, family, kept, former }));
      if (!found) continue;
      kept.push(found);
      former.set(formatAddress(found.address), found);
      next.set(formatAddress(found.address), { ...found, holder: holder.id });
    }
  }
  return former.size === 0 ? { table, former } : { table: next, former };
}

/** The holder that a claim of a Service has when the Service stands alone. */
export function formerHolder(claim: Claim): string | undefined {
  return claim.kind === 'Service' ? `${claim.cluster}/${serviceIdText(claim.declared)}` : undefined;
}

/** Tells also of the addresses that went to a successor and stay as they are otherwise. */
export function withSuccession(
  allocated: AllocationResult,
  { former }: Succession,
): AllocationResult {
  if (former.size === 0) return allocated;
  const { table, changes } = allocated;
  const told = new Set(changes.map(({ address }) => formatAddress(address)));
  const taken = [...former.keys()].flatMap((text): Change[] => {
    const record = table.get(text);
    if (!record || told.has(text)) return [];
    const { address, holder, pool } = record;
    return [{ kind: 'updated', address, holder, pool }];
  });
  const all = [...changes, ...taken];
  return { table, changes: all.sort((l, r) => compareAddresses(l.address, r.address)) };
}

/** One STALE problem for each address that a writing run would record for its successor. */
export function successionProblems({ table, former }: Succession): Problem[] {
  return [...former].map(([text, record]) => ({
    code: 'STALE',
    message: `${text} is recorded for ${record.holder}, and should be for ${table.get(text)?.holder}`,
    at: recordPlace(record),
    hint: 'run leasehold synth and commit what it writes',
  }));
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
    record.address.family === wanted.family &&
    !wanted.former.has(formatAddress(record.address)) &&
    wanted.kept.every(({ address }) => index.of(address) === pool)
  );
}
