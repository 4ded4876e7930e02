import { type Day, daysBetween } from '../../../core/model/day.ts';
import { type FillLevel, fillLevelOf } from '../../../core/model/pools.ts';
import { fewOf } from '../../../core/model/problem.ts';
import type { FamilyForecast } from '../../../lib/forecast/forecast-answer.ts';
import type { FamilyUsage } from '../../../lib/list/pool-usage-answer.ts';
import type { PicturePool } from '../picture-answer.ts';
import type { PictureIndex } from './picture-index.ts';
import type { Store } from './store.ts';
import { amountText, countText, familyText, percentText } from './words.ts';

/** The levels of a pool, the least urgent first. */
const levels: readonly FillLevel[] = ['ample', 'filling', 'nearly full', 'full'];

/** The addresses left in one family of a pool, and for how long. */
export interface Outlook {
  readonly pool: PicturePool;
  readonly usage: FamilyUsage;
  readonly forecast: FamilyForecast | undefined;
  /** The addresses that may be allocated, in use or not. */
  readonly usable: bigint;
  /** Days until nothing is free, if use grows as it does. */
  readonly days: number | undefined;
  readonly level: FillLevel;
}

/** The outlook of every family of every pool, in the order of the pools. */
export function outlooksOf({ picture }: PictureIndex): readonly Outlook[] {
  return picture.pools.flatMap((pool) =>
    pool.families.map((usage): Outlook => {
      const forecast = picture.forecasts?.find(
        (one) => one.pool === pool.pool && one.family === usage.family,
      );
      const end = forecast?.outlook === 'exhausts' ? forecast.exhausted : undefined;
      const days = end === undefined ? undefined : daysBetween(picture.day as Day, end as Day);
      const usable = BigInt(usage.total) - BigInt(usage.reserved);
      const level = fillLevelOf(usage.percent, days);
      return { pool, usage, forecast, usable, days, level };
    }),
  );
}

/** The state of all pools in one sentence, and how urgent it is. */
export interface Verdict {
  readonly level: FillLevel | 'waits';
  readonly text: string;
}

/**
 * The verdict on a picture: the pool that needs attention first, what is left of it, and the day on
 * which that ends. A pool that gives nothing is left out.
 */
export function verdictOf(index: PictureIndex): Verdict {
  const { picture } = index;
  const { giving, drained } = givingOf(index);
  const [worst] = giving;
  if (picture.pools.length === 0) return { level: 'waits', text: 'No pool is declared' };
  if (!worst) return { level: 'full', text: 'No pool gives out addresses' };
  const waiting = index.waiting();
  const all = drained.length > 0 ? 'Every active pool' : 'Every pool';
  const text = `${drainedText(drained)}${outlookText(worst, all, index.isPast)}${othersText(giving)}`;
  if (index.isPast) return { level: worst.level, text: `On ${picture.day}: ${text}` };
  const isFine = waiting === 0 && picture.problems === 0 && drained.length === 0;
  const known = isFine ? worst.level : atLeastFilling(worst.level);
  if (picture.partial && known === 'ample') return { level: 'waits', text };
  if (picture.stale !== undefined) return { level: 'waits', text: `Last known: ${text}` };
  return { level: known, text };
}

/** The state for the title of a tab, the most urgent first: `2 problems`, `edge IPv4 93 %`, `ips`. */
export function tabState({ index, now, before, plan }: Store): readonly string[] {
  const { day, stale, problems } = index.picture;
  const { giving, drained } = givingOf(index);
  const waiting = index.isPast ? 0 : index.waiting();
  const [worst] = giving;
  return [
    ...(plan ? [plan.verdict] : []),
    ...(before ? ['before and after'] : []),
    ...(index.isPast ? [`on ${day}`] : []),
    ...(stale === undefined ? [] : ['stale']),
    ...(problems === 0 ? [] : [countText(problems, 'problem', 'problems')]),
    ...(waiting === 0 ? [] : [`${amountText(waiting)} waiting`]),
    ...drained.map((zone) => `zone ${zone} draining`).slice(0, 1),
    ...(worst ? [`${familyName(worst)} ${percentText(worst.usage)}`] : []),
    now.picture.repository ?? 'leased addresses',
  ];
}

