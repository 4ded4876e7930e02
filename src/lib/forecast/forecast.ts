import { occupancyOf } from '../../core/allocate/supply.ts';
import { PoolIndex } from '../../core/declarations/pools/pool-index.ts';
import {
  addDays,
  type Day,
  daysBetween,
  earlierDay,
  laterDay,
  parseDay,
} from '../../core/model/day.ts';
import { sortedEntries } from '../../core/model/order.ts';
import { familiesOf } from '../../core/model/pools.ts';
import { type Family, isAddress, parseAddress } from '../../core/net/address.ts';
import type { Ledger } from '../history/address-history.ts';
import type { HistoryPeriod } from '../history/address-history-answer.ts';
import type { WorkspaceSnapshot } from '../list/workspace-snapshot.ts';
import type { FamilyForecast, Forecasts, UsePoint } from './forecast-answer.ts';

/** The longest window for growth, in days. */
const longestWindow = 90;

/** A forecast needs this many days of history, and this many days with a change. */
const fewestDays = 7;
const fewestChanges = 3;

/**
 * A step of this many addresses and at least 1/4 of all change in the window counts as an import.
 */
const leastJump = 8;
const jumpPart = 4;

/** A pool that lasts longer than this many days has the outlook `lasts`. */
const farthestDays = 3650;

/**
 * Returns the past use of each family of each pool, and the day it is exhausted if growth continues
 * as in the last 90 days, or since the last import-like jump within them (least squares over daily
 * samples). An address counts for the pool that contains it now. Free addresses are counted in the
 * tree. Released addresses count until they are free for any holder.
 */
export function forecastsOf(
  { pools, table }: WorkspaceSnapshot,
  ledger: Ledger,
  day: Day,
): Forecasts {
  const series = seriesOf(ledger, new PoolIndex(pools), day);
  const occupancies = occupancyOf(pools, table, day);
  const items = pools.pools.flatMap((pool) =>
    familiesOf(pool).map((family): FamilyForecast => {
      const free = occupancies.get(pool.name)?.[family].free ?? 0n;
      const points = series.get(`${pool.name} ${family}`) ?? [];
      const named = { pool: pool.name, zone: pool.zone, family, free: String(free), points };
      const isDraining = pool.state === 'draining';
      const context = { free, day, shallow: ledger.shallow, isDraining };
      return { ...named, ...outlookOf(points, context) };
    }),
  );
  const { ref, commit, shallow } = ledger;
  return { apiVersion: 'leasehold.dev/v1', kind: 'Forecasts', day, ref, commit, shallow, items };
}

type Expectation = Pick<FamilyForecast, 'window' | 'growth' | 'outlook' | 'exhausted' | 'reason'>;

interface OutlookContext {
  /** The number of free addresses on the day. */
  readonly free: bigint;
  readonly day: Day;
  /** See {@link Forecasts.shallow}. */
  readonly shallow: boolean;
  /** True for a pool that makes no new allocations. */
  readonly isDraining: boolean;
}

function outlookOf(points: readonly UsePoint[], context: OutlookContext): Expectation {
  const { free, day, shallow } = context;
  if (context.isDraining)
    return { outlook: 'lasts', reason: 'the pool is draining and makes no new allocations' };
  const first = parseDay(points[0]?.day ?? '');
  if (free <= 0n && (first === undefined || shallow)) return { outlook: 'exhausted' };
  if (shallow) return { outlook: 'unknown', reason: shallowReason };
  if (first === undefined) return { outlook: 'unknown', reason: 'nothing was ever allocated' };
  const age = daysBetween(first, day);
  const longest = Math.min(age + 1, longestWindow);
  const all = samplesOf(points, addDays(first, age + 1 - longest), longest);
  const samples = all.slice(lastJump(all));
  const length = samples.length;
  const from = addDays(first, age + 1 - length);
  const window = { from, to: day };
  const changes = points.filter((point) => point.day >= from).length;
  const growth = growthPerDay(samples);
  const isKnown = length >= fewestDays && changes >= fewestChanges;
  const rate = isKnown ? { growth: decimalOf(growth, 3) } : {};
  if (free <= 0n) return { window, ...rate, outlook: 'exhausted' };
  if (isKnown) return { window, ...rate, ...daysLeft(growth, free, day) };
  const jump = length < longest ? ' since a jump in one day' : '';
  return { window, outlook: 'unknown', reason: littleHistory(length, changes, jump) };
}

const shallowReason =
  'the clone lacks older commits, so growth is not known: `git fetch --unshallow`, or fetch-depth: 0 in CI';

/**
 * Returns the index of the last jump of the count, as by an import, or 0. Growth is measured from
 * it.
 */
function lastJump(samples: readonly number[]): number {
  const steps = samples.map((count, index) => Math.abs(count - (samples[index - 1] ?? count)));
  const all = steps.reduce((sum, step) => sum + step, 0);
  return Math.max(
    0,
    steps.findLastIndex((step) => step >= leastJump && step * jumpPart >= all),
  );
}

function littleHistory(length: number, changes: number, since: string): string {
  const history = `${length} ${length === 1 ? 'day' : 'days'} of history with ${changes} ${changes === 1 ? 'change' : 'changes'}${since}`;
  return `${history}; a forecast needs ${fewestDays} days with ${fewestChanges}`;
}

