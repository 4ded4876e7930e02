import type { Family } from '../../net/address.ts';
import type { Source } from './flow.ts';

/** One pool that could give a holder all it lacks. */
export interface Seat {
  readonly pool: string;
  /** The families that it takes free addresses of: none where all it lacks is kept for it. */
  readonly uses: readonly Family[];
}

/** How many addresses each pool has left to give, by its name. A number too large to be exact is enough for everybody. */
export type Free = ReadonlyMap<string, Readonly<Record<Family, number>>>;

/** Holders that are alike: each takes one of the same seats. */
export interface Group {
  readonly seats: readonly Seat[];
  readonly count: number;
}

/** Numbers seats so that those who have the same ones, in whatever order, have one number: their kind. */
export class Kinds {
  readonly #numbers = new Map<string, number>();
  readonly #seats: (readonly Seat[])[] = [];

  of(seats: readonly Seat[]): number {
    const key = seats
      .map(({ pool, uses }) => `${pool} ${uses}`)
      .sort()
      .join();
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const kind = this.#seats.length;
    this.#numbers.set(key, kind);
    this.#seats.push(seats);
    return kind;
  }

  /** As many of each kind as `counts` says at its number. */
  groups(counts: readonly number[]): readonly Group[] {
    return this.#seats.map((seats, kind) => ({ seats, count: counts[kind] ?? 0 }));
  }
}

/** Who has the same seats is one group, however many they are. */
export function groupsOf(holders: readonly (readonly Seat[])[]): readonly Group[] {
  const kinds = new Kinds();
  const counts: number[] = [];
  for (const seats of holders) {
    const kind = kinds.of(seats);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return kinds.groups(counts);
}

/** A part of a block, for those that take the same families of one of its pools. */
export interface Room {
  readonly block: number;
  readonly use: Use;
}

type Use = Family | 'both';

/** What pools have together that serve the same groups in the same way. It makes no difference which one of them gives. */
export interface Block {
  readonly ipv4: number;
  readonly ipv6: number;
  /** How many of them can come both from one pool. */
  readonly both: number;
}

/** The groups that have a choice and are not sure to be met, and the rooms that they may go to. */
export interface Contest {
  readonly sources: readonly Source[];
  readonly rooms: readonly Room[];
  readonly blocks: readonly Block[];
}

/**
 * The part of a question that is open. Holders with one seat take it. A family that a pool has enough of for everybody is not
 * counted. Pools that serve the same groups count as one block. Undefined when a holder with one seat finds it taken.
 */
export function contestOf(groups: readonly Group[], free: Free): Contest | undefined {
  const choosing = groups.filter(({ seats, count }) => count > 0 && seats.length !== 1);
  const left = withoutBound(groups, free);
  if (!left) return undefined;
  const isShort = shortages(choosing, left);
  const needs = choosing
    .map(({ seats, count }) => ({
      count,
      seats: seats.map(({ pool, uses }) => ({
        pool,
        uses: uses.filter((family) => isShort(pool, family)),
      })),
    }))
    .filter(({ seats }) => seats.every(({ uses }) => uses.length > 0));
  return withBlocks(needs, left);
}

/** What is left when all that have one seat have taken it; undefined when a pool has not enough for them. */
function withoutBound(groups: readonly Group[], free: Free): Free | undefined {
  const left = new Map(free);
  for (const { seats, count } of groups) {
    const [seat, ...others] = seats;
    if (!seat || others.length > 0 || count === 0) continue;
    const own = { ...(left.get(seat.pool) ?? nothing) };
    for (const family of seat.uses) own[family] -= count;
    if (own.ipv4 < 0 || own.ipv6 < 0) return undefined;
    left.set(seat.pool, own);
  }
  return left;
}

const nothing = { ipv4: 0, ipv6: 0 };

/** Whether a pool has fewer addresses of a family than there are holders that may take one. */
function shortages(
  groups: readonly Group[],
  free: Free,
): (pool: string, family: Family) => boolean {
  const takers = new Map<string, number>();
  for (const { seats, count } of groups) {
    for (const { pool, uses } of seats) {
      for (const family of uses) {
        const key = `${family} ${pool}`;
        takers.set(key, (takers.get(key) ?? 0) + count);
      }
    }
  }
  return (pool, family) => (free.get(pool)?.[family] ?? 0) < (takers.get(`${family} ${pool}`) ?? 0);
}

function withBlocks(groups: readonly Group[], free: Free): Contest {
  const blockOf = blocksOf(groups);
  const blocks: Block[] = [];
  for (const [pool, block] of blockOf) {
    const { ipv4, ipv6 } = free.get(pool) ?? nothing;
    const own = blocks[block] ?? { ...nothing, both: 0 };
    blocks[block] = {
      ipv4: own.ipv4 + ipv4,
      ipv6: own.ipv6 + ipv6,
      both: own.both + Math.min(ipv4, ipv6),
    };
  }
  const places = new Map<string, number>();
  const rooms: Room[] = [];
  const roomOf = ({ pool, uses }: Seat): number => {
    const room = { block: blockOf.get(pool) ?? 0, use: useOf(uses) };
    const key = `${room.use} ${room.block}`;
    const place = places.get(key) ?? rooms.push(room) - 1;
    places.set(key, place);
    return place;
  };
  const sources = groups.map(({ seats, count }) => ({
    count,
    rooms: [...new Set(seats.map(roomOf))],
  }));
  return { sources, rooms, blocks };
}

/** By the name of a pool the number of its block. */
function blocksOf(groups: readonly Group[]): ReadonlyMap<string, number> {
  const served = new Map<string, string>();
  for (const [place, { seats }] of groups.entries()) {
    for (const { pool, uses } of seats) {
      served.set(pool, `${served.get(pool) ?? ''} ${place} ${useOf(uses)}`);
    }
  }
  const numbers = new Map<string, number>();
  for (const key of served.values()) {
    if (!numbers.has(key)) numbers.set(key, numbers.size);
  }
  return new Map([...served].map(([pool, key]) => [pool, numbers.get(key) ?? 0]));
}

function useOf(uses: readonly Family[]): Use {
  return uses.length === 2 ? 'both' : (uses[0] ?? 'ipv4');
}