/** The outlooks of pools that give out addresses, the most urgent first, and the zones that have none of them. */
function givingOf(index: PictureIndex) {
  const outlooks = outlooksOf(index).filter(({ usable }) => usable > 0n);
  const giving = outlooks.filter(({ pool }) => pool.state === 'active').sort(compareUrgency);
  return { giving, drained: drainedZones(outlooks) };
}

function familyName({ pool, usage }: Outlook): string {
  return `${pool.pool} ${familyText(usage.family)}`;
}

/** The zones whose pools are all draining: a new lease in them is refused. */
function drainedZones(all: readonly Outlook[]): readonly string[] {
  const zonesOf = (some: readonly Outlook[]) => new Set(some.map(({ pool }) => pool.zone));
  const giving = zonesOf(all.filter(({ pool }) => pool.state === 'active'));
  return [...zonesOf(all)].filter((zone) => !giving.has(zone));
}

function drainedText(zones: readonly string[]): string {
  if (zones.length === 0) return '';
  const names = fewOf(zones, 2);
  return zones.length === 1
    ? `Zone ${names} gives out no addresses: it is draining. `
    : `Zones ${names} give out no addresses: they are draining. `;
}

/** The most urgent first: by level, then the day, then the share in use. */
function compareUrgency(one: Outlook, other: Outlook): number {
  return (
    levels.indexOf(other.level) - levels.indexOf(one.level) ||
    (one.days ?? Number.MAX_SAFE_INTEGER) - (other.days ?? Number.MAX_SAFE_INTEGER) ||
    other.usage.percent - one.usage.percent
  );
}

function atLeastFilling(level: FillLevel): FillLevel {
  return level === 'ample' ? 'filling' : level;
}

function outlookText(outlook: Outlook, all: string, isPast: boolean): string {
  const { usage, usable, level } = outlook;
  const name = familyName(outlook);
  if (level === 'full') return `${name} is full: 0 of ${amountText(usable)} addresses left`;
  const left = `${amountText(usage.free)} of ${amountText(usable)} addresses left`;
  const when = isPast || !isForeseen(outlook) ? '' : `; ${endText(outlook)}`;
  if (level === 'ample') return `${all} has room. The next to fill is ${name}: ${left}${when}`;
  return `${name}: ${left}${when}`;
}

/** True when the history is long enough to tell when nothing will be free. */
function isForeseen({ forecast, days }: Outlook): boolean {
  return days !== undefined || forecast?.outlook === 'lasts';
}

/** When nothing will be free, as a sentence without a period. */
export function endText(outlook: Outlook): string {
  const { forecast, days } = outlook;
  if (!forecast) return 'no forecast without the history';
  if (!isForeseen(outlook)) return 'no forecast: too little history';
  if (days !== undefined && forecast?.exhausted !== undefined) {
    return `at this growth none from ${forecast.exhausted}, in ${countText(days, 'day', 'days')}`;
  }
  return forecast?.growth !== undefined && Number(forecast.growth) > 0
    ? 'at this growth enough for more than ten years'
    : 'use does not grow';
}

/** `. Also filling: lab IPv4, edge IPv6 and 2 more`. */
function othersText([worst, ...others]: readonly Outlook[]): string {
  const urgent = others.filter(({ level }) => level !== 'ample');
  if (worst?.level === 'ample' || urgent.length === 0) return '';
  const shown = fewOf(urgent.map(familyName), 2);
  return `. Also ${urgent.some(({ level }) => level === 'full') ? 'full or filling' : 'filling'}: ${shown}`;
}
