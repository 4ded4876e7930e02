import { addDays, type Day, daysBetween } from '../../../../core/model/day.ts';
import type { FamilyForecast, UsePoint } from '../../../../lib/forecast/forecast-answer.ts';
import { element, svg } from '../dom.ts';
import { tip } from '../tip.ts';
import { amountText, countText } from '../words.ts';

const size = { width: 360, height: 150, left: 56, right: 8, top: 16, bottom: 20 } as const;
const floor = size.height - size.bottom;
const rightEdge = size.width - size.right;

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

function aheadOf(forecast: FamilyForecast, day: Day, past: number): Ahead | undefined {
  const { growth, exhausted, free, points } = forecast;
  if (growth === undefined) return undefined;
  const now = used(points.at(-1));
  const furthest = Math.max(leastAhead, past);
  const left = exhausted === undefined ? undefined : daysBetween(day, exhausted as Day);
  if (exhausted !== undefined && left !== undefined && left <= furthest) {
    const limit = now + Number(free);
    return { days: left, count: limit, limit, label: exhausted };
  }
  const count = Math.max(0, now + Number(growth) * furthest);
  return { days: furthest, count, limit: undefined, label: addDays(day, furthest) };
}

/** The use, held and retained together, up to today; dashed for the forecast. */
export function chart(forecast: FamilyForecast, day: string): Element {
  const { points } = forecast;
  const first = (points[0]?.day ?? day) as Day;
  const past = Math.max(1, daysBetween(first, day as Day));
  const ahead = aheadOf(forecast, day as Day, past);
  const most = topOf(Math.max(1, ahead?.count ?? 0, ...points.map(used)));
  const days = past + (ahead?.days ?? 0);
  const x = (at: number) => rounded(size.left + (at / days) * (rightEdge - size.left));
  const y = (count: number) => rounded(floor - (count / most) * (floor - size.top));
  const dayX = (point: UsePoint) => x(daysBetween(first, point.day as Day));
  const steps = points.map((point) => `H${dayX(point)}V${y(used(point))}`).join('');
  const end = x(past);
  const now = used(points.at(-1));
  const made = svg(
    'svg',
    {
      class: 'chart',
      role: 'img',
      'aria-label': chartText(forecast, day, ahead),
      viewBox: `0 0 ${size.width} ${size.height}`,
    },
    ...[0, most / 2, most].flatMap((count) => tick(count, y(count))),
    svg('path', { class: 'area', d: `M${size.left} ${floor}${steps}H${end}V${floor}Z` }),
    svg('path', { class: 'line', d: `M${size.left} ${y(used(points[0]))}${steps}H${end}` }),
    svg('path', {
      class: 'axis',
      d: `M${size.left} ${floor}H${rightEdge}M${end} ${size.top}V${floor}`,
    }),
    ...(ahead ? aheadParts(ahead, end, y(now), y(ahead.count)) : []),
    svg('circle', { class: 'now', cx: end, cy: y(now), r: 3 }),
    valueLabel(Math.max(size.left + 4, end - 5), y(now) - 6, amountText(now)),
    label(size.left, size.height - 5, 'start', first),
    ...(ahead && end > 130 && end < size.width - 95
      ? [label(end, size.height - 5, 'middle', 'today')]
      : []),
    label(rightEdge, size.height - 5, 'end', ahead?.label ?? day),
  );
  addTip(made, (share) => {
    const at = Math.round(share * days);
    return tipText(forecast, { first, past, at, growth: Number(forecast.growth ?? 0) });
  });
  return made;
}

function aheadParts(ahead: Ahead, end: number, now: number, then: number): readonly Element[] {
  const limit =
    ahead.limit === undefined
      ? []
      : [
          svg('path', { class: 'limit', d: `M${size.left} ${then}H${rightEdge}` }),
          label(size.left + 4, then - 4, 'start', `full: ${amountText(Math.round(ahead.limit))}`),
        ];
  return [svg('path', { class: 'ahead', d: `M${end} ${now}L${rightEdge} ${then}` }), ...limit];
}

/** A line across the chart with its number. */
function tick(count: number, at: number): readonly Element[] {
  return [
    svg('path', { class: 'tick', d: `M${size.left} ${at}H${rightEdge}` }),
    label(size.left - 5, at + 4, 'end', amountText(Math.round(count))),
  ];
}

function label(x: number, y: number, anchor: string, words: string): Element {
  return svg('text', { x, y, 'text-anchor': anchor }, words);
}

/** The label of the use now. */
function valueLabel(x: number, y: number, words: string): Element {
  return svg('text', { x, y, 'text-anchor': 'end', class: 'value' }, words);
}

/** The next round and even number for the top of the axis: 2, 4, 10, 30, 60, 100 and so on. */
function topOf(most: number): number {
  const unit = 10 ** Math.floor(Math.log10(most));
  const tops = [1, 2, 3, 4, 6, 8, 10].map((factor) => factor * unit);
  return tops.find((top) => top >= most && top % 2 === 0) ?? 10 * unit;
}

/** Shows the day and the use under the pointer. */
function addTip(made: Element, textAt: (share: number) => string): void {
  made.addEventListener('pointermove', (event) => {
    if (!(event instanceof PointerEvent)) return;
    const { left, width } = made.getBoundingClientRect();
    const at = ((event.clientX - left) / width) * size.width;
    const share = (at - size.left) / (rightEdge - size.left);
    if (share < 0 || share > 1) tip.hide();
    else tip.show(made, element('span', {}, textAt(share)));
  });
  made.addEventListener('pointerleave', () => tip.hide());
}

interface Moment {
  readonly first: Day;
  readonly past: number;
  /** Days since the first one. */
  readonly at: number;
  readonly growth: number;
}

function tipText({ points }: FamilyForecast, { first, past, at, growth }: Moment): string {
  const day = addDays(first, at);
  if (at > past) {
    const count = Math.max(0, used(points.at(-1)) + growth * (at - past));
    return `${day}: about ${amountText(Math.round(count))} in use, if it goes on like this`;
  }
  const { held, retained } = points.findLast((point) => point.day <= day) ?? {
    held: '0',
    retained: '0',
  };
  return `${day}: ${amountText(held)} held, ${amountText(retained)} retained`;
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
  return point ? Number(point.held) + Number(point.retained) : 0;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
