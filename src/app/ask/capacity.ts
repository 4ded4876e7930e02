import { occupancyOf } from '../../allocate/occupancy.ts';
import { ownerOf, quotaOf, usageByOwner } from '../../allocate/quotas.ts';
import {
  type Capacity,
  type CapacityRef,
  capacityFamilies,
  type Pending,
  type PendingRef,
  type ZoneCapacity,
} from '../../model/capacity.ts';
import type { Day } from '../../model/day.ts';
import { familiesOf, isOpenIn, type Pool, type Pools } from '../../model/pools.ts';
import { compareAddresses, type Family, formatAddress } from '../../net/address.ts';
import type { Known } from './known.ts';
import { branchTakes, type Take, waitingTakes } from './pending-takes.ts';

/** What is asked for; what is left out is asked of all. Clusters and zones are declared ones. */
export interface CapacityQuestion {
  readonly day: Day;
  readonly cluster?: string | undefined;
  /** None for all that have a pool in the cluster. */
  readonly zones?: readonly string[] | undefined;
  readonly family?: ZoneCapacity['family'] | undefined;
  /** An Akash account, or `<cluster>/<namespace>` of Services: its quota limits every count. */
  readonly owner?: string | undefined;
}

/** When nobody asked for open branches. */
export const nothingPending: Pending = { refs: [], skipped: [] };

/**
 * How many addresses may still be promised on a day: what is free in active pools, without what open branches
 * and holders that wait for an address will take, and no more than the quota of the owner leaves. A pool that several
 * clusters announce counts in each of them.
 */
export function capacityOf(known: Known, question: CapacityQuestion, pending: Pending): Capacity {
  const { pools, table } = known;
  const { day, owner } = question;
  const byRef = branchTakes(known, pending.refs, day);
  const taken = [...byRef.values()].flat();
  const waiting = withoutThose(waitingTakes(known, day), taken);
  const takes = [...taken, ...waiting];
  const stock = stockOf(pools, occupancyOf(pools, table, day), takes);
  const limit = owner === undefined ? {} : limitOf(known, owner, takes, day);
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Capacity',
    day,
    ...limit,
    items: rowsOf(pools, question).map((row) => countRow(row, stock, limit.left)),
    pending: pending.refs.flatMap((ref) => pendingRow(ref, byRef.get(ref.ref) ?? [])),
    waiting: waiting.map(({ holder }) => holder),
    skipped: pending.skipped,
  };
}

/** A holder that a branch gives an address waits no more. */
function withoutThose(waiting: readonly Take[], taken: readonly Take[]): readonly Take[] {
  const given = new Set(
    taken.flatMap(({ holder, families }) => families.map((f) => `${holder} ${f}`)),
  );
  return waiting.flatMap((take) => {
    const families = take.families.filter((family) => !given.has(`${take.holder} ${family}`));
    return families.length === 0 ? [] : [{ ...take, families }];
  });
}

function limitOf(
  { pools, table }: Known,
  owner: string,
  takes: readonly Take[],
  day: Day,
): Pick<Capacity, 'owner' | 'quota' | 'left'> {
  const quota = quotaOf(pools.quotas, owner);
  if (quota === undefined) return { owner };
  const { held, kept } = usageByOwner(table, day).get(owner) ?? { held: 0, kept: 0 };
  const coming = takes
    .filter(({ holder }) => ownerOf(holder) === owner)
    .reduce((sum, { families }) => sum + families.length, 0);
  return { owner, quota, left: Math.max(0, quota - held - kept - coming) };
}

/** What a pool has of a family: free now, and left once all that is pending has taken its share. */
interface Shelf {
  readonly free: bigint;
  left: bigint;
}

type Stock = ReadonlyMap<string, Readonly<Record<Family, Shelf>>>;

function stockOf(
  pools: Pools,
  occupancies: ReturnType<typeof occupancyOf>,
  takes: readonly Take[],
): Stock {
  const shelf = ({ name, state }: Pool, family: Family): Shelf => {
    const free = state === 'active' ? (occupancies.get(name)?.[family].free ?? 0n) : 0n;
    return { free, left: free };
  };
  const stock = new Map(
    pools.pools.map((pool) => [
      pool.name,
      { ipv4: shelf(pool, 'ipv4'), ipv6: shelf(pool, 'ipv6') },
    ]),
  );
  for (const { families, pools: names } of takes) {
    const shelves = names.flatMap((name) => stock.get(name) ?? []);
    const found = shelves.find((own) => families.every((family) => own[family].left > 0n));
    for (const family of families) {
      if (found) found[family].left -= 1n;
    }
  }
  return stock;
}

/** One row before it is counted. */
interface Row {
  readonly cluster: string;
  readonly zone: string;
  readonly family: ZoneCapacity['family'];
  /** Active and announced in the cluster. */
  readonly pools: readonly Pool[];
}

function rowsOf({ clusters, pools }: Pools, question: CapacityQuestion): readonly Row[] {
  const names =
    question.cluster === undefined ? clusters.map(({ name }) => name) : [question.cluster];
  const zones = [...new Set(pools.map(({ zone }) => zone))];
  const asked = question.zones ?? [];
  return names.flatMap((cluster) =>
    zones
      .filter((zone) => asked.length === 0 || asked.includes(zone))
      .flatMap((zone) => {
        const all = pools.filter((pool) => pool.zone === zone);
        const open = all.filter((pool) => isOpenIn(pool, cluster));
        if (open.length === 0 && asked.length === 0) return [];
        const active = open.filter(({ state }) => state === 'active');
        const families = question.family ? [question.family] : familiesFor(all);
        return families.map((family) => ({ cluster, zone, family, pools: active }));
      }),
  );
}

function familiesFor(pools: readonly Pool[]): readonly ZoneCapacity['family'][] {
  return capacityFamilies.filter((family) =>
    pools.some((pool) => {
      const has = familiesOf(pool);
      return family === 'dual' ? has.length === 2 : has.includes(family);
    }),
  );
}

function countRow(
  { cluster, zone, family, pools }: Row,
  stock: Stock,
  limit: number | undefined,
): ZoneCapacity {
  const shelves = pools.flatMap(({ name }) => stock.get(name) ?? []);
  const count = (what: keyof Shelf) =>
    shelves.reduce((sum, { ipv4, ipv6 }) => {
      if (family === 'dual') return sum + least(ipv4[what], ipv6[what]);
      return sum + (family === 'ipv4' ? ipv4 : ipv6)[what];
    }, 0n);
  const free = count('free');
  const left = count('left');
  const most =
    limit === undefined ? left : BigInt(family === 'dual' ? Math.floor(limit / 2) : limit);
  return {
    cluster,
    zone,
    family,
    pools: pools.map(({ name }) => name),
    free: String(free),
    pending: String(free - left),
    promisable: String(least(left, most)),
  };
}

function least(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

/** A branch that takes nothing from what is free is left out. */
function pendingRow(
  { ref, commit, day, adds }: PendingRef,
  takes: readonly Take[],
): readonly CapacityRef[] {
  if (takes.length === 0) return [];
  const takers = new Set(
    takes.flatMap(({ holder, families }) => families.map((f) => `${holder} ${f}`)),
  );
  const addresses = adds
    .filter(({ holder, address }) => takers.has(`${holder} ${address.family}`))
    .map(({ address }) => address)
    .sort(compareAddresses)
    .map(formatAddress);
  return [{ ref, commit, day, addresses }];
}
