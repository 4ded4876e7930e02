import type { FamilyUsage } from '../../features/ask/pool-usage-answer.ts';
import type { BothSpaces } from '../comparison.ts';
import { button, element, section } from '../dom.ts';
import { firstSheet } from '../map/blocks.ts';
import type { Space } from '../picture-index.ts';
import type { Store } from '../store.ts';
import { amountText } from '../words.ts';

/** Each pool as one bar per family, with its numbers. */
export function poolsView(store: Store): HTMLElement {
  const list = element('ul', { class: 'pools' });
  const fill = () => {
    const rows = store.both.map((both) => row(store, both));
    const none = element('li', { class: 'soft' }, 'No pool is declared in leases/pools.yaml.');
    list.replaceChildren(...(rows.length === 0 ? [none] : rows));
  };
  fill();
  store.listen((changed) => {
    if (changed === 'picture') fill();
  });
  return section('pools', 'Pools', list);
}

function row(store: Store, { space, was, is }: BothSpaces): HTMLElement {
  const { pool, family } = space;
  const usage = usageOf(is ?? space);
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
      ...tags(store, is, was).map((text) => element('span', { class: 'tag' }, text)),
    ),
    ...(usage
      ? [bar(usage), element('p', { class: 'numbers' }, ...numbers(usage, was && usageOf(was)))]
      : []),
  );
}

/** The tags of a pool. */
function tags({ before }: Store, is: Space | undefined, was: Space | undefined): readonly string[] {
  return [
    ...(is?.pool.state === 'draining' ? ['draining'] : []),
    ...(before && !was ? ['new'] : []),
    ...(before && !is ? ['removed'] : []),
    ...(was && is && was.pool.pool !== is.pool.pool ? [`${was.pool.pool} before`] : []),
  ];
}

function usageOf({ pool, family }: Space): FamilyUsage | undefined {
  return pool.families.find((candidate) => candidate.family === family);
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

function numbers(usage: FamilyUsage, was: FamilyUsage | undefined): readonly HTMLElement[] {
  const before = (name: 'held' | 'retained' | 'reserved' | 'free' | 'total') =>
    was === undefined || String(was[name]) === String(usage[name])
      ? ''
      : ` (before ${amountText(was[name])})`;
  const counts = (['held', 'retained', 'reserved', 'free'] as const)
    .map((name) => ({ name, count: amountText(usage[name]), was: before(name) }))
    .filter(
      ({ name, count, was }) => count !== '0' || was !== '' || name === 'held' || name === 'free',
    )
    .map(({ name, count, was }) => `${count} ${name}${was}`);
  const all = [...counts, `of ${amountText(usage.total)}${before('total')}`];
  return [
    element('strong', {}, `${percentText(usage)} in use`),
    ...all.map((text) => element('span', {}, text)),
  ];
}

function percentText({ percent, held, retained }: FamilyUsage): string {
  return percent === 0 && held + retained > 0 ? 'under 1%' : `${percent}%`;
}
