import { type Allocation, isHeld } from '../../model/allocation.ts';
import type { Day } from '../../model/day.ts';
import { clusterOfHolder } from '../../model/holder-cluster.ts';
import { compareText } from '../../model/order.ts';
import { compareAddresses, formatAddress } from '../../net/address.ts';
import { formatRange } from '../../net/range.ts';
import type { Forecasts } from '../ask/capacity/forecast-answer.ts';
import type { HistoryEvent, HistoryPeriod } from '../ask/history/address-history-answer.ts';
import { listClaims } from '../ask/list.ts';
import { poolUsages } from '../ask/pool-usage.ts';
import type { Known } from '../ask/workspace-snapshot.ts';
import type {
  Picture,
  PictureCommit,
  PictureHolder,
  PicturePast,
  PicturePeriod,
  PicturePool,
  PictureRecord,
  PictureRevision,
} from './picture-answer.ts';

/** What a picture says beside what is known of the tree. */
export interface PictureOf {
  readonly revision: PictureRevision;
  readonly day: Day;
  readonly stale?: string;
  readonly past?: PicturePast;
  readonly forecasts?: Forecasts;
}

/** All that the page shows of a tree. */
export function pictureOf(known: Known, of: PictureOf): Picture {
  const records = [...known.table.values()].sort((left, right) =>
    compareAddresses(left.address, right.address),
  );
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Picture',
    revision: of.revision,
    day: of.day,
    problems: known.problems.length,
    ...(of.stale === undefined ? {} : { stale: of.stale }),
    pools: picturePools(known, of.day),
    records: records.map(pictureRecord),
    holders: pictureHolders(known),
    ...(of.past === undefined ? {} : { past: of.past }),
    ...(of.forecasts === undefined ? {} : { forecasts: of.forecasts.items }),
  };
}

function picturePools(known: Known, day: Day): readonly PicturePool[] {
  const usages = poolUsages(known, day).items;
  return known.pools.pools.flatMap((pool, index) => {
    const usage = usages[index];
    const reservedRanges = pool.reserved.ranges.map(formatRange);
    return usage ? [{ ...usage, reservedRanges, avoidBuggyIPs: pool.avoidBuggyIPs }] : [];
  });
}

function pictureRecord(record: Allocation): PictureRecord {
  const { address, pool, holder, since, released } = record;
  return {
    address: formatAddress(address),
    pool,
    holder,
    state: isHeld(record) ? 'held' : 'released',
    since,
    ...(released ? { freeFrom: released.freeFrom } : {}),
  };
}

/** Every holder with claims, and those that only the records know. */
function pictureHolders({ pools, claims, table }: Known): readonly PictureHolder[] {
  const names = new Set([...claims.keys(), ...[...table.values()].map(({ holder }) => holder)]);
  return [...names].sort(compareText).map((holder) => {
    const own = claims.get(holder) ?? [];
    return { holder, cluster: clusterText(holder, own), claims: listClaims(pools, own) };
  });
}

function clusterText(holder: string, claims: readonly { readonly cluster: string }[]): string {
  const own = clusterOfHolder(holder);
  if (own !== undefined) return own;
  return [...new Set(claims.map(({ cluster }) => cluster))].sort(compareText).join(',');
}

/** Bytes that histories take in a picture, about: a browser has to open the page. */
const mostBytes = 8 * 2 ** 20;

/** What git told of the addresses, each commit said once. Of more than some bytes the newest periods, and how many there are else. */
export function picturePast(
  histories: ReadonlyMap<string, readonly HistoryPeriod[]>,
  shallow: boolean,
  most: number = mostBytes,
): PicturePast {
  const shown = newestPeriods(histories, most);
  const commits: PictureCommit[] = [];
  const places = new Map<string, number>();
  const placeOf = (event: HistoryEvent): number => {
    const known = places.get(event.commit);
    if (known !== undefined) return known;
    places.set(event.commit, commits.length);
    return commits.push(pictureCommit(event)) - 1;
  };
  let left = 0;
  const addresses = [...histories].flatMap(([address, all]) => {
    const own = all.filter((period) => shown.has(period));
    left += all.length - own.length;
    const periods = own.map((period) => picturePeriod(period, placeOf(period.begun)));
    return periods.length === 0 ? [] : [{ address, periods }];
  });
  return { shallow, ...(left > 0 ? { left } : {}), commits, addresses };
}

/** The newest that take no more bytes than asked for. */
function newestPeriods(
  histories: ReadonlyMap<string, readonly HistoryPeriod[]>,
  most: number,
): ReadonlySet<HistoryPeriod> {
  const all = [...histories.values()].flat();
  const newest = all.sort((one, other) => compareText(other.begun.at, one.begun.at));
  const shown = new Set<HistoryPeriod>();
  const commits = new Set<string>();
  let bytes = 0;
  for (const period of newest) {
    const { begun } = period;
    bytes += sizeOf(picturePeriod(period, commits.size));
    if (!commits.has(begun.commit)) bytes += sizeOf(pictureCommit(begun));
    if (bytes > most) break;
    commits.add(begun.commit);
    shown.add(period);
  }
  return shown;
}

function sizeOf(value: object): number {
  return JSON.stringify(value).length + 1;
}

function pictureCommit({ commit, at, author, subject, request }: HistoryEvent): PictureCommit {
  return { commit, at, author, subject, ...(request ? { request } : {}) };
}

function picturePeriod(period: HistoryPeriod, by: number): PicturePeriod {
  const { state, holder, freeFrom, begun } = period;
  return {
    state,
    ...(holder === undefined ? {} : { holder }),
    ...(freeFrom === undefined ? {} : { freeFrom }),
    event: begun.event,
    by,
  };
}
