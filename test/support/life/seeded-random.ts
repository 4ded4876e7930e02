/** Random choices from a seed. Cheap, because a million steps make many. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A whole number from 0 up to, not including, `count` (mulberry32). */
  below(count: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) % count;
  }

  /** True once in so many times. */
  isOnceIn(count: number): boolean {
    return this.below(count) === 0;
  }

  /** One of some values; undefined of none. */
  of<Value>(values: readonly Value[]): Value | undefined {
    return values[this.below(values.length || 1)];
  }

  /** One of some values, of which there is at least one. */
  one<Value>(...values: readonly [Value, ...Value[]]): Value {
    return values[this.below(values.length)] ?? values[0];
  }
}