function daysLeft(growth: Fraction, free: bigint, day: Day): Expectation {
  if (growth.over <= 0n) return { outlook: 'lasts', reason: 'use does not grow' };
  const days = (free * growth.under + growth.over - 1n) / growth.over;
  if (days > BigInt(farthestDays)) {
    return { outlook: 'lasts', reason: 'at this growth it lasts for more than ten years' };
  }
  return { outlook: 'exhausts', exhausted: addDays(day, Number(days)) };
}

/** Returns the number of held or retained addresses at the end of each day, starting at `from`. */
function samplesOf(points: readonly UsePoint[], from: Day, length: number): number[] {
  const samples: number[] = [];
  let next = 0;
  let use = 0;
  let day = from;
  for (let count = 0; count < length; count += 1) {
    for (;;) {
      const point = points[next];
      if (point === undefined || point.day > day) break;
      use = Number(point.held) + Number(point.retained);
      next += 1;
    }
    samples.push(use);
    day = addDays(day, 1);
  }
  return samples;
}

interface Change {
  held: number;
  retained: number;
}

/** Returns by `pool family` the counts of each day on which one changed. */
function seriesOf(
  ledger: Ledger,
  index: PoolIndex,
  last: Day,
): ReadonlyMap<string, readonly UsePoint[]> {
  const changes = new Map<string, Map<string, Change>>();
  for (const [text, periods] of ledger.histories) {
    const address = parseAddress(text);
    const pool = isAddress(address) ? index.of(address) : undefined;
    if (!isAddress(address) || !pool) continue;
    const own = changesIn(changes, pool.name, address.family);
    for (const span of spansOf(periods, last)) addSpan(own, span, last);
  }
  return new Map([...changes].map(([key, own]) => [key, pointsOf(own)]));
}

function changesIn(
  changes: Map<string, Map<string, Change>>,
  pool: string,
  family: Family,
): Map<string, Change> {
  const key = `${pool} ${family}`;
  const own = changes.get(key) ?? new Map<string, Change>();
  changes.set(key, own);
  return own;
}

/** The days on which an address was held or retained. `until` is exclusive. */
interface Span {
  readonly state: keyof Change;
  readonly from: Day;
  readonly until: Day;
}

/**
 * Returns the spans of an address by its state at the end of each day. Commit dates may go
 * backwards; a span never starts before the previous one.
 */
function spansOf(periods: readonly HistoryPeriod[], last: Day): readonly Span[] {
  const spans: Span[] = [];
  const afterLast = addDays(last, 1);
  let from: Day | undefined;
  periods.forEach(({ state, from: begun, freeFrom }, index) => {
    from = laterDay(dayOf(begun) ?? afterLast, from);
    const next = periods[index + 1];
    const until = laterDay(from, next ? dayOf(next.from) : afterLast);
    if (state === 'held') spans.push({ state, from, until });
    if (state === 'released') {
      const free = parseDay(freeFrom ?? '') ?? until;
      spans.push({ state: 'retained', from, until: earlierDay(until, free) });
    }
  });
  return spans;
}

function dayOf(time: string): Day | undefined {
  return parseDay(time.slice(0, 10));
}

function addSpan(changes: Map<string, Change>, { state, from, until }: Span, last: Day): void {
  if (until <= from || from > last) return;
  changeOn(changes, from)[state] += 1;
  if (until <= last) changeOn(changes, until)[state] -= 1;
}

function changeOn(changes: Map<string, Change>, day: Day): Change {
  const change = changes.get(day) ?? { held: 0, retained: 0 };
  changes.set(day, change);
  return change;
}

function pointsOf(changes: ReadonlyMap<string, Change>): readonly UsePoint[] {
  let held = 0;
  let retained = 0;
  const points: UsePoint[] = [];
  for (const [day, change] of sortedEntries(changes)) {
    if (change.held === 0 && change.retained === 0) continue;
    held += change.held;
    retained += change.retained;
    points.push({ day, held: String(held), retained: String(retained) });
  }
  return points;
}

/** A fraction of integers. */
export interface Fraction {
  readonly over: bigint;
  /** Greater than 0. */
  readonly under: bigint;
}

/**
 * Returns the growth per day of counts taken on consecutive days: the exact slope of the
 * least-squares line, and 0 for fewer than two counts.
 */
export function growthPerDay(counts: readonly number[]): Fraction {
  const length = BigInt(counts.length);
  let days = 0n;
  let squares = 0n;
  let sum = 0n;
  let products = 0n;
  counts.forEach((count, index) => {
    const day = BigInt(index);
    days += day;
    squares += day * day;
    sum += BigInt(count);
    products += day * BigInt(count);
  });
  const under = length * squares - days * days;
  return under === 0n ? { over: 0n, under: 1n } : { over: length * products - days * sum, under };
}

/** Formats a fraction with a number of decimals, rounding half away from zero; never `-0`. */
export function decimalOf({ over, under }: Fraction, decimals: number): string {
  const scale = 10n ** BigInt(decimals);
  const size = over < 0n ? -over : over;
  const rounded = (2n * size * scale + under) / (2n * under);
  const digits = String(rounded).padStart(decimals + 1, '0');
  const sign = over < 0n && rounded > 0n ? '-' : '';
  const whole = digits.slice(0, digits.length - decimals);
  return `${sign}${whole}.${digits.slice(digits.length - decimals)}`;
}
