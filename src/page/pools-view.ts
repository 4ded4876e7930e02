import type { FamilyUsage } from '../model/pool-usage.ts';
import { button, element, section } from './dom.ts';
import type { Space } from './picture-index.ts';
import { firstSheet } from './space-blocks.ts';
import type { Store } from './store.ts';
import { amountText } from './words.ts';

/** Each pool as a bar for each family, its numbers beside it. */
export function poolsView(store: Store): HTMLElement {
  const list = element('ul', { class: 'pools' });
  const fill = () => list.replaceChildren(...store.index.spaces.map((space) => row(store, space)));
  fill();
  store.listen((changed) => {
    if (changed === 'picture') fill();
  });
  return section('pools', 'Pools', list);
}

function row(store: Store, space: Space): HTMLElement {
  const { pool, family } = space;
  const usage = pool.families.find((candidate) => candidate.family === family);
  const name = `${pool.pool} ${family === 'ipv4' ? 'IPv4' : 'IPv6'}`;
  const open = button(name, { 'aria-label': `${name}: show on the map` }, () => {
    store.open(space, firstSheet(space));
    document.getElementById('map')?.scrollIntoView({ block: 'start' });
  });
  return element(
    'li',
    {},
    element(
      'div',
      { class: 'poolname' },
      open,
      element('span', { class: 'soft' }, `zone ${pool.zone}`),
      ...(pool.state === 'draining' ? [element('span', { class: 'tag' }, 'draining')] : []),
    ),
    ...(usage ? [bar(usage), element('p', { class: 'numbers' }, ...numbers(usage))] : []),
  );
}

function bar({ held, retained, reserved, free }: FamilyUsage): HTMLElement {
  const parts = Object.entries({ held, retained, reserved, free });
  const shown = parts.filter(([, amount]) => BigInt(amount) > 0n);
  const made = element('div', { class: 'usage', 'aria-hidden': 'true' });
  for (const [state, amount] of shown) {
    const part = element('div', { class: `cell l8 ${state}` });
    part.style.flexGrow = String(Number(amount));
    made.append(part);
  }
  return made;
}

function numbers(usage: FamilyUsage): readonly HTMLElement[] {
  const { held, retained, reserved, free, total, percent } = usage;
  const counts = [
    `${amountText(held)} held`,
    `${amountText(retained)} retained`,
    `${amountText(reserved)} reserved`,
    `${amountText(free)} free`,
    `of ${amountText(total)}`,
  ];
  return [
    element('strong', {}, `${percent}% in use`),
    ...counts.map((text) => element('span', {}, text)),
  ];
}
