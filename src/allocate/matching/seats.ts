import type { Family } from '../../net/address.ts';

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
