/** A fraction of whole numbers; `under` is above 0. */
export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

/**
 * The growth a day of counts that were taken on days that follow each other: the slope of the line of least squares,
 * exactly. 0 for fewer than two.
 */
export function growthPerDay(counts: readonly number[]): Fraction {
  const length = BigInt(counts.length);
  let days = 0n;
  let squares = 0n;
  let sum = 0n;
  let products = 0n;
  counts.forEach((count, index) => {
    const day = BigInt(index);
    days += day;
    squares += day * day;
    sum += BigInt(count);
    products += day * BigInt(count);
  });
  const under = length * squares - days * days;
  return under === 0n ? { over: 0n, under: 1n } : { over: length * products - days * sum, under };
}

/** A fraction with that many decimals, the last one rounded, halves away from zero; never `-0`. */
export function decimalOf({ over, under }: Fraction, decimals: number): string {
  const scale = 10n ** BigInt(decimals);
  const size = over < 0n ? -over : over;
  const rounded = (2n * size * scale + under) / (2n * under);
  const digits = String(rounded).padStart(decimals + 1, '0');
  const sign = over < 0n && rounded > 0n ? '-' : '';
  const whole = digits.slice(0, digits.length - decimals);
  return `${sign}${whole}.${digits.slice(digits.length - decimals)}`;
}
