import type { Caution } from './plan-answer.ts';

/** More items than this share one caution. */
const mostSeparate = 5;

/** How many items a shared caution names. */
export const mostNamed = 3;

interface Wording<Item> {
  readonly one: (item: Item) => Caution;
  readonly many: (shown: readonly Item[], count: number) => Caution;
}

/** One caution per item, or one for all items when there are more than five. */
export function cautionsFor<Item>(items: readonly Item[], { one, many }: Wording<Item>): Caution[] {
  if (items.length <= mostSeparate) return items.map(one);
  return [many(items.slice(0, mostNamed), items.length)];
}
