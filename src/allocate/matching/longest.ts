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
