import { button, element, section } from '../dom.ts';
import type { Space } from '../picture-index.ts';
import { isChanged, type Store } from '../store.ts';
import { amountText, drainingText, familyText } from '../words.ts';
import { type Sheet, sheetText, spaceSheets } from './blocks.ts';
import { mapLegend } from './legend.ts';
import { MapGrid } from './map-grid.ts';
import { timeChoice } from './time-choice.ts';

/** The map with its controls; two maps side by side when two states are compared. */
export function mapView(store: Store): HTMLElement {
  const { before } = store;
  const grids = [
    ...(before ? [new MapGrid(store, () => before, 'Addresses before')] : []),
    new MapGrid(store, () => store.index, before ? 'Addresses after' : 'Addresses'),
  ];
  const chooser = element('select', { id: 'map-block' });
  chooser.addEventListener('change', () => choose(store, chooser.value));
  const trail = element('nav', { 'aria-label': 'Part of the map', class: 'trail' });
  // On paper, where the choice is not.
  const name = element('p', { class: 'map-name' });
  const note = element('p', { class: 'soft' });
  const legend = mapLegend(store);
  const fill = () => {
    made.hidden = store.spaces.length === 0;
    fillChooser(store, chooser);
    fillTrail(store, trail);
    const part = store.view.trail.slice(1).map(sheetText);
    name.textContent = [chooser.selectedOptions[0]?.text ?? '', ...part].join(' › ');
    note.textContent = store.space?.pool.state === 'draining' ? drainingText : '';
    const most = Math.max(0, ...grids.map((grid) => grid.most));
    const cellBits = Math.max(0, ...grids.map((grid) => grid.cellBits));
    if (cellBits > 0) for (const grid of grids) grid.scale(most);
    legend.fill({ most, cellBits });
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
      colorChoice(store),
    ),
    ...(before ? [] : [timeChoice(store)]),
    name,
    note,
    element(
      'div',
      { class: grids.length > 1 ? 'mapbody' : 'mapbody one' },
      element('div', { class: grids.length > 1 ? 'maps two' : 'maps' }, ...grids.map(figure)),
      legend.part,
    ),
    element('p', { class: 'soft hint' }, hint),
  );
  fill();
  store.listen((changed) => {
    for (const grid of grids) grid.update(changed);
    if (isChanged(changed, 'trail', 'colors')) fill();
  });
  return made;
}

const hint =
  'Arrow keys walk over the cells. Enter opens a block or selects an address, Escape goes back.';

function figure({ part }: MapGrid, number: number, all: readonly MapGrid[]): HTMLElement {
  if (all.length === 1) return element('figure', {}, part);
  const title = number === 0 ? 'Before' : 'After';
  return element('figure', {}, element('figcaption', {}, title), part);
}

function fillChooser(store: Store, chooser: HTMLSelectElement): void {
  const { space: shown, trail } = store.view;
  const whole = trail[0] && sheetText(trail[0]);
  chooser.replaceChildren(
    ...choices(store).map(({ space, sheet }, number) => {
      const isShown = space.pool.pool === shown?.pool && space.family === shown.family;
      const text = sheetText(sheet);
      const changed = store.before ? store.changedIn(space) : 0;
      return element(
        'option',
        { value: number, selected: isShown && text === whole },
        `${space.pool.pool}: ${sheet.length > 1 ? `${familyText(space.family)}, ` : ''}${text}${changed > 0 ? ` (${amountText(changed)} changed)` : ''}`,
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

/** The choice between colors for states and for owners. */
function colorChoice(store: Store): HTMLElement {
  const names = ['state', 'owner'] as const;
  const buttons = names.map((colors) => button(`By ${colors}`, {}, () => store.look({ colors })));
  const fill = () =>
    names.forEach((name, index) => {
      buttons[index]?.setAttribute('aria-pressed', String(store.view.colors === name));
    });
  fill();
  store.listen((changed) => {
    if (isChanged(changed, 'colors')) fill();
  });
  return element('div', { class: 'choice', role: 'group', 'aria-label': 'Colors' }, ...buttons);
}
