import { PoolIndex } from '../declarations/pools/pool-index.ts';
import {
  type Allocation,
  type AllocationTable,
  isFree,
  isHeld,
  isSameAllocation,
  ownerOf,
  recordsByHolder,
  vacatedIn,
} from '../model/allocation.ts';
import { addDays, type Day } from '../model/day.ts';
import type { Holder } from '../model/holder.ts';
import { compareText } from '../model/order.ts';
import type { Pools, Quotas } from '../model/pools.ts';
import { comparePositions, counted, type Position, type Problem } from '../model/problem.ts';
import { formatAddress } from '../net/address.ts';

/** The address counts of an owner. A dual-stack holder counts as two, a shared address as one. */
export interface OwnerCounts {
  readonly held: number;
  /** Released, and retained for the owner. */
  readonly kept: number;
}

/** Returns the quota of an owner; undefined for no limit. */
export function quotaOf({ default: most, owners }: Quotas, owner: string): number | undefined {
  return owners.get(owner) ?? most;
}

/** The records that count: not those of released addresses that no pool has any more. */
export function countedRecords(pools: Pools, table: AllocationTable): AllocationTable {
  const index = new PoolIndex(pools);
  return new Map([...table].filter(([, one]) => isHeld(one) || index.of(one.address)));
}

/** Returns the counts of each owner, in no order. Without a day, nothing counts as kept. */
export function usageByOwner(
  pools: Pools,
  table: AllocationTable,
  today: Day | undefined,
): ReadonlyMap<string, OwnerCounts> {
  const usage = new Map<string, { held: number; kept: number }>();
  for (const record of countedRecords(pools, table).values()) {
    const owner = ownerOf(record.holder);
    if (owner === undefined) continue;
    const own = usage.get(owner) ?? { held: 0, kept: 0 };
    usage.set(owner, own);
    if (isHeld(record)) own.held += 1;
    else if (today !== undefined && !isFree(record, today)) own.kept += 1;
  }
  return usage;
}

/** The input of {@link quotaProblems}. */
export interface QuotaCase {
  /** The records before and after the run. */
  readonly before: AllocationTable;
  readonly table: AllocationTable;
  readonly holders: readonly Holder[];
  /** Without a day, only held addresses count. */
  readonly today: Day | undefined;
  /** The holder of each address that was neither held by it nor retained for it. */
  readonly given: readonly string[];
  /**
   * The records of the addresses that moves vacate. They do not count in this run: otherwise a
   * holder at its quota could not be moved out of a pool. In later runs they count, so that they do
   * not pile up.
   */
  readonly vacated: readonly Allocation[];
}

/**
 * QUOTA_EXCEEDED for each owner that holds more than its quota. If the run gives it an address, its
 * retained addresses count too. The place is its first declaration, one that gets an address if any
 * does, with one place in each of its other files.
 */
export function quotaProblems(pools: Pools, judged: QuotaCase): Problem[] {
  const { quotas } = pools;
  if (quotas.default === undefined && quotas.owners.size === 0) return [];
  const { before, holders, today, given, vacated } = judged;
  const table = new Map(judged.table);
  for (const { address } of vacated) table.delete(formatAddress(address));
  const fresh = new Set(given);
  const givenOwners = new Set(given.map(ownerOf));
  const moved = recordsByHolder(table, (record) => isHeld(record) && !!record.movedFrom);
  const over = [...usageByOwner(pools, table, today)].filter(([owner, { held, kept }]) => {
    const most = quotaOf(quotas, owner);
    return most !== undefined && (held > most || (givenOwners.has(owner) && held + kept > most));
  });
  return over
    .sort(([left], [right]) => compareText(left, right))
    .flatMap(([owner, usage]) => {
      const own = holders.filter(({ id }) => ownerOf(id) === owner);
      const [at, ...also] = placesOf(own, (id) => fresh.has(id));
      const count = given.filter((id) => ownerOf(id) === owner && !moved.has(id)).length;
      const counts = { ...usage, held: usage.held - count, fresh: count };
      if (!at) return [];
      const { problem, excess } = exceeded(owner, counts, quotaOf(quotas, owner) ?? 0, {
        at,
        also,
      });
      // What this run releases is not released while the run fails.
      const days = keptDays(countedRecords(pools, before), owner, today);
      const release =
        count > 0 ? 'release a lease and wait until its retention ends' : 'release a lease';
      const isMove = count === 0 && givenOwners.has(owner);
      const ways = [
        ...(counts.held > 0 && !isMove ? [release] : []),
        ...waitFor(days, excess),
        'ask for a higher quota in leases/pools.yaml',
      ];
      return [{ ...problem, hint: ways.join(', or ') }];
    });
}

/** The days on which the kept addresses of an owner are free, the first one first. */
function keptDays(table: AllocationTable, owner: string, today: Day | undefined): readonly Day[] {
  return [...table.values()]
    .flatMap(({ holder, released }) =>
      released && ownerOf(holder) === owner ? [released.freeFrom] : [],
    )
    .filter((day) => today !== undefined && day > today)
    .sort(compareText);
}

/** The way to wait until so many addresses are free; none where too few will be. */
function waitFor(days: readonly Day[], excess: number): readonly string[] {
  const day = days[excess - 1];
  return day === undefined ? [] : [`wait until ${day}, when enough released addresses are free`];
}

