import type { Caution } from './plan-answer.ts';

/** More cautions of one kind than this are one caution. */
const mostApart = 5;

/** How many a caution names that stands for many. */
const mostNamed = 3;

interface Wording<Item> {
  readonly one: (item: Item) => Caution;
  readonly many: (shown: readonly Item[], count: number) => Caution;
}

/** A caution for each item, or one for all of them when they are many. */
export function some<Item>(items: readonly Item[], { one, many }: Wording<Item>): Caution[] {
  if (items.length <= mostApart) return items.map(one);
  return [many(items.slice(0, mostNamed), items.length)];
}
