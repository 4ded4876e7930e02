import { createHash } from 'node:crypto';

/** Pseudo-random numbers: the same seed gives the same ones. */
export interface Seeded {
  /** From 0 up to, not including, 1. */
  fraction(): number;
  /** A whole number from 0 up to, not including, `count`. */
  below(count: number): number;
  /** True with this chance. */
  chance(share: number): boolean;
  /** The values in another order. */
  shuffled<Value>(values: Iterable<Value>): Value[];
}

/** The numbers of a seed: SHA-256 of the seed and a counter. */
export function seeded(seed: number): Seeded {
  let count = 0;
  const fraction = (): number => {
    count += 1;
    const digest = createHash('sha256').update(`${seed} ${count}`).digest();
    return digest.readUIntBE(0, 6) / 2 ** 48;
  };
  return {
    fraction,
    below: (limit) => Math.floor(fraction() * limit),
    chance: (share) => fraction() < share,
    shuffled: (values) =>
      [...values]
        .map((value) => ({ value, place: fraction() }))
        .sort((left, right) => left.place - right.place)
        .map(({ value }) => value),
  };
}