/** Two tables, the holders of the second one, and the day for which kept addresses are counted. */
export interface QuotaGrowth {
  readonly before: AllocationTable;
  readonly after: AllocationTable;
  readonly holders: readonly Holder[];
  readonly day: Day;
}

/**
 * QUOTA_EXCEEDED for each owner that holds more than before and more than the quotas of the base
 * allow. Leaves out what the quotas of the head refuse too, because that is a problem of the head
 * itself. Retained addresses count for owners that got an address, as in a run.
 */
export function grownQuotaProblems(
  { base, head }: { readonly base: Pools; readonly head: Pools },
  growth: QuotaGrowth,
): Problem[] {
  const { before, holders, day } = growth;
  const had = usageByOwner(head, before, undefined);
  const isOver = ({ quotas }: Pools, owner: string, count: number) =>
    count > (quotaOf(quotas, owner) ?? Number.POSITIVE_INFINITY);
  const given = givenOwners(growth);
  const heldBefore = recordsByHolder(before, isHeld);
  // One day more, for clock skew.
  return [...usageByOwner(head, withoutVacated(growth), addDays(day, 1))]
    .flatMap(([owner, { held, kept }]) => {
      const grows = held > (had.get(owner)?.held ?? 0);
      const counted = {
        held,
        kept: given.has(owner) && isOver(base, owner, held + kept) ? kept : 0,
      };
      const isExceeded =
        (counted.kept > 0 || (grows && isOver(base, owner, held))) && !isOver(head, owner, held);
      return isExceeded ? [[owner, counted] as const] : [];
    })
    .sort(([left], [right]) => compareText(left, right))
    .flatMap(([owner, usage]) => {
      const own = holders.filter(({ id }) => ownerOf(id) === owner);
      const [at, ...also] = placesOf(own, (id) => !heldBefore.has(id));
      if (!at) return [];
      const counts = { ...usage, fresh: 0 };
      const { problem, excess } = exceeded(owner, counts, quotaOf(base.quotas, owner) ?? 0, {
        at,
        also,
      });
      const message = `${problem.message} in the base`;
      // What this change releases stays released only once it has landed.
      const days = usage.kept > 0 ? keptDays(countedRecords(head, before), owner, day) : [];
      const ways = [
        ...waitFor(days, excess),
        'have the quota raised first, in a separate change',
        ...(usage.kept > days.length
          ? ['merge the releases first, and wait until their retention ends']
          : []),
      ];
      return [{ ...problem, message, hint: ways.join(', or ') }];
    });
}

/** The owners that got an address, other than by a move or a return. */
function givenOwners({ before, after }: QuotaGrowth): ReadonlySet<string | undefined> {
  const given = [...after].filter(([text, record]) => {
    if (!isHeld(record) || record.movedFrom) return false;
    const was = before.get(text);
    if (!was) return true;
    if (!was.released) return false;
    return was.holder !== record.holder || record.since >= was.released.freeFrom;
  });
  return new Set(given.map(([, { holder }]) => ownerOf(holder)));
}

/** The second table without the addresses that moves vacated: see {@link QuotaCase.vacated}. */
function withoutVacated({ before, after }: QuotaGrowth): AllocationTable {
  const vacated = vacatedIn(after);
  return new Map(
    [...after].filter(
      ([text, record]) =>
        isSameAllocation(before.get(text), record) ||
        isHeld(record) ||
        !vacated.has(`${record.holder} ${text}`),
    ),
  );
}

/** QUOTA_EXCEEDED without a hint, and how many addresses are too many. */
function exceeded(
  owner: string,
  { held, fresh, kept }: OwnerCounts & { readonly fresh: number },
  most: number,
  { at, also }: { readonly at: Position; readonly also: readonly Position[] },
): { readonly problem: Problem; readonly excess: number } {
  const texts = [
    `${held} held`,
    ...(fresh > 0 ? [`${fresh} new`] : []),
    ...(kept > 0 ? [`${kept} kept after release`] : []),
  ];
  const parts = texts.length > 1 ? ` (${texts.slice(0, -1).join(', ')} and ${texts.at(-1)})` : '';
  const needs = counted(held + fresh + kept, 'address', 'addresses');
  const problem = {
    code: 'QUOTA_EXCEEDED',
    message: `${owner} needs ${needs}${parts}, and its quota is ${most}`,
    at,
    ...(also.length > 0 ? { also } : {}),
  } as const;
  return { problem, excess: held + fresh + kept - most };
}

/** The first place in each file, those of new holders first, in the order of the holders, then by file. */
function placesOf(holders: readonly Holder[], isNew: (id: string) => boolean): readonly Position[] {
  const places = new Map<string, Position>();
  const ordered = [
    ...holders.filter(({ id }) => isNew(id)),
    ...holders.filter(({ id }) => !isNew(id)),
  ];
  const all = ordered.flatMap(({ claims, at }) =>
    // Without claims it has a promise.
    claims.length === 0 ? [at] : claims.map((claim) => claim.at).sort(comparePositions),
  );
  for (const at of all) if (!places.has(at.file)) places.set(at.file, at);
  return [...places.values()];
}
