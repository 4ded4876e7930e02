/** A place in a square, from its upper left corner. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/**
 * The place of a cell on the Hilbert curve through a square of 2^order cells a side. Numbers that
 * are close lie close together, and each aligned block of 4^n numbers is a square.
 */
export function hilbertPlace(order: number, number: number): Place {
  let x = 0;
  let y = 0;
  let rest = number;
  for (let side = 1; side < 1 << order; side <<= 1) {
    const right = 1 & (rest >> 1);
    const down = 1 & (rest ^ right);
    if (down === 0) {
      if (right === 1) {
        x = side - 1 - x;
        y = side - 1 - y;
      }
      [x, y] = [y, x];
    }
    x += side * right;
    y += side * down;
    rest >>= 2;
  }
  return { x, y };
}
