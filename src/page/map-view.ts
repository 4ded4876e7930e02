import { blockText } from './block.ts';
import { button, element, section } from './dom.ts';
import { MapGrid } from './map-grid.ts';
import type { AddressState } from './picture-index.ts';
import { spaceBlocks } from './space-blocks.ts';
import type { Store } from './store.ts';
import { stateWords } from './words.ts';

/** The map of addresses, with what chooses its part; two maps side by side where two states are compared. */
export function mapView(store: Store): HTMLElement {
  const readout = element('p', { class: 'readout' }, hint);
  const tell = (text: string) => readout.replaceChildren(text);
  const { before } = store;
  const grids = [
    ...(before ? [new MapGrid(store, () => before, 'Addresses before', tell)] : []),
    new MapGrid(store, () => store.index, before ? 'Addresses after' : 'Addresses', tell),
  ];
  const chooser = element('select', { id: 'map-block' });
  const trail = element('nav', { 'aria-label': 'Part of the map', class: 'trail' });
  chooser.addEventListener('change', () => choose(store, chooser.value));
  const redraw = () => {
    fillChooser(store, chooser);
    fillTrail(store, trail);
    for (const grid of grids) grid.draw();
  };
  fillChooser(store, chooser);
  fillTrail(store, trail);
  store.listen((changed) => {
    if (changed === 'picture' || changed.trail) redraw();
    else if (changed.selected !== undefined) for (const grid of grids) grid.mark();
  });
  return section(
    'map',
    'Map',
    element(
      'div',
      { class: 'tools' },
      element('label', { for: 'map-block' }, 'Addresses of '),
      chooser,
      trail,
    ),
    element('div', { class: grids.length > 1 ? 'maps two' : 'maps' }, ...grids.map(figure)),
    readout,
    legend(before !== undefined),
  );
}

const hint =
  'Point at a cell, or walk with the arrow keys: Enter goes into a block or selects an address, Escape goes back.';

function figure({ grid }: MapGrid, number: number, all: readonly MapGrid[]): HTMLElement {
  if (all.length === 1) return element('figure', {}, grid);
  const title = number === 0 ? 'Before' : 'After';
  return element('figure', {}, element('figcaption', {}, title), grid);
}

function fillChooser(store: Store, chooser: HTMLSelectElement): void {
  const options = store.index.spaces.flatMap((space) =>
    spaceBlocks(space).map((block) => ({ space, block })),
  );
  const whole = store.view.trail[0];
  const shown = store.spaceIn(store.index);
  chooser.replaceChildren(
    ...options.map(({ space, block }, number) =>
      element(
        'option',
        {
          value: number,
          selected: space === shown && whole !== undefined && blockText(whole) === blockText(block),
        },
        `${space.pool.pool}: ${blockText(block)}`,
      ),
    ),
  );
}

function choose(store: Store, value: string): void {
  const options = store.index.spaces.flatMap((space) =>
    spaceBlocks(space).map((block) => ({ space, block })),
  );
  const chosen = options[Number(value)];
  if (chosen) store.open(chosen.space, chosen.block);
}

function fillTrail(store: Store, trail: HTMLElement): void {
  const { trail: blocks } = store.view;
  trail.replaceChildren(
    ...blocks.map((block, depth) =>
      depth === blocks.length - 1
        ? element('span', { 'aria-current': 'location' }, blockText(block))
        : button(blockText(block), {}, () => store.look({ trail: blocks.slice(0, depth + 1) })),
    ),
  );
}

const legendStates: readonly AddressState[] = ['held', 'retained', 'reserved', 'free', 'outside'];

function legend(isCompared: boolean): HTMLElement {
  const entries = legendStates.map((state) => entry(`${state} l8`, stateWords[state]));
  const changed = isCompared ? [entry('free changed', 'changed')] : [];
  return element(
    'ul',
    { class: 'legend', 'aria-label': 'What the cells mean' },
    ...entries,
    ...changed,
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
