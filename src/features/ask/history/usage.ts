import { ownerOf } from '../../../core/model/allocation.ts';
import { addDays, type Day, daysBetween, earlierDay, laterDay } from '../../../core/model/day.ts';
import { groupBy, sortedEntries } from '../../../core/model/order.ts';
import type { Pools } from '../../../core/model/pools.ts';
import {
  type Address,
  byAddress,
  formatAddress,
  isAddress,
  parseAddress,
} from '../../../core/net/address.ts';
import type { RecordLog } from '../../../lib/history/address-history.ts';
import type { HistoryEvent } from '../../../lib/history/address-history-answer.ts';
import type { RecordedEvent } from '../../../lib/history/history-events.ts';
import { zonesIn } from '../../../lib/list/owner-usage.ts';
import type { Usage, UsageItem } from './usage-answer.ts';

/** The days of a month that have ended. */
export interface UsageSpan {
  /** `YYYY-MM`. */
  readonly month: string;
  /** The first day. */
  readonly from: Day;
  /** The day after the last one; equal to `from` when no day has ended. */
  readonly end: Day;
}

/** The days of a month, `YYYY-MM`, that have ended when `today` begins. */
export function daysOfMonth(month: string, today: Day): UsageSpan {
  const from = `${month}-01` as Day;
  const next = `${addDays(from, 31).slice(0, 7)}-01` as Day;
  return { month, from, end: laterDay(from, earlierDay(next, today)) };
}

/**
 * Counts the address-days of each owner. A day of an address counts for the holder that has it, or
 * for whom it is retained, at the end of the day, UTC, as the branch had it. So it counts once at
 * most. Zones are those of `pools`.
 */
export function usageIn(
  { ref, commit, events }: RecordLog,
  pools: Pools,
  { month, from, end }: UsageSpan,
): Usage {
  const zoneOf = zonesIn(pools);
  const days = [...events].flatMap(([text, own]) => daysIn(text, own, { from, end }));
  const groups = groupBy(days, (one) =>
    [ownerIn(one), zoneOf(one) ?? '', one.address.family].join(' '),
  );
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Usage',
    ref,
    commit,
    month,
    from,
    end,
    items: sortedEntries(groups).map(([, own]) => itemOf(ownerIn(own[0]), zoneOf(own[0]), own)),
  };
}

/** The days for which a holder has an address, or for which it is retained. */
interface HolderDays {
  readonly address: Address;
  readonly holder: string;
  readonly pool: string;
  readonly heldDays: number;
  readonly retainedDays: number;
  /** The commit that began the first of the days. */
  readonly commit: string;
}

/** The days of an address by holder, in the order of their first days. */
function daysIn(
  text: string,
  events: readonly RecordedEvent[],
  span: Pick<UsageSpan, 'from' | 'end'>,
): readonly HolderDays[] {
  const address = parseAddress(text);
  if (!isAddress(address)) return [];
  const byHolder = new Map<string, HolderDays>();
  let began = span.from;
  for (const [index, { event, after }] of events.entries()) {
    // A later commit can have an earlier date.
    began = laterDay(began, dayOf(event));
    const next = events[index + 1]?.event;
    const ended = earlierDay(span.end, next ? laterDay(began, dayOf(next)) : span.end);
    if (typeof after === 'string') continue;
    const { holder, pool, released } = after;
    const last = released ? earlierDay(ended, released.freeFrom) : ended;
    const count = Math.max(0, daysBetween(began, last));
    if (count === 0) continue;
    const before = byHolder.get(holder);
    const { heldDays = 0, retainedDays = 0, commit = event.commit } = before ?? {};
    byHolder.set(holder, {
      ...{ address, holder, pool, commit },
      heldDays: heldDays + (released ? 0 : count),
      retainedDays: retainedDays + (released ? count : 0),
    });
  }
  return [...byHolder.values()];
}

function dayOf({ at }: HistoryEvent): Day {
  return at.slice(0, 10) as Day;
}

/** The owner of a holder; an anycast group is its own. */
function ownerIn({ holder }: HolderDays): string {
  return ownerOf(holder) ?? holder;
}

function itemOf(
  owner: string,
  zone: string | undefined,
  days: readonly [HolderDays, ...HolderDays[]],
): UsageItem {
  const sum = (count: (one: HolderDays) => number) =>
    days.reduce((total, one) => total + count(one), 0);
  return {
    owner,
    ...(zone === undefined ? {} : { zone }),
    family: days[0].address.family,
    heldDays: sum(({ heldDays }) => heldDays),
    retainedDays: sum(({ retainedDays }) => retainedDays),
    addresses: days
      .toSorted(byAddress)
      .map(({ address, holder, heldDays, retainedDays, commit }) => ({
        address: formatAddress(address),
        holder,
        heldDays,
        retainedDays,
        commit,
      })),
  };
}
