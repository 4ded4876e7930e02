import type { FamilyForecast, UsePoint } from '../model/forecast.ts';
import { element, section, svg } from './dom.ts';
import type { Store } from './store.ts';
import { amountText } from './words.ts';

/** How the use of each pool went in time, and when it is exhausted if that goes on. */
export function forecastView(store: Store): HTMLElement {
  const list = element('ul', { class: 'forecasts' });
  const made = section('forecast', 'Forecast', list);
  const fill = () => {
    const { forecasts = [], day } = store.index.picture;
    list.replaceChildren(...forecasts.map((forecast) => item(forecast, day)));
    made.hidden = forecasts.length === 0;
  };
  fill();
  store.listen((changed) => {
    if (changed === 'picture') fill();
  });
  return made;
}

function item(forecast: FamilyForecast, day: string): HTMLElement {
  const name = `${forecast.pool} ${forecast.family === 'ipv4' ? 'IPv4' : 'IPv6'}`;
  return element(
    'li',
    {},
    element('strong', {}, name),
    element('p', {}, sentence(forecast)),
    ...(forecast.points.length > 1 ? [chart(forecast, day)] : []),
  );
}

function sentence({ outlook, exhausted, growth, reason, window }: FamilyForecast): string {
  const pace = growth === undefined || !window ? '' : ` (${growth} a day since ${window.from})`;
  if (outlook === 'exhausted') return 'Nothing is free now.';
  if (outlook === 'exhausts')
    return `If use grows on like this, nothing is free from ${exhausted ?? ''}${pace}.`;
  const why = reason === undefined ? '' : `: ${reason}`;
  return outlook === 'lasts'
    ? `It lasts${why}${pace}.`
    : `There is too little history to say${why}.`;
}

const size = { width: 360, height: 96, left: 4, right: 4, top: 8, bottom: 18 } as const;

/** The steps of use, held and retained together, up to today. */
function chart(forecast: FamilyForecast, day: string): Element {
  const { points } = forecast;
  const first = dayNumber(points[0]?.day ?? day);
  const last = Math.max(first + 1, dayNumber(day));
  const most = Math.max(1, ...points.map(used));
  const x = (at: string) =>
    rounded(
      size.left +
        ((dayNumber(at) - first) / (last - first)) * (size.width - size.left - size.right),
    );
  const floor = size.height - size.bottom;
  const y = (count: number) => rounded(floor - (count / most) * (floor - size.top));
  const steps = points.map((point) => `H${x(point.day)}V${y(used(point))}`).join('');
  const end = x(day);
  const label = `${forecast.pool}: ${amountText(used(points[0]))} in use on ${points[0]?.day ?? ''}, ${amountText(used(points.at(-1)))} on ${day}, at most ${amountText(most)}`;
  return svg(
    'svg',
    {
      class: 'chart',
      role: 'img',
      'aria-label': label,
      viewBox: `0 0 ${size.width} ${size.height}`,
    },
    svg('path', { class: 'area', d: `M${size.left} ${floor}${steps}H${end}V${floor}Z` }),
    svg('path', { class: 'line', d: `M${size.left} ${y(used(points[0]))}${steps}H${end}` }),
    svg('path', { class: 'axis', d: `M${size.left} ${floor}H${size.width - size.right}` }),
    svg('text', { x: size.left, y: size.height - 4 }, points[0]?.day ?? ''),
    svg('text', { x: size.width - size.right, y: size.height - 4, 'text-anchor': 'end' }, day),
  );
}

function used(point: UsePoint | undefined): number {
  return point ? point.held + point.retained : 0;
}

/** Days since 0000-03-01, by the civil calendar. */
function dayNumber(day: string): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const shifted = month > 2 ? year : year - 1;
  const months = (month + 9) % 12;
  const leaps = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  return shifted * 365 + leaps + Math.floor((months * 153 + 2) / 5) + date;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
