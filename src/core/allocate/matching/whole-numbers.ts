/**
 * Finds integers that meet linear inequalities, without fractions: R. E. Gomory's dual method
 * (All-integer integer programming algorithm, 1960). The numbers start at 0. While an inequality is
 * violated, a cut raises them: an inequality that follows from it for integers. They never exceed
 * the lexicographically lowest solution, and each cut raises them, so they reach it, or it turns
 * out that there is none.
 */
export class WholeNumbers {
  readonly #size: number;
  /**
   * A row for each number, then one for the slack of each inequality, which must not be negative. A
   * row has a constant and a factor for each unknown. There are as many unknowns as numbers, all
   * integers that are not negative.
   */
  readonly #rows: bigint[][];

  /** Each number lies between 0 and its maximum. */
  constructor(mosts: readonly number[]) {
    this.#size = mosts.length;
    const row = (constant: bigint, place: number, factor: bigint) => [
      constant,
      ...mosts.map((_, other) => (other === place ? factor : 0n)),
    ];
    this.#rows = [
      ...mosts.map((_, place) => row(0n, place, 1n)),
      ...mosts.map((most, place) => row(BigInt(most), place, -1n)),
    ];
  }

  /** Adds an inequality: the sum of the numbers, each times its factor, is at least this. */
  demand(factors: readonly number[], least: number): void {
    const row = Array.from({ length: this.#size + 1 }, (_, column) =>
      factors.reduce((sum, factor, place) => sum + BigInt(factor) * this.#at(place, column), 0n),
    );
    this.#rows.push(row.map((value, column) => (column === 0 ? value - BigInt(least) : value)));
  }

  /** Returns the lexicographically lowest solution, or undefined when there is none. */
  lowest(): readonly number[] | undefined {
    for (;;) {
      const broken = this.#rows.find(([constant = 0n]) => constant < 0n);
      if (!broken) return this.#rows.slice(0, this.#size).map(([constant]) => Number(constant));
      if (!this.#raise([...broken])) return undefined;
    }
  }

  /** Replaces an unknown by the slack of a cut. Returns false when no unknown can raise the row. */
  #raise(broken: readonly bigint[]): boolean {
    const raising = [...broken.keys()].filter((column) => column > 0 && at(broken, column) > 0n);
    const [first, ...others] = raising;
    if (first === undefined) return false;
    const low = others.reduce((lowest, column) => {
      return this.#sign(column, lowest, 1n) < 0 ? column : lowest;
    }, first);
    const [over, under] = this.#divisor(broken, raising, low);
    const cut = broken.map((value) => ceiling(value * under, over));
    const step = ceiling(-at(broken, 0) * under, over);
    for (const row of this.#rows) {
      const factor = at(row, low);
      if (factor === 0n) continue;
      row.forEach((value, column) => {
        if (column === 0) row[column] = value + factor * step;
        else if (column !== low) row[column] = value - factor * at(cut, column);
      });
    }
    return true;
  }

  /**
   * The divisor of the cut, which is the violated row divided by it and rounded up: the least
   * fraction for which the factor of the lowest unknown is 1 and each column stays
   * lexicographically positive.
   */
  #divisor(
    broken: readonly bigint[],
    raising: readonly number[],
    low: number,
  ): [over: bigint, under: bigint] {
    let [over, under] = [at(broken, low), 1n];
    for (const column of raising) {
      const times = column === low ? 1n : this.#timesIn(column, low);
      if (times === undefined || at(broken, column) * under <= over * times) continue;
      [over, under] = [at(broken, column), times];
    }
    return [over, under];
  }

  /** How often `low` can be subtracted from `high`, which stays positive. Undefined if always. */
  #timesIn(high: number, low: number): bigint | undefined {
    const place = this.#rows.findIndex((row) => at(row, high) !== 0n || at(row, low) !== 0n);
    const each = this.#at(place, low);
    if (each === 0n) return undefined;
    const times = this.#at(place, high) / each;
    return this.#sign(high, low, times) > 0 ? times : times - 1n;
  }

  /** The lexicographic sign of `left` minus `times` times `right`. */
  #sign(left: number, right: number, times: bigint): number {
    for (const row of this.#rows) {
      const difference = at(row, left) - times * at(row, right);
      if (difference !== 0n) return difference > 0n ? 1 : -1;
    }
    return 0;
  }

  #at(place: number, column: number): bigint {
    return at(this.#rows[place] ?? [], column);
  }
}

function at(row: readonly bigint[], column: number): bigint {
  return row[column] ?? 0n;
}

/** The quotient by a positive number, rounded up. */
function ceiling(over: bigint, under: bigint): bigint {
  const whole = over / under;
  return whole * under < over ? whole + 1n : whole;
}
