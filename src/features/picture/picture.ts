import { type Allocation, isHeld } from '../../model/allocation.ts';
import type { Day } from '../../model/day.ts';
import { clusterOfHolder } from '../../model/holder-cluster.ts';
import { compareText } from '../../model/order.ts';
import { compareAddresses, formatAddress } from '../../net/address.ts';
import { formatRange } from '../../net/range.ts';
import type { Forecasts } from '../ask/capacity/forecast-answer.ts';
import type { Known } from '../ask/known.ts';
import { listClaims } from '../ask/list.ts';
import { poolUsages } from '../ask/pool-usage.ts';
import type {
  Picture,
  PictureHolder,
  PicturePast,
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
