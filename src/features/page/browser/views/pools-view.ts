import type { FamilyForecast } from '../../../../lib/forecast/forecast-answer.ts';
import type { FamilyUsage } from '../../../../lib/list/pool-usage-answer.ts';
import type { BothSpaces } from '../comparison.ts';
import { button, element, section } from '../dom.ts';
import { firstSheet } from '../map/blocks.ts';
import { endText, type Outlook, outlooksOf } from '../outlook.ts';
import type { Space } from '../picture-index.ts';
import type { Store } from '../store.ts';
import type { View } from '../view.ts';
import { amountText, announcedText, familyText, percentText } from '../words.ts';
import { chart } from './chart.ts';

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
  const isDraining = pool.state === 'draining';
  const outlook = outlooksOf(store.index).find(
    (one) => one.pool.pool === pool.pool && one.usage.family === family,
  );
  const name = `${pool.pool} ${familyText(family)}`;
  const freePart = (text: string) =>
    isDraining
      ? element('span', {}, text)
      : freeButton(store, text, `pool ${pool.pool}`, { pool: pool.pool });
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
      freeButton(store, `zone ${pool.zone}`, `zone ${pool.zone}`, { zone: pool.zone }),
      ...tags(store, is, was).map((text) => element('span', { class: 'tag' }, text)),
    ),
    ...(usage
      ? [
          bar(usage),
          element('p', { class: 'numbers' }, ...numbers(usage, was && usageOf(was), freePart)),
        ]
      : []),
    ...(store.index.isPast
      ? []
      : forecastLine(outlook, store.now.picture.day, store.both.length <= mostCharts)),
    element('p', { class: 'soft' }, `Announced by ${announcedText(pool.announced)}`),
  );
}

/** A button that lists the free addresses of a pool or of a zone. */
function freeButton(
  store: Store,
  text: string,
  place: string,
  filters: View['filters'],
): HTMLElement {
  return button(text, { 'aria-label': `${text}: list the free addresses of ${place}` }, () => {
    store.look({ list: 'free', filters, query: '', sort: undefined, page: 0 });
    document.getElementById('leases')?.scrollIntoView({ block: 'start' });
  });
}

/** The tags of a pool. */
function tags(store: Store, is: Space | undefined, was: Space | undefined): readonly string[] {
  const { before } = store;
  const shown = is ?? was;
  const changed = before && shown ? store.changedIn(shown) : 0;
  return [
    ...(is?.pool.state === 'draining' ? ['draining'] : []),
    ...(before && !was ? ['new'] : []),
    ...(before && !is ? ['removed'] : []),
    ...(was && is && was.pool.pool !== is.pool.pool ? [`${was.pool.pool} before`] : []),
    ...(changed > 0 ? [`${amountText(changed)} changed`] : []),
  ];
}

function usageOf({ pool, family }: Space): FamilyUsage | undefined {
  return pool.families.find((candidate) => candidate.family === family);
}

/** The usable addresses as one bar: held, retained, free. The numbers beside it add up to them. */
function bar({ held, retained, free, draining = '0' }: FamilyUsage): HTMLElement {
  const parts = Object.entries({ held, retained, free, 'free drained': draining });
  const shown = parts.filter(([, amount]) => BigInt(amount) > 0n);
  const made = element('div', { class: 'usage', 'aria-hidden': 'true' });
  for (const [state, amount] of shown) {
    const part = element('div', { class: `cell ${state}` });
    part.style.flexGrow = String(Number(amount));
    made.append(part);
  }
  return made;
}

function numbers(
  usage: FamilyUsage,
  was: FamilyUsage | undefined,
  freePart: (text: string) => HTMLElement,
): readonly HTMLElement[] {
  const before = (count: (one: FamilyUsage) => bigint) => {
    const old = was === undefined ? count(usage) : count(was);
    return old === count(usage) ? '' : ` (before ${amountText(old)})`;
  };
  const text = (count: (one: FamilyUsage) => bigint, word: string) =>
    `${amountText(count(usage))} ${word}${before(count)}`;
  const part = (name: 'held' | 'retained' | 'reserved') =>
    element(
      'span',
      {},
      text((one) => BigInt(one[name]), name),
    );
  const isUsed = (name: 'retained' | 'reserved') =>
    usage[name] !== '0' || (was?.[name] ?? '0') !== '0';
  const used = `${amountText(usedOf(usage))} of ${amountText(usableOf(usage))} in use${before(usedOf)}`;
  return [
    element('strong', {}, used),
    element('span', {}, percentText(usage)),
    ...(isUsed('retained') ? [part('held'), part('retained')] : []),
    freePart(
      usage.draining === undefined
        ? text((one) => BigInt(one.free), 'free')
        : text((one) => BigInt(one.draining ?? one.free), 'draining'),
    ),
    ...(isUsed('reserved') ? [part('reserved')] : []),
  ];
}

/** The usable addresses in use. */
function usedOf(usage: FamilyUsage): bigint {
  return usableOf(usage) - BigInt(usage.free) - BigInt(usage.draining ?? '0');
}

function usableOf({ total, reserved }: FamilyUsage): bigint {
  return BigInt(total) - BigInt(reserved);
}

/** Most pools whose charts are open at first. */
const mostCharts = 4;

/** How full the pool is when that needs attention, when it is full by the forecast, and the use over time. */
function forecastLine(
  outlook: Outlook | undefined,
  day: string,
  isOpen: boolean,
): readonly HTMLElement[] {
  if (!outlook || outlook.usable === 0n) return [];
  const { level, forecast, pool } = outlook;
  const end = level === 'full' ? [] : [endText(outlook)];
  const text = [...(level === 'ample' ? [] : [level]), ...end].join('; ');
  const urgency = `outlook ${level.replace(' ', '-')}`;
  const isDraining = pool.state === 'draining';
  if (!forecast) return isDraining ? [] : [element('p', { class: urgency }, text)];
  const title = isDraining
    ? element('summary', { class: 'outlook' }, 'use over time')
    : element('summary', { class: urgency }, text);
  const drawn = forecast.points.length > 1 ? [chart(forecast, day)] : [];
  const why = element('p', { class: 'soft' }, sentence(forecast));
  return [element('details', { open: isOpen && drawn.length > 0 }, title, why, ...drawn)];
}

function sentence({ outlook, exhausted, growth, reason, window }: FamilyForecast): string {
  const pace = growth === undefined || !window ? '' : ` (${growth} a day since ${window.from})`;
  if (outlook === 'exhausted') return 'Nothing is free now.';
  if (outlook === 'exhausts')
    return `At this growth, no address is free from ${exhausted ?? ''}${pace}.`;
  const why = reason === undefined ? '' : `: ${reason}`;
  return outlook === 'lasts'
    ? `It lasts${why}${pace}.`
    : `There is too little history for a forecast${why}.`;
}
