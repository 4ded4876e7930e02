import type { Family } from '../../net/address.ts';
import {
  type Contention,
  contentionOf,
  type FlowRoom,
  type FreeCounts,
  type HolderGroup,
  type PoolBlock,
} from './contention.ts';
import { type Overflow, overflowOf } from './flow.ts';
import { WholeNumbers } from './whole-numbers.ts';

/**
 * True when every holder can take one of its options and no pool gives more than it has. Both
 * `synth` and `capacity` decide by this. The cost depends on the number of groups and pools, not on
 * the number of holders.
 *
 * If each holder took one address, this would be a flow from groups to pools. But a dual-stack
 * holder takes a pair from one pool, beside others that take a single address of it. That makes the
 * question as hard as three-dimensional matching, for which no method is fast in every case. Once
 * it is fixed how many pairs each pool sets aside, it is a flow again, from groups to rooms: a pool
 * has one room for pairs, one for IPv4 and one for IPv6.
 *
 * So the search is for one number per pool that is short of both families and has several rooms. If
 * a flow does not fit, some groups have too little room, which is an inequality that the next
 * numbers must meet (Benders' decomposition). No numbers occur twice, so the search ends, and its
 * answer is exact. Usually no pool is short of both families, and the first flow decides. Fifty
 * groups and fifty pools, all short, take 0.1 s; a three-dimensional matching hidden among 200
 * pools of one pair each took 25 s.
 */
export function canSatisfy(groups: readonly HolderGroup[], free: FreeCounts): boolean {
  const contention = contentionOf(groups, free);
  if (!contention) return false;
  const contested = contestedIn(contention.rooms);
  const pairs = new WholeNumbers(contested.map((block) => contention.blocks[block]?.both ?? 0));
  for (;;) {
    const numbers = pairs.lowest();
    if (!numbers) return false;
    const apart = new Map(contested.map((block, place) => [block, numbers[place] ?? 0]));
    const places = contention.rooms.map((room) => placesIn(room, contention.blocks, apart));
    const overflow = overflowOf(contention.sources, places);
    if (!overflow) return true;
    pairs.demand(...demandOf(overflow, contention, contested));
  }
}

/** The blocks that have a room for pairs and another room. */
function contestedIn(rooms: readonly FlowRoom[]): readonly number[] {
  const single = new Set(rooms.filter(({ use }) => use !== 'both').map(({ block }) => block));
  return rooms
    .filter(({ use, block }) => use === 'both' && single.has(block))
    .map(({ block }) => block);
}

/** The size of a room. `apart` has the pairs that contested blocks set aside. */
function placesIn(
  { block, use }: FlowRoom,
  blocks: readonly PoolBlock[],
  apart: ReadonlyMap<number, number>,
): number {
  const all = blocks[block]?.[use] ?? 0;
  const pairs = apart.get(block);
  if (pairs === undefined) return all;
  return use === 'both' ? pairs : all - pairs;
}

/** The inequality on the pairs by which the rooms take the overflow: factors, and the least sum. */
function demandOf(
  overflow: Overflow,
  { sources, rooms, blocks }: Contention,
  contested: readonly number[],
): [factors: readonly number[], least: number] {
  const short = overflow.rooms.flatMap((place) => rooms[place] ?? []);
  const none = new Map(contested.map((block) => [block, 0]));
  const factors = contested.map((block) =>
    short
      .filter((room) => room.block === block)
      .reduce((sum, { use }) => sum + (use === 'both' ? 1 : -1), 0),
  );
  const count = overflow.sources.reduce((sum, place) => sum + (sources[place]?.count ?? 0), 0);
  const places = short.reduce((sum, room) => sum + placesIn(room, blocks, none), 0);
  return [factors, count - places];
}

/** The free addresses of each pool, by pool name. Exact, however large. */
export type Stock = ReadonlyMap<string, Readonly<Record<Family, bigint>>>;

/** New holders of the same families and the same pools. */
export interface Newcomers {
  readonly families: readonly Family[];
  readonly pools: readonly string[];
}

/**
 * Returns the largest number of newcomers that can be met beside the waiting holders, who can all
 * be met. What a pool has left if all waiting holders take theirs from it goes to newcomers in any
 * case. For the rest, {@link canSatisfy} decides.
 */
export function mostNewcomers(
  { families, pools }: Newcomers,
  waiting: readonly HolderGroup[],
  stock: Stock,
): bigint {
  const waitingCount = BigInt(waiting.reduce((sum, { count }) => sum + count, 0));
  const rest = new Map(stock);
  let sure = 0n;
  let open = 0n;
  for (const pool of pools) {
    const own = stock.get(pool);
    if (!own) continue;
    const room = families.map((family) => own[family]).reduce(least);
    const spare = room > waitingCount ? room - waitingCount : 0n;
    const less = (family: Family) => own[family] - (families.includes(family) ? spare : 0n);
    rest.set(pool, { ipv4: less('ipv4'), ipv6: less('ipv6') });
    sure += spare;
    open += room - spare;
  }
  const options = pools.map((pool) => ({ pool, uses: families }));
  const free = numbersOf(rest);
  const more = longest(Number(open), (count) => canSatisfy([...waiting, { options, count }], free));
  return sure + BigInt(more);
}

/** Converts the counts for {@link canSatisfy}. Numbers too large to be exact suffice. */
export function numbersOf(stock: Stock): ReadonlyMap<string, Readonly<Record<Family, number>>> {
  return new Map(
    [...stock].map(([pool, { ipv4, ipv6 }]) => [pool, { ipv4: Number(ipv4), ipv6: Number(ipv6) }]),
  );
}

function least(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

/**
 * Returns the greatest length up to `limit` for which the monotonic predicate holds. It must hold
 * for 0. No length greater than twice the answer plus one is tried.
 */
export function longest(limit: number, holds: (length: number) => boolean): number {
  let length = 0;
  let tooLong = limit + 1;
  while (tooLong - length > 1) {
    const isEndKnown = tooLong <= limit;
    const next = isEndKnown ? Math.floor((length + tooLong) / 2) : Math.min(2 * length + 1, limit);
    if (holds(next)) length = next;
    else tooLong = next;
  }
  return length;
}
