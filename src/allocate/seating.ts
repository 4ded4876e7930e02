/**
 * Which pool gives to which want, where wants of one zone may not have the same pools: a pool may be announced in
 * some clusters only, and an address over several clusters comes from BGP pools only. Wants of one family are a
 * matching, which augmenting paths find (Kuhn's algorithm); those that may take two addresses of a pool are tried
 * one after the other, and a try ends as soon as one family alone can no longer be met.
 */

import type { Family } from '../net/address.ts';
import type { Free } from './returns.ts';

/** One pool that could give a want all it lacks. */
export interface Seat {
  readonly pool: string;
  /** The families that it takes free addresses of: none where all it lacks is kept for it. */
  readonly uses: readonly Family[];
}

/** Tries before a search without end is given up. Each costs one look at all wants. */
const mostTries = 2_000;

/**
 * A pool for every want, given the seats of each, the best first; undefined when there is none for all of them. Who
 * can return to what is kept for it does: that takes nothing from anybody.
 */
export function seating(
  wants: readonly (readonly Seat[])[],
  free: Free,
): readonly string[] | undefined {
  const returning = wants.map((seats) => seats.find(({ uses }) => uses.length === 0)?.pool);
  const open = wants.map((seats, index) => (returning[index] === undefined ? seats : []));
  const found = new Search(open).from(0, free);
  const chosen = returning.map((pool, index) => pool ?? found?.get(index));
  const pools = chosen.filter((pool) => pool !== undefined);
  return pools.length === wants.length ? pools : undefined;
}

/** Pools by the places of the wants. */
type Chosen = ReadonlyMap<number, string>;

/** Tries the seats of those that may take two addresses; what is left is a matching. */
class Search {
  readonly #wants: readonly (readonly Seat[])[];
  readonly #plain: readonly (readonly Seat[])[];
  /** The places of those that are not plain, the one with the fewest seats first. */
  readonly #knotty: readonly number[];
  #tries = 0;

  constructor(wants: readonly (readonly Seat[])[]) {
    this.#wants = wants;
    this.#plain = wants.map((seats) => (isPlain(seats) ? seats : []));
    this.#knotty = [...wants.keys()]
      .filter((index) => !isPlain(this.#seats(index)))
      .sort((left, right) => this.#seats(left).length - this.#seats(right).length);
  }

  from(depth: number, free: Free): Chosen | undefined {
    const index = this.#knotty[depth];
    if (index === undefined) return matchBoth(this.#plain, free);
    for (const { pool, uses } of this.#seats(index)) {
      const left = this.#tries < mostTries ? taken(free, pool, uses) : undefined;
      if (!left) continue;
      this.#tries += 1;
      const found = this.#mayMeet(depth + 1, left) ? this.from(depth + 1, left) : undefined;
      if (found) return new Map(found).set(index, pool);
    }
    return undefined;
  }

  #seats(index: number): readonly Seat[] {
    return this.#wants[index] ?? [];
  }

  #mayMeet(depth: number, free: Free): boolean {
    const later = this.#knotty.slice(depth).map((index) => this.#seats(index));
    return canMeet([...later, ...this.#plain], free);
  }
}

/** True for a want that takes one address of the same family wherever it goes. */
function isPlain(seats: readonly Seat[]): boolean {
  const [first] = seats;
  return seats.every(({ uses }) => uses.length === 1 && uses[0] === first?.uses[0]);
}

/** What is left when a pool gives; undefined when it cannot. */
function taken(free: Free, pool: string, uses: readonly Family[]): Free | undefined {
  const counts = free.get(pool);
  if (!counts || uses.some((family) => counts[family] < 1)) return undefined;
  const left = { ...counts };
  for (const family of uses) left[family] -= 1;
  return new Map(free).set(pool, left);
}

function matchBoth(plain: readonly (readonly Seat[])[], free: Free): Chosen | undefined {
  const found = new Map<number, string>();
  for (const family of ['ipv4', 'ipv6'] as const) {
    const own = plain.map((seats) => (seats[0]?.uses[0] === family ? seats : []));
    const matched = match(own, free, family);
    if (!matched) return undefined;
    for (const [index, pool] of matched) found.set(index, pool);
  }
  return found;
}

/** False when one family alone cannot be met. A want that can do without one is left out of it. */
function canMeet(wants: readonly (readonly Seat[])[], free: Free): boolean {
  return (['ipv4', 'ipv6'] as const).every((family) => {
    const own = wants.map((seats) =>
      seats.every(({ uses }) => uses.includes(family)) ? seats : [],
    );
    return match(own, free, family) !== undefined;
  });
}

/** A pool for every want that has seats, by its place among the wants. */
function match(
  wants: readonly (readonly Seat[])[],
  free: Free,
  family: Family,
): Chosen | undefined {
  const given = new Map<string, Set<number>>();
  const place = (index: number, seen: Set<string>): boolean => {
    const pools = (wants[index] ?? []).map(({ pool }) => pool).filter((pool) => !seen.has(pool));
    const room = pools.find(
      (pool) => (given.get(pool)?.size ?? 0) < (free.get(pool)?.[family] ?? 0),
    );
    if (room !== undefined) return put(given, room, index);
    for (const pool of pools) {
      if (seen.has(pool)) continue;
      seen.add(pool);
      const mover = [...(given.get(pool) ?? [])].find((other) => place(other, seen));
      if (mover === undefined) continue;
      given.get(pool)?.delete(mover);
      return put(given, pool, index);
    }
    return false;
  };
  for (const [index, seats] of wants.entries()) {
    if (seats.length > 0 && !place(index, new Set())) return undefined;
  }
  return new Map([...given].flatMap(([pool, own]) => [...own].map((index) => [index, pool])));
}

function put(given: Map<string, Set<number>>, pool: string, index: number): true {
  const own = given.get(pool);
  if (own) own.add(index);
  else given.set(pool, new Set([index]));
  return true;
}
