import type { Caution } from './plan-answer.ts';

/** More items than this share one caution. */
const mostSeparate = 5;

/** How many items a shared caution names. */
const mostNamed = 3;

interface Wording<Item> {
  readonly one: (item: Item) => Caution;
  readonly many: (shown: readonly Item[], count: number) => Caution;
}

/** The first three texts and the number of the others: `a, b, c and 4 more`. */
export function firstTexts(texts: readonly string[]): string {
  const rest = texts.length - mostNamed;
  return `${texts.slice(0, mostNamed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** One caution per item, or one for all items when there are more than five. */
export function cautionsFor<Item>(items: readonly Item[], { one, many }: Wording<Item>): Caution[] {
  if (items.length <= mostSeparate) return items.map(one);
  return [many(items.slice(0, mostNamed), items.length)];
}
