import { button, element } from '../dom.ts';
import { ownerText } from '../owners.ts';
import type { AddressState, Space } from '../picture-index.ts';
import type { Store } from '../store.ts';
import { amountText, stateWords } from '../words.ts';
import { swatch } from './cell-tip.ts';
import { ownerCounts } from './cells.ts';

/** The facts about the maps that a legend needs. */
interface Shown {
  /** The most addresses in use of a cell. */
  readonly most: number;
  /** The binary logarithm of the number of addresses of a cell. */
  readonly cellBits: number;
}

/** The legend of the maps. */
export interface Legend {
  readonly part: HTMLElement;
  fill(shown: Shown): void;
}

/** The meanings of the cells' colors: states, owners, and how full a block is. */
export function mapLegend(store: Store): Legend {
  const part = element('ul', { class: 'legend', 'aria-label': 'What the cells mean' });
  return {
    part,
    fill({ most, cellBits }) {
      const hasBlocks = cellBits > 0;
      const isOwned = store.view.colors === 'owner';
      const states = statesOf(store.space, isOwned);
      part.replaceChildren(
        ...(isOwned ? owners(store) : []),
        ...states.map(([classes, word]) => entry(classes, word)),
        ...(hasBlocks && !isOwned
          ? [scale(most, cellBits), entry('held mixed sample', 'some retained')]
          : []),
        ...(hasBlocks && isOwned
          ? [entry('owner several c0 p0', 'several owners, in the color of the largest')]
          : []),
        ...(store.changes.size > 0 ? [entry('free changed', 'changed')] : []),
      );
    },
  };
}

function statesOf(space: Space | undefined, isOwned: boolean): readonly [string, string][] {
  const isDraining = space?.pool.state === 'draining';
  const names: readonly AddressState[] = isOwned
    ? ['reserved', 'free', 'outside']
    : ['held', 'retained', 'reserved', 'free', 'outside'];
  return names.map((name) =>
    name === 'free' && isDraining ? ['free drained', 'draining'] : [name, stateWords[name]],
  );
}

/** Most owners of the legend; the list of owners has all. */
const mostOwners = 8;

/** The largest owners of the pool. Pointing at one lights its addresses, a click lists them. */
function owners(store: Store): readonly HTMLElement[] {
  const counts = ownerCounts(store.space?.records ?? []);
  const left = counts.length - mostOwners;
  const items = counts.slice(0, mostOwners).map(([owner, count]) => {
    const act = () => store.look({ list: 'leases', filters: { owner }, query: '', page: 0 });
    const made = button(`${ownerText(owner)} ${amountText(count)}`, { title: owner }, act);
    made.prepend(swatch(owner));
    for (const name of ['pointerenter', 'focus']) {
      made.addEventListener(name, () => store.light(owner));
    }
    for (const name of ['pointerleave', 'blur']) {
      made.addEventListener(name, () => store.light(undefined));
    }
    return element('li', {}, made);
  });
  const all = button(`and ${amountText(left)} more`, {}, () => store.look({ list: 'owners' }));
  return left > 0 ? [...items, element('li', {}, all)] : items;
}

/** The scale of a block's color, from none in use to the most of a cell on this map. */
function scale(most: number, cellBits: number): HTMLElement {
  return element(
    'li',
    { class: 'scale' },
    `in use in each block of ${amountText(1n << BigInt(cellBits))}: 0`,
    element('span', { class: 'ramp', 'aria-hidden': 'true' }),
    amountText(most),
  );
}

function entry(classes: string, word: string): HTMLElement {
  return element(
    'li',
    {},
    element('span', { class: `cell ${classes}`, 'aria-hidden': 'true' }),
    word,
  );
}
