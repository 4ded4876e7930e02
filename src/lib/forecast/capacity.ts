import { type HolderGroup, holderGroups } from '../../core/allocate/matching/contention.ts';
import {
  canSatisfy,
  mostNewcomers,
  type Newcomers,
  numbersOf,
  type Stock,
} from '../../core/allocate/matching/feasibility.ts';
import { quotaOf, usageByOwner } from '../../core/allocate/quotas.ts';
import { type Supplies, suppliesOf } from '../../core/allocate/supply.ts';
import { PoolIndex } from '../../core/declarations/pools/pool-index.ts';
import { ownerOf } from '../../core/model/allocation.ts';
import type { Day } from '../../core/model/day.ts';
import { ipFamilies, requestedFamilies } from '../../core/model/lease.ts';
import { familiesOf, isOpenIn, type Pool, type Pools } from '../../core/model/pools.ts';
import { compareAddresses, type Family, formatAddress } from '../../core/net/address.ts';
import type { WorkspaceSnapshot } from '../list/workspace-snapshot.ts';
import type { Capacity, CapacityRef, ZoneCapacity } from './capacity-answer.ts';
import type { Pending, PendingRef } from './pending.ts';
import {
  type BranchDemand,
  branchDemands,
  remainingDemands,
  type WaitingDemand,
  waitingDemands,
} from './pending-demand.ts';

/** A query for capacity. An undefined field means all. Clusters and zones must be declared. */
export interface CapacityQuery {
  readonly day: Day;
  readonly cluster?: string | undefined;
  /** Empty or undefined for all zones that have a pool in the cluster. */
  readonly zones?: readonly string[] | undefined;
  readonly family?: ZoneCapacity['family'] | undefined;
  /** An Akash account, or `<cluster>/<namespace>` of Services. Its quota limits every count. */
  readonly owner?: string | undefined;
  /** The counted revision; undefined without a commit. */
  readonly state?: CapacityRevision | undefined;
}

/** The commit of a counted tree. */
export interface CapacityRevision {
  /** Full object name; undefined without one. */
  readonly commit: string | undefined;
  /** True when the tree has uncommitted changes. */
  readonly isUncommitted: boolean;
}

/** The result when open branches are not counted. */
export const nothingPending: Pending = { refs: [], skipped: [], leftOut: 0, isComplete: true };

/** The part of a count that depends on the tree and the day only, and takes the time. */
export interface CapacityInput {
  readonly day: Day;
  /** The free addresses of active pools. */
  readonly free: Stock;
  readonly waiting: readonly WaitingDemand[];
}

export function capacityInput(snapshot: WorkspaceSnapshot, day: Day): CapacityInput {
  const supplies = suppliesOf(new PoolIndex(snapshot.pools), { table: snapshot.table, today: day });
  return { day, free: freeIn(supplies), waiting: waitingDemands(snapshot, supplies, day) };
}

/**
 * Counts the addresses that may still be promised on a day: the free addresses of active pools,
 * without those that open branches and waiting holders will take, limited by the quota of the
 * owner. A pool that several clusters announce counts in each of them.
 */
export function capacityOf(
  snapshot: WorkspaceSnapshot,
  query: CapacityQuery,
  pending: Pending,
  input = capacityInput(snapshot, query.day),
): Capacity {
  const { pools } = snapshot;
  const { day, owner } = query;
  const { free } = input;
  const byRef = branchDemands(snapshot, pending.refs, day);
  const taken = [...byRef.values()].flat();
  const waiting = remainingDemands(input.waiting, taken);
  const remaining = withoutTaken(pools, free, taken);
  const queues = queuesOf(waiting, remaining);
  const limit = owner === undefined ? {} : limitOf(snapshot, { owner, taken, waiting }, day);
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Capacity',
    day,
    ...stateFields(query.state),
    ...limit,
    items: rowsOf(pools, query).map((row) =>
      countRow(row, { free, remaining, queue: queues.get(row.zone) }, limit.left),
    ),
    pending: pending.refs.flatMap((ref) => pendingRow(ref, byRef.get(ref.ref) ?? [])),
    waiting: waiting.map(({ holder }) => holder),
    skipped: pending.skipped,
    leftOut: pending.leftOut,
    complete: pending.isComplete,
  };
}

function stateFields(
  state: CapacityRevision | undefined,
): Pick<Capacity, 'commit' | 'uncommitted'> {
  const { commit, isUncommitted = true } = state ?? {};
  return { ...(commit === undefined ? {} : { commit }), uncommitted: isUncommitted };
}

/** Demand that counts against the quota of an owner. */
interface OwnerDemand {
  readonly owner: string;
  readonly taken: readonly BranchDemand[];
  readonly waiting: readonly WaitingDemand[];
}

function limitOf(
  { pools, table }: WorkspaceSnapshot,
  { owner, taken, waiting }: OwnerDemand,
  day: Day,
): Pick<Capacity, 'owner' | 'quota' | 'left'> {
  const quota = quotaOf(pools.quotas, owner);
  if (quota === undefined) return { owner };
  const { held, kept } = usageByOwner(pools, table, day).get(owner) ?? { held: 0, kept: 0 };
  const isOfOwner = ({ holder }: { readonly holder: string | undefined }) =>
    holder !== undefined && ownerOf(holder) === owner;
  // A retained address is already part of `kept`.
  const most = ({ families, seats }: WaitingDemand) =>
    seats.length === 0 ? families.length : Math.max(...seats.map(({ uses }) => uses.length));
  const coming = waiting.filter(isOfOwner).reduce((sum, demand) => sum + most(demand), 0);
  const remaining = quota - held - kept - coming - taken.filter(isOfOwner).length;
  return { owner, quota: String(quota), left: String(Math.max(0, remaining)) };
}

