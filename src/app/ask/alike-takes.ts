/**
 * The usual case of most-promised.ts, by counting alone: who waits has one pool, or may have any that a newcomer may have.
 * Which pool gives both families to somebody makes no difference then to how many others can be met.
 */

import type { Seat } from '../../allocate/seating.ts';
import type { Family } from '../../net/address.ts';
import type { WaitingTake } from './pending-takes.ts';

/** What each pool has to give, by its name. */
export type Stock = ReadonlyMap<string, Readonly<Record<Family, bigint>>>;

/** New holders, all alike: the families of each, and the pools that they may have them from. */
export interface Newcomers {
  readonly families: readonly Family[];
  readonly pools: readonly string[];
}

/**
 * The most newcomers that can be met beside all that wait; undefined where that is not the usual case, `unmet` where
 * those that wait cannot be met themselves.
 */
export function countedAlike(
  { families, pools }: Newcomers,
  waiting: readonly WaitingTake[],
  stock: Stock,
): bigint | 'unmet' | undefined {
  const [bound, choosing] = partsOf(waiting);
  const left = withoutBound(bound, stock);
  if (left === undefined) return 'unmet';
  const counts = { ipv4: 0n, ipv6: 0n, dual: 0n };
  for (const { seats } of choosing) {
    const uses = usesOf(seats);
    if (uses === undefined || !isSame(seats, uses, { families, pools }, left)) return undefined;
    counts[kindOf(uses)] += 1n;
  }
  const sum = (room: (pool: string) => bigint) => pools.reduce((all, pool) => all + room(pool), 0n);
  const free = (family: Family) => sum((pool) => left.get(pool)?.[family] ?? 0n);
  const spare = {
    ipv4: free('ipv4') - counts.ipv4 - counts.dual,
    ipv6: free('ipv6') - counts.ipv6 - counts.dual,
    dual: sum((pool) => roomFor(left, pool, ['ipv4', 'ipv6'])) - counts.dual,
  };
  if (spare.ipv4 < 0n || spare.ipv6 < 0n || spare.dual < 0n) return 'unmet';
  return families.length === 2 ? least(Object.values(spare)) : spare[kindOf(families)];
}

function partsOf(waiting: readonly WaitingTake[]): [WaitingTake[], WaitingTake[]] {
  return [
    waiting.filter(({ seats }) => seats.length === 1),
    waiting.filter(({ seats }) => seats.length !== 1),
  ];
}

/** Undefined where a pool has not enough for those that have no other. */
function withoutBound(bound: readonly WaitingTake[], stock: Stock): Stock | undefined {
  const left = new Map(stock);
  for (const { pool, uses } of bound.flatMap(({ seats }) => seats)) {
    const own = left.get(pool);
    if (own === undefined || roomFor(left, pool, uses) < 1n) return undefined;
    const less = (family: Family) => own[family] - (uses.includes(family) ? 1n : 0n);
    left.set(pool, { ipv4: less('ipv4'), ipv6: less('ipv6') });
  }
  return left;
}

/** What a holder takes wherever it goes; undefined where that differs, or where it has nowhere to go. */
function usesOf(seats: readonly Seat[]): readonly Family[] | undefined {
  const [first] = seats;
  const isOne = first && seats.every(({ uses }) => String(uses) === String(first.uses));
  return isOne ? first.uses : undefined;
}

/** True when the holder may have whatever a newcomer may have of its families, and nothing else. */
function isSame(
  seats: readonly Seat[],
  uses: readonly Family[],
  { pools }: Newcomers,
  stock: Stock,
): boolean {
  const open = new Set(seats.map(({ pool }) => pool));
  const hasRoom = (pool: string) => roomFor(stock, pool, uses) > 0n;
  return (
    pools.every((pool) => open.has(pool) || !hasRoom(pool)) &&
    [...open].every((pool) => pools.includes(pool) || !hasRoom(pool))
  );
}

function kindOf(families: readonly Family[]): Family | 'dual' {
  return families.length === 2 ? 'dual' : (families[0] ?? 'ipv4');
}

/** How many holders of those families one pool has room for. */
export function roomFor(stock: Stock, pool: string, families: readonly Family[]): bigint {
  const own = stock.get(pool);
  if (!own) return 0n;
  return least(families.map((family) => own[family]));
}

function least(counts: readonly bigint[]): bigint {
  return [...counts].sort((left, right) => (left < right ? -1 : 1))[0] ?? 0n;
}
