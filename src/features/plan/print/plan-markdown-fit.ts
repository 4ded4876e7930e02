/** Lists of a text that may be shown in part, by name. */
export type Counts<Name extends string> = Readonly<Record<Name, number>>;

/** Let a list go down to so many rows. */
export type Step<Name extends string> = readonly [list: Name, floor: number];

/**
 * The most of every list with which a text is short enough: the lists give way in the order of the steps,
 * each no further than it must. Undefined when even the last step is not enough.
 */
export function fitted<Name extends string>(
  all: Counts<Name>,
  steps: readonly Step<Name>[],
  isShort: (counts: Counts<Name>) => boolean,
): Counts<Name> | undefined {
  let counts = all;
  if (isShort(counts)) return counts;
  for (const [list, floor] of steps) {
    if (counts[list] <= floor) continue;
    const lowest = { ...counts, [list]: floor };
    if (isShort(lowest)) return mostRows(counts, list, floor, isShort);
    counts = lowest;
  }
  return undefined;
}

/** The most rows of one list with which it is short enough; `floor` is, and what `counts` has is not. */
function mostRows<Name extends string>(
  counts: Counts<Name>,
  list: Name,
  floor: number,
  isShort: (counts: Counts<Name>) => boolean,
): Counts<Name> {
  let enough = floor;
  let tooMany = counts[list];
  while (tooMany - enough > 1) {
    const middle = Math.floor((enough + tooMany) / 2);
    if (isShort({ ...counts, [list]: middle })) enough = middle;
    else tooMany = middle;
  }
  return { ...counts, [list]: enough };
}
