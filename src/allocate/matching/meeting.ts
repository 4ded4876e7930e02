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

import { type Overflow, overflowOf } from './overflow.ts';
import { type Block, type Contest, contestOf, type Room } from './rooms.ts';
import type { Free, Group } from './seats.ts';
import { WholeNumbers } from './whole-numbers.ts';

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
