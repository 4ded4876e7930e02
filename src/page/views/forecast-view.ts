import type { FamilyForecast, UsePoint } from '../../features/ask/capacity/forecast-answer.ts';
import { element, section, svg } from '../dom.ts';
import type { Store } from '../store.ts';
import { amountText, countText } from '../words.ts';

/** The use of each pool over time, and the forecast of its exhaustion. */
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
    return `At this growth, no address is free from ${exhausted ?? ''}${pace}.`;
  const why = reason === undefined ? '' : `: ${reason}`;
  return outlook === 'lasts'
    ? `It lasts${why}${pace}.`
    : `There is too little history for a forecast${why}.`;
}

const size = { width: 360, height: 112, left: 4, right: 4, top: 8, bottom: 18 } as const;

/** Fewest days that a chart looks ahead, however short the past is. */
const leastAhead = 30;

/**
 * The forecast: the number of days until exhaustion, or as far as the past reaches, and the use at
 * that time.
 */
interface Ahead {
  readonly days: number;
  readonly count: number;
  /** The capacity, if use reaches it. */
  readonly limit: number | undefined;
  readonly label: string;
}

function aheadOf(forecast: FamilyForecast, today: number, past: number): Ahead | undefined {
  const { growth, exhausted, free, points } = forecast;
  if (growth === undefined) return undefined;
  const now = used(points.at(-1));
  const furthest = Math.max(leastAhead, past);
  const left = exhausted === undefined ? undefined : dayNumber(exhausted) - today;
  if (exhausted !== undefined && left !== undefined && left <= furthest) {
    const limit = now + Number(free);
    return { days: left, count: limit, limit, label: exhausted };
  }
  const count = Math.max(0, now + Number(growth) * furthest);
  return { days: furthest, count, limit: undefined, label: `${furthest} days on` };
}

/** The use, held and retained together, up to today; dashed for the forecast. */
function chart(forecast: FamilyForecast, day: string): Element {
  const { points } = forecast;
  const first = dayNumber(points[0]?.day ?? day);
  const today = Math.max(first + 1, dayNumber(day));
  const ahead = aheadOf(forecast, today, today - first);
  const most = Math.max(1, ahead?.count ?? 0, ...points.map(used));
  const days = today - first + (ahead?.days ?? 0);
  const floor = size.height - size.bottom;
  const right = size.width - size.right;
  const x = (at: number) => rounded(size.left + ((at - first) / days) * (right - size.left));
  const y = (count: number) => rounded(floor - (count / most) * (floor - size.top));
  const steps = points.map((point) => `H${x(dayNumber(point.day))}V${y(used(point))}`).join('');
  const end = x(today);
  const now = y(used(points.at(-1)));
  const text = (at: number, anchor: string, words: string) =>
    svg('text', { x: at, y: size.height - 4, 'text-anchor': anchor }, words);
  return svg(
    'svg',
    {
      class: 'chart',
      role: 'img',
      'aria-label': chartText(forecast, day, ahead),
      viewBox: `0 0 ${size.width} ${size.height}`,
    },
    svg('path', { class: 'area', d: `M${size.left} ${floor}${steps}H${end}V${floor}Z` }),
    svg('path', { class: 'line', d: `M${size.left} ${y(used(points[0]))}${steps}H${end}` }),
    svg('path', {
      class: 'axis',
      d: `M${size.left} ${floor}H${right}M${end} ${size.top}V${floor}`,
    }),
    ...(ahead
      ? [svg('path', { class: 'ahead', d: `M${end} ${now}L${right} ${y(ahead.count)}` })]
      : []),
    ...(ahead?.limit === undefined
      ? []
      : [svg('path', { class: 'limit', d: `M${size.left} ${y(ahead.limit)}H${right}` })]),
    text(size.left, 'start', points[0]?.day ?? ''),
    ...middleText(end, ahead).map((words) => text(end, 'middle', words)),
    text(right, 'end', ahead?.label ?? day),
  );
}

/** `today`, if there is room for it between the ends. */
function middleText(end: number, ahead: Ahead | undefined): readonly string[] {
  return ahead && end > 95 && end < size.width - 95 ? ['today'] : [];
}

function chartText(
  { pool, points }: FamilyForecast,
  day: string,
  ahead: Ahead | undefined,
): string {
  const past = `${pool}: ${amountText(used(points[0]))} in use on ${points[0]?.day ?? ''}, ${amountText(used(points.at(-1)))} on ${day}, at most ${amountText(Math.max(...points.map(used)))}`;
  if (!ahead) return past;
  return `${past}; about ${amountText(Math.round(ahead.count))} in ${countText(ahead.days, 'day', 'days')} at this growth`;
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
