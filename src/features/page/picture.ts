import { PoolIndex } from '../../core/declarations/pools/pool-index.ts';
import { type Allocation, isHeld } from '../../core/model/allocation.ts';
import type { Day } from '../../core/model/day.ts';
import { holderParts } from '../../core/model/holder.ts';
import type { Hostname } from '../../core/model/hostname.ts';
import { compareText } from '../../core/model/order.ts';
import type { Pool } from '../../core/model/pools.ts';
import { byAddress, formatAddress } from '../../core/net/address.ts';
import { formatRange } from '../../core/net/range.ts';
import type { Forecasts } from '../../lib/forecast/forecast-answer.ts';
import type { Ledger } from '../../lib/history/address-history.ts';
import type { HistoryEvent, HistoryPeriod } from '../../lib/history/address-history-answer.ts';
import { announcedAs } from '../../lib/list/announced.ts';
import { allHostnames, declaredRoute, waitingHostnames } from '../../lib/list/hostnames.ts';
import type { HostnameItem } from '../../lib/list/hostnames-answer.ts';
import { listClaims } from '../../lib/list/list.ts';
import { poolUsages } from '../../lib/list/pool-usage.ts';
import { lastPromisedDay, type WorkspaceSnapshot } from '../../lib/list/workspace-snapshot.ts';
import type {
  Picture,
  PictureCommit,
  PictureHolder,
  PictureHostname,
  PicturePast,
  PicturePeriod,
  PicturePool,
  PictureRecord,
  PictureRevision,
  PictureWaitingHostname,
} from './picture-answer.ts';

/** The parts of a picture that do not come from the snapshot. */
export interface PictureInput {
  readonly repository?: string | undefined;
  readonly revision: PictureRevision;
  readonly day: Day;
  readonly stale?: string;
  readonly past?: PicturePast;
  readonly forecasts?: Forecasts;
  /** True for what is shown first: of a large picture a part. */
  readonly isFirst?: boolean;
}

/** A picture with more records is shown in parts. */
const mostAtOnce = 2000;

/** Returns all that the page shows of a snapshot. */
export function pictureOf(snapshot: WorkspaceSnapshot, input: PictureInput): Picture {
  const records = [...snapshot.table.values()].sort(byAddress);
  const isPart = input.isFirst === true && records.length > mostAtOnce;
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Picture',
    ...(input.repository === undefined ? {} : { repository: input.repository }),
    revision: input.revision,
    day: input.day,
    problems: snapshot.problems.length,
    ...(snapshot.problems.length === 0 ? {} : { firstProblems: firstProblems(snapshot) }),
    ...(input.stale === undefined ? {} : { stale: input.stale }),
    ...(isPart ? { partial: true } : {}),
    pools: picturePools(snapshot, input.day),
    records: records.map(pictureRecord),
    holders: pictureHolders(snapshot, isPart),
    hostnames: isPart ? [] : allHostnames(snapshot).map(pictureHostname),
    waitingHostnames: waitingHostnames(snapshot)
      .map(pictureWaitingHostname)
      .sort((one, other) => compareText(one.hostname, other.hostname)),
    ...(input.past === undefined ? {} : { past: input.past }),
    ...(input.forecasts === undefined ? {} : { forecasts: input.forecasts.items }),
  };
}

/** Pools, and the addresses in use. */
type PoolUse = Pick<WorkspaceSnapshot, 'pools' | 'table'>;

/** The most problems of declarations that the page names. */
const mostProblems = 10;

function firstProblems({ problems }: WorkspaceSnapshot): NonNullable<Picture['firstProblems']> {
  return problems.slice(0, mostProblems).map(({ code, message, at: { file, line } }) => ({
    code,
    message,
    file,
    line,
  }));
}

function picturePools(snapshot: PoolUse, day: Day): readonly PicturePool[] {
  const usages = poolUsages(snapshot, day).items;
  return snapshot.pools.pools.flatMap((pool, index) => {
    const usage = usages[index];
    const { avoidBuggyIPs, retentionDays, strategy, fence, clusters } = pool;
    const rules = { avoidBuggyIPs, retentionDays, strategy, fence, ...(clusters && { clusters }) };
    const reservedRanges = pool.reserved.ranges.map(formatRange);
    return usage ? [{ ...usage, reservedRanges, ...pictureNat(pool), ...rules }] : [];
  });
}

