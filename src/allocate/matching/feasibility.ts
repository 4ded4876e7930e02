import type { Family } from '../../net/address.ts';
import {
  type Block,
  type Contest,
  contestOf,
  type Free,
  type Group,
  type Room,
} from './contention.ts';
import { type Overflow, overflowOf } from './flow.ts';
import { WholeNumbers } from './whole-numbers.ts';

/**
 * Whether all of some holders can be met: the one question of `synth` and of `capacity`. Holders that are alike are a group,
 * and only their number counts: what an answer costs goes by how many groups and pools there are.
 *
 * If everybody took one address, that would be a flow from groups to pools. But who wants both families takes a pair from one
 * pool, beside others that take one address of it, and to meet all of them is as hard as three-dimensional matching: no method
 * is known that is fast in every case. It is the pairs alone that make it so. Once it is settled how many a pool sets aside for
 * those that take both, all is a flow again, from groups to rooms: a pool is one room for those that take both, one for those
 * that take an IPv4 address and one for those that take an IPv6 address.
 *
 * So what is searched is one number for each pool that is short of both families and has several such rooms. Where a flow does
 * not fit, some groups have too little room, and that is an inequality which the next numbers have to meet (Benders'
 * decomposition). No numbers come twice, so there is an end, and the answer is exact. Mostly no pool is short of
 * both families, and the first flow is the answer. Fifty groups and fifty pools, all of them short, take a tenth of a second;
 * a three-dimensional matching hidden among 200 pools of one pair each, made to be hard, took 25 seconds.
 */

/** True when every holder can take one of its seats, and no pool gives more than it has. */
export function canMeet(groups: readonly Group[], free: Free): boolean {
  const contest = contestOf(groups, free);
  if (!contest) return false;
  const contested = contestedIn(contest.rooms);
  const pairs = new WholeNumbers(contested.map((block) => contest.blocks[block]?.both ?? 0));
  for (;;) {
    const numbers = pairs.lowest();
    if (!numbers) return false;
    const apart = new Map(contested.map((block, place) => [block, numbers[place] ?? 0]));
    const places = contest.rooms.map((room) => placesIn(room, contest.blocks, apart));
    const overflow = overflowOf(contest.sources, places);
    if (!overflow) return true;
    pairs.demand(...demandOf(overflow, contest, contested));
  }
}

/** The blocks that have a room for those that take both families, and another one. */
function contestedIn(rooms: readonly Room[]): readonly number[] {
  const single = new Set(rooms.filter(({ use }) => use !== 'both').map(({ block }) => block));
  return rooms
    .filter(({ use, block }) => use === 'both' && single.has(block))
    .map(({ block }) => block);
}

/** `apart` are the pairs that contested blocks set aside. */
function placesIn(
  { block, use }: Room,
  blocks: readonly Block[],
  apart: ReadonlyMap<number, number>,
): number {
  const all = blocks[block]?.[use] ?? 0;
  const pairs = apart.get(block);
  if (pairs === undefined) return all;
  return use === 'both' ? pairs : all - pairs;
}

/** What the pairs have to be so that the rooms take what overflowed: how often each counts, and the least sum. */
function demandOf(
  overflow: Overflow,
  { sources, rooms, blocks }: Contest,
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

/** What each pool has to give, by its name: exact, however large. */
export type Stock = ReadonlyMap<string, Readonly<Record<Family, bigint>>>;

/** New holders, all alike: the families of each, and the pools that they may have them from. */
export interface Newcomers {
  readonly families: readonly Family[];
  readonly pools: readonly string[];
}

/**
 * The most newcomers that can be met beside all that wait, who can be met themselves. What a pool has left when all that
 * wait take theirs from it is the newcomers' in any case; of the rest, meeting.ts says how many.
 */
export function mostNewcomers(
  { families, pools }: Newcomers,
  waiting: readonly Group[],
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
  const seats = pools.map((pool) => ({ pool, uses: families }));
  const free = numbersOf(rest);
  const more = longest(Number(open), (count) => canMeet([...waiting, { seats, count }], free));
  return sure + BigInt(more);
}

/** For {@link canMeet}: a number that is too large to be exact is enough for everybody. */
export function numbersOf(stock: Stock): ReadonlyMap<string, Readonly<Record<Family, number>>> {
  return new Map(
    [...stock].map(([pool, { ipv4, ipv6 }]) => [pool, { ipv4: Number(ipv4), ipv6: Number(ipv6) }]),
  );
}

function least(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

/**
 * The greatest length up to a limit for which something holds. It holds for 0, and for all that are less than one for which it
 * holds. Few lengths are tried, and none that is more than twice as great as the answer and one.
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
