import {
  type Allocation,
  type AllocationTable,
  isFree,
  isHeld,
  isSameAllocation,
} from '../model/allocation.ts';
import type { Claim, Holder } from '../model/claim.ts';
import { addDays, type Day } from '../model/day.ts';
import { compareText } from '../model/order.ts';
import type { Quotas } from '../model/pools.ts';
import type { Position, Problem } from '../model/problem.ts';
import { formatAddress } from '../net/address.ts';
import { leftAddresses } from '../records/came-from.ts';

/** How many addresses an owner has: a dual-stack holder has two, a shared address is one. */
export interface OwnerUsage {
  readonly held: number;
  /** Released, and still kept for the owner. */
  readonly kept: number;
}

/**
 * Whose quota a holder counts for: the Akash account, over all clusters, or `<cluster>/<namespace>` of
 * Services. Undefined for a group over clusters, which an operator declares.
 */
export function ownerOf(holder: string): string | undefined {
  const [cluster = '', kind, name = ''] = holder.split('/');
  if (cluster === 'anycast') return undefined;
  if (kind !== 'akash') return `${cluster}/${name}`;
  const end = name.indexOf('-ip-');
  return end < 0 ? name : name.slice(0, end);
}

/** The most that an owner may have; undefined for as many as there are. */
export function quotaOf({ default: most, owners }: Quotas, owner: string): number | undefined {
  return owners.get(owner) ?? most;
}

/** What each owner of a table has, in no order; without a day nothing counts as kept. */
export function usageByOwner(
  table: AllocationTable,
  today: Day | undefined,
): ReadonlyMap<string, OwnerUsage> {
  const usage = new Map<string, { held: number; kept: number }>();
  for (const record of table.values()) {
    const owner = ownerOf(record.holder);
    if (owner === undefined) continue;
    const own = usage.get(owner) ?? { held: 0, kept: 0 };
    usage.set(owner, own);
    if (isHeld(record)) own.held += 1;
    else if (today !== undefined && !isFree(record, today)) own.kept += 1;
  }
  return usage;
}

/** What quotas judge: a table, and who holds. */
export interface QuotaCase {
  readonly table: AllocationTable;
  readonly holders: readonly Holder[];
  /** Without a day, only what is held counts. */
  readonly today: Day | undefined;
  /** The holders that the run gives an address that was not theirs or kept for them. */
  readonly given: ReadonlySet<string>;
  /**
   * The records of what the run moves holders from. It is kept for them, and does not count in this run: else nobody at
   * his quota could be moved out of a pool that goes. In the next runs it counts, so nobody piles them up.
   */
  readonly left: readonly Allocation[];
}

/**
 * QUOTA_EXCEEDED for each owner with more than its quota: of addresses that are held, or, when the run gives
 * it one, of those and what is still kept for it. At the first of its declarations, those that get something
 * first, and also at one place of each of its other files.
 */
export function quotaProblems(quotas: Quotas, judged: QuotaCase): Problem[] {
  if (quotas.default === undefined && quotas.owners.size === 0) return [];
  const { holders, today, given, left } = judged;
  const table = new Map(judged.table);
  for (const { address } of left) table.delete(formatAddress(address));
  const givenOwners = new Set([...given].map(ownerOf));
  const over = [...usageByOwner(table, today)].filter(([owner, { held, kept }]) => {
    const most = quotaOf(quotas, owner);
    return most !== undefined && (held > most || (givenOwners.has(owner) && held + kept > most));
  });
  return over
    .sort(([left], [right]) => compareText(left, right))
    .flatMap(([owner, usage]) => {
      const own = holders.filter(({ id }) => ownerOf(id) === owner);
      const [at, ...also] = placesOf([
        ...own.filter(({ id }) => given.has(id)),
        ...own.filter(({ id }) => !given.has(id)),
      ]);
      return at ? [exceeded(owner, usage, quotaOf(quotas, owner) ?? 0, { at, also })] : [];
    });
}

/** Two tables, who holds in the second one, and its day: that on which a record of the change counts as kept. */
export interface QuotaGrowth {
  readonly before: AllocationTable;
  readonly after: AllocationTable;
  readonly holders: readonly Holder[];
  readonly day: Day;
}

/**
 * QUOTA_EXCEEDED for each owner that holds more than before, and more than the quotas of the base allow; not
 * where those of the head refuse it too, which is a problem of the head in itself. What is still kept after release
 * counts as in a run, for who got an address: no run that gives counts less.
 */
export function grownQuotaProblems(
  { base, head }: { readonly base: Quotas; readonly head: Quotas },
  growth: QuotaGrowth,
): Problem[] {
  const { before, holders, day } = growth;
  const had = usageByOwner(before, undefined);
  const isOver = (quotas: Quotas, owner: string, count: number) =>
    count > (quotaOf(quotas, owner) ?? Number.POSITIVE_INFINITY);
  const given = givenOwners(growth);
  // A day more, for clocks.
  return [...usageByOwner(withoutLeft(growth), addDays(day, 1))]
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
      const [at, ...also] = placesOf(own);
      if (!at) return [];
      const problem = exceeded(owner, usage, quotaOf(base, owner) ?? 0, { at, also });
      const wait = usage.kept > 0 ? 'wait until what was released is free, or ' : '';
      const message = `${problem.message} in the base`;
      return [
        { ...problem, message, hint: `${wait}have the quota raised first, in a change of its own` },
      ];
    });
}

/** Who got an address that was nobody's of theirs, and not by a move. */
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

/** The second table without what holders were moved from on the way: see {@link QuotaCase.left}. */
function withoutLeft({ before, after }: QuotaGrowth): AllocationTable {
  const left = leftAddresses(after);
  return new Map(
    [...after].filter(([text, record]) => {
      const was = before.get(text);
      const isOld = was !== undefined && isSameAllocation(was, record);
      return isOld || isHeld(record) || !left.has(`${record.holder} ${text}`);
    }),
  );
}

/** The problem of one owner, at places that its declarations are given in. */
function exceeded(
  owner: string,
  { held, kept }: OwnerUsage,
  most: number,
  { at, also }: { readonly at: Position; readonly also: readonly Position[] },
): Problem {
  const parts = kept === 0 ? '' : ` (${held} held and ${kept} kept after release)`;
  const needs = held + kept === 1 ? '1 address' : `${held + kept} addresses`;
  return {
    code: 'QUOTA_EXCEEDED',
    message: `${owner} needs ${needs}${parts}, and its quota is ${most}`,
    at,
    ...(also.length > 0 ? { also } : {}),
    hint: 'release a lease, wait until what was released is free, or have quotas raised in leases/pools.yaml',
  };
}

/** The first place of each declaration of some holders, in their order, then by file. */
function placesOf(holders: readonly Holder[]): readonly Position[] {
  const places = new Map<string, Position>();
  const claims = holders.flatMap((holder): readonly Claim[] =>
    [...holder.claims].sort(
      ({ at: left }, { at: right }) =>
        compareText(left.file, right.file) || left.line - right.line || left.column - right.column,
    ),
  );
  for (const { at } of claims) if (!places.has(at.file)) places.set(at.file, at);
  return [...places.values()];
}
