import { button, element, section } from '../dom.ts';
import type { AddressState, Space } from '../picture-index.ts';
import type { Store } from '../store.ts';
import { stateWords } from '../words.ts';
import { type Sheet, sheetText, spaceSheets } from './blocks.ts';
import { MapGrid } from './map-grid.ts';

/** The map with its controls; two maps side by side when two states are compared. */
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
  const key = element('ul', { class: 'legend', 'aria-label': 'What the cells mean' });
  const fill = () => {
    made.hidden = store.spaces.length === 0;
    fillChooser(store, chooser);
    fillTrail(store, trail);
    fillLegend(
      key,
      before !== undefined,
      grids.some(({ hasBlocks }) => hasBlocks),
    );
  };
  const made = section(
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
    key,
  );
  fill();
  store.listen((changed) => {
    if (changed === 'picture' || changed.trail) tell(hint);
    for (const grid of grids) grid.update(changed);
    if (changed === 'picture' || changed.trail) fill();
  });
  return made;
}

const hint =
  'Point at a cell, or walk with the arrow keys: Enter goes into a block or selects an address, Escape goes back.';

function figure({ grid }: MapGrid, number: number, all: readonly MapGrid[]): HTMLElement {
  if (all.length === 1) return element('figure', {}, grid);
  const title = number === 0 ? 'Before' : 'After';
  return element('figure', {}, element('figcaption', {}, title), grid);
}

function fillChooser(store: Store, chooser: HTMLSelectElement): void {
  const { space: shown, trail } = store.view;
  const whole = trail[0] && sheetText(trail[0]);
  chooser.replaceChildren(
    ...choices(store).map(({ space, sheet }, number) => {
      const isShown = space.pool.pool === shown?.pool && space.family === shown.family;
      const family = space.family === 'ipv4' ? 'IPv4' : 'IPv6';
      const text = sheetText(sheet);
      return element(
        'option',
        { value: number, selected: isShown && text === whole },
        `${space.pool.pool}: ${sheet.length > 1 ? `${family}, ` : ''}${text}`,
      );
    }),
  );
}

function choices(store: Store): readonly { readonly space: Space; readonly sheet: Sheet }[] {
  return store.spaces.flatMap((space) => spaceSheets(space).map((sheet) => ({ space, sheet })));
}

function choose(store: Store, value: string): void {
  const chosen = choices(store)[Number(value)];
  if (chosen) store.open(chosen.space, chosen.sheet);
}

function fillTrail(store: Store, trail: HTMLElement): void {
  const { trail: blocks } = store.view;
  trail.hidden = blocks.length < 2;
  trail.replaceChildren(
    ...blocks.map((sheet, depth) =>
      depth === blocks.length - 1
        ? element('span', { 'aria-current': 'location' }, sheetText(sheet))
        : button(sheetText(sheet), {}, () => store.look({ trail: blocks.slice(0, depth + 1) })),
    ),
  );
}

const legendStates: readonly AddressState[] = ['held', 'retained', 'reserved', 'free', 'outside'];

function fillLegend(key: HTMLElement, isCompared: boolean, hasBlocks: boolean): void {
  const blocks = [
    entry('held l4', 'a block, filled as far as it is in use'),
    entry('held mixed l6 h3', 'held below, retained above'),
  ];
  key.replaceChildren(
    ...legendStates.map((state) => entry(`${state} l8`, stateWords[state])),
    ...(hasBlocks ? blocks : []),
    ...(isCompared ? [entry('free changed', 'changed')] : []),
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