function freeIn(supplies: Supplies): Stock {
  return new Map(
    [...supplies].map(([name, { ipv4, ipv6 }]) => {
      const isActive = ipv4.pool.state === 'active';
      return [name, { ipv4: isActive ? ipv4.free : 0n, ipv6: isActive ? ipv6.free : 0n }];
    }),
  );
}

/**
 * A demand that its pool cannot meet is taken from the pool of the zone with the most free
 * addresses.
 */
function withoutTaken({ pools }: Pools, free: Stock, taken: readonly BranchDemand[]): Stock {
  const remaining = new Map(free);
  const zones = new Map(pools.map(({ name, zone }) => [name, zone]));
  for (const { pool, address } of taken) {
    const { family } = address;
    const source = (remaining.get(pool)?.[family] ?? 0n) > 0n ? pool : fullest(pool, family);
    const own = remaining.get(source);
    if (own && own[family] > 0n) remaining.set(source, { ...own, [family]: own[family] - 1n });
  }
  return remaining;

  function fullest(pool: string, family: Family): string {
    const others = [...remaining].filter(([name]) => zones.get(name) === zones.get(pool));
    return others.reduce(
      (most, [name, own]) => (own[family] > (remaining.get(most)?.[family] ?? 0n) ? name : most),
      pool,
    );
  }
}

/** A row of the answer before it is counted. */
interface Row {
  readonly cluster: string;
  readonly zone: string;
  readonly family: ZoneCapacity['family'];
  /** The active pools of the zone that the cluster announces. */
  readonly pools: readonly Pool[];
}

function rowsOf({ clusters, pools }: Pools, query: CapacityQuery): readonly Row[] {
  const names = query.cluster === undefined ? clusters.map(({ name }) => name) : [query.cluster];
  const zones = [...new Set(pools.map(({ zone }) => zone))];
  const asked = query.zones ?? [];
  return names.flatMap((cluster) =>
    zones
      .filter((zone) => asked.length === 0 || asked.includes(zone))
      .flatMap((zone) => {
        const all = pools.filter((pool) => pool.zone === zone);
        const open = all.filter((pool) => isOpenIn(pool, cluster));
        if (open.length === 0 && asked.length === 0) return [];
        const active = open.filter(({ state }) => state === 'active');
        const families = query.family ? [query.family] : familiesFor(all);
        return families.map((family) => ({ cluster, zone, family, pools: active }));
      }),
  );
}

function familiesFor(pools: readonly Pool[]): readonly ZoneCapacity['family'][] {
  return ipFamilies.filter((family) =>
    pools.some((pool) => {
      const has = familiesOf(pool);
      return family === 'dual' ? has.length === 2 : has.includes(family);
    }),
  );
}

/** The waiting holders of a zone. */
interface Queue {
  readonly groups: readonly HolderGroup[];
  /** The families that they need. */
  readonly needs: ReadonlySet<Family>;
  /** True when all of them can get an address. */
  readonly isMet: boolean;
}

function queuesOf(waiting: readonly WaitingDemand[], remaining: Stock): ReadonlyMap<string, Queue> {
  const zones = [...new Set(waiting.map(({ zone }) => zone))];
  const free = numbersOf(remaining);
  return new Map(
    zones.map((zone) => {
      const own = waiting.filter((demand) => demand.zone === zone);
      const groups = holderGroups(own.map(({ seats }) => seats));
      const needs = new Set(own.flatMap(({ families }) => families));
      return [zone, { groups, needs, isMet: canSatisfy(groups, free) }];
    }),
  );
}

interface RowSupply {
  readonly free: Stock;
  /** The free addresses without those of open branches. */
  readonly remaining: Stock;
  readonly queue: Queue | undefined;
}

function countRow(
  { cluster, zone, family, pools }: Row,
  supply: RowSupply,
  limit: string | undefined,
): ZoneCapacity {
  const names = pools.map(({ name }) => name);
  const families = requestedFamilies(family);
  const newcomers = { families, pools: names };
  const free = mostNewcomers(newcomers, [], supply.free);
  const remaining = remainingFor(newcomers, supply);
  const most = limit === undefined ? remaining : BigInt(limit) / BigInt(families.length);
  return {
    cluster,
    zone,
    family,
    pools: names,
    free: String(free),
    pending: String(free - remaining),
    promisable: String(remaining < most ? remaining : most),
  };
}

/**
 * When the waiting holders cannot all be met, nothing of the families that they need is available:
 * synth would fail for all.
 */
function remainingFor(newcomers: Newcomers, { remaining, queue }: RowSupply): bigint {
  if (!queue) return mostNewcomers(newcomers, [], remaining);
  if (queue.isMet) return mostNewcomers(newcomers, queue.groups, remaining);
  const isNeeded = newcomers.families.some((family) => queue.needs.has(family));
  return isNeeded ? 0n : mostNewcomers(newcomers, [], remaining);
}

/** A branch that takes no free address is omitted. */
function pendingRow(
  { ref, commit, day }: PendingRef,
  demands: readonly BranchDemand[],
): readonly CapacityRef[] {
  if (demands.length === 0) return [];
  const addresses = demands
    .map(({ address }) => address)
    .sort(compareAddresses)
    .map(formatAddress);
  return [{ ref, commit, day, addresses }];
}