function pictureNat({ nat }: Pool): Pick<PicturePool, 'nat'> {
  const rules = nat.map(({ inside, outside }) => ({
    inside: formatRange(inside),
    outside: formatRange(outside),
  }));
  return rules.length > 0 ? { nat: rules } : {};
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

function pictureHostname({ released, proof: _, ...item }: HostnameItem): PictureHostname {
  return { ...item, ...(released ? { freeFrom: released.freeFrom } : {}) };
}

function pictureWaitingHostname(declared: Hostname): PictureWaitingHostname {
  const { hostname, holder } = declared;
  return { hostname, holder, ...declaredRoute(declared) };
}

/**
 * Returns every declared holder and every holder in the records; as a part those without an address,
 * and those of promises: how many wait is told from the first moment.
 */
function pictureHolders(snapshot: WorkspaceSnapshot, isPart: boolean): readonly PictureHolder[] {
  const { pools, claims, table } = snapshot;
  const names = new Set([...claims.keys(), ...[...table.values()].map(({ holder }) => holder)]);
  const index = new PoolIndex(pools);
  const held = [...table.values()].filter(isHeld);
  const poolOf = new Map(held.map(({ holder, pool }) => [holder, index.named(pool)]));
  const shown = [...names].filter(
    (name) => !isPart || !poolOf.has(name) || snapshot.promises.has(name),
  );
  return shown.sort(compareText).map((holder) => {
    const own = claims.get(holder) ?? [];
    const isOwn = own.some(({ advertisement }) => advertisement !== undefined);
    return {
      holder,
      cluster: clusterText(holder, own),
      ...lastPromisedDay(snapshot, holder),
      ...announcedAs(isOwn ? poolOf.get(holder) : undefined, pools, own),
      claims: listClaims(pools, own),
    };
  });
}

function clusterText(holder: string, claims: readonly { readonly cluster: string }[]): string {
  const own = holderParts(holder).cluster;
  if (own !== undefined) return own;
  return [...new Set(claims.map(({ cluster }) => cluster))].sort(compareText).join(',');
}

/** The approximate size limit of histories in bytes, so that a browser can open the page. */
const mostBytes = 8 * 2 ** 20;

/**
 * Returns the histories of addresses and hostnames, with each commit listed once. When they exceed
 * the size limit, only the newest periods are included, and `left` counts the others.
 */
export function picturePast(
  { histories, hostnameHistories, shallow, poolVersions }: PastLedger,
  most: number = mostBytes,
): PicturePast {
  const shown = newestPeriods([...histories.values(), ...hostnameHistories.values()].flat(), most);
  const commits: PictureCommit[] = [];
  const places = new Map<string, number>();
  const placeOf = (event: HistoryEvent): number => {
    const known = places.get(event.commit);
    if (known !== undefined) return known;
    places.set(event.commit, commits.length);
    return commits.push(pictureCommit(event)) - 1;
  };
  let left = 0;
  const shownOf = (all: readonly HistoryPeriod[]) => {
    const own = all.filter((period) => shown.has(period));
    left += all.length - own.length;
    return own.map((period) => picturePeriod(period, placeOf(period.begun)));
  };
  const addresses = [...histories].flatMap(([address, all]) => {
    const periods = shownOf(all);
    return periods.length === 0 ? [] : [{ address, periods }];
  });
  const hostnames = [...hostnameHistories].flatMap(([hostname, all]) => {
    const periods = shownOf(all);
    return periods.length === 0 ? [] : [{ hostname, periods }];
  });
  const files = pastPools(poolVersions);
  return { shallow, ...(left > 0 ? { left } : {}), commits, addresses, hostnames, ...files };
}

type PastLedger = Pick<Ledger, 'histories' | 'hostnameHistories' | 'shallow' | 'poolVersions'>;

/** Returns the pools of each version of the pool file. Most versions change one pool: equal ones are listed once. */
function pastPools(versions: PastLedger['poolVersions']): Pick<PicturePast, 'pools' | 'poolFiles'> {
  const pools: PicturePool[] = [];
  const places = new Map<string, number>();
  const poolFiles = versions.map(({ at, pools: own }) => {
    const from = at.slice(0, 10) as Day;
    const shown = picturePools({ pools: own, table: new Map() }, from);
    return {
      from,
      pools: shown.map((pool) => {
        const key = JSON.stringify(pool);
        const place = places.get(key) ?? pools.push(pool) - 1;
        places.set(key, place);
        return place;
      }),
    };
  });
  return { pools, poolFiles };
}

/** Returns the newest periods that fit into the size limit. */
function newestPeriods(all: readonly HistoryPeriod[], most: number): ReadonlySet<HistoryPeriod> {
  const newest = all.toSorted((one, other) => compareText(other.begun.at, one.begun.at));
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
