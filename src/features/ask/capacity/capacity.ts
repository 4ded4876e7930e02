import { canMeet } from '../../../allocate/matching/meeting.ts';
import {
  mostNewcomers,
  type Newcomers,
  numbersOf,
  type Stock,
} from '../../../allocate/matching/newcomers.ts';
import { type Group, groupsOf } from '../../../allocate/matching/seats.ts';
import { ownerOf, quotaOf, usageByOwner } from '../../../allocate/quotas.ts';
import { type Supplies, suppliesOf } from '../../../allocate/supply.ts';
import { PoolIndex } from '../../../declarations/pools/pool-index.ts';
import type { Day } from '../../../model/day.ts';
import { familiesOf, isOpenIn, type Pool, type Pools } from '../../../model/pools.ts';
import { compareAddresses, type Family, formatAddress } from '../../../net/address.ts';
import type { Known } from '../workspace-snapshot.ts';
import {
  type Capacity,
  type CapacityRef,
  capacityFamilies,
  type ZoneCapacity,
} from './capacity-answer.ts';
import type { Pending, PendingRef } from './pending.ts';
import {
  type BranchTake,
  branchTakes,
  type WaitingTake,
  waitingTakes,
  withoutGiven,
} from './pending-demand.ts';

/** What is asked for; what is left out is asked of all. Clusters and zones are declared ones. */
export interface CapacityQuestion {
  readonly day: Day;
  readonly cluster?: string | undefined;
  /** None for all that have a pool in the cluster. */
  readonly zones?: readonly string[] | undefined;
  readonly family?: ZoneCapacity['family'] | undefined;
  /** An Akash account, or `<cluster>/<namespace>` of Services: its quota limits every count. */
  readonly owner?: string | undefined;
  /** What tree is counted; undefined for one of no commit. */
  readonly state?: CountedState | undefined;
}

/** A tree by its commit. */
export interface CountedState {
  /** Full object name; undefined without one. */
  readonly commit: string | undefined;
  /** True when it has changes that are not committed. */
  readonly isUncommitted: boolean;
}

/** When nobody asked for open branches. */
export const nothingPending: Pending = { refs: [], skipped: [], leftOut: 0, isComplete: true };

/**
 * How many addresses may still be promised on a day: what is free in active pools, without what open branches
 * and holders that wait for an address will take, and no more than the quota of the owner leaves. A pool that several
 * clusters announce counts in each of them.
 */
export function capacityOf(known: Known, question: CapacityQuestion, pending: Pending): Capacity {
  const { pools, table } = known;
  const { day, owner } = question;
  const supplies = suppliesOf(new PoolIndex(pools), table, day);
  const byRef = branchTakes(known, pending.refs, day);
  const taken = [...byRef.values()].flat();
  const waiting = withoutGiven(waitingTakes(known, supplies, day), taken);
  const free = freeIn(supplies);
  const left = withoutTaken(pools, free, taken);
  const queues = queuesOf(waiting, left);
  const limit = owner === undefined ? {} : limitOf(known, { owner, taken, waiting }, day);
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Capacity',
    day,
    ...stateFields(question.state),
    ...limit,
    items: rowsOf(pools, question).map((row) =>
      countRow(row, { free, left, queue: queues.get(row.zone) }, limit.left),
    ),
    pending: pending.refs.flatMap((ref) => pendingRow(ref, byRef.get(ref.ref) ?? [])),
    waiting: waiting.map(({ holder }) => holder),
    skipped: pending.skipped,
    leftOut: pending.leftOut,
    complete: pending.isComplete,
  };
}

function stateFields(state: CountedState | undefined): Pick<Capacity, 'commit' | 'uncommitted'> {
  const { commit, isUncommitted = true } = state ?? {};
  return { ...(commit === undefined ? {} : { commit }), uncommitted: isUncommitted };
}

interface Coming {
  readonly owner: string;
  readonly taken: readonly BranchTake[];
  readonly waiting: readonly WaitingTake[];
}

function limitOf(
  { pools, table }: Known,
  { owner, taken, waiting }: Coming,
  day: Day,
): Pick<Capacity, 'owner' | 'quota' | 'left'> {
  const quota = quotaOf(pools.quotas, owner);
  if (quota === undefined) return { owner };
  const { held, kept } = usageByOwner(table, day).get(owner) ?? { held: 0, kept: 0 };
  const isTheirs = ({ holder }: { readonly holder: string | undefined }) =>
    holder !== undefined && ownerOf(holder) === owner;
  // What is kept for a holder counts as kept already.
  const most = ({ families, seats }: WaitingTake) =>
    seats.length === 0 ? families.length : Math.max(...seats.map(({ uses }) => uses.length));
  const coming = waiting.filter(isTheirs).reduce((sum, take) => sum + most(take), 0);
  const left = quota - held - kept - coming - taken.filter(isTheirs).length;
  return { owner, quota, left: Math.max(0, left) };
}

function freeIn(supplies: Supplies): Stock {
  return new Map(
    [...supplies].map(([name, { ipv4, ipv6 }]) => {
      const isActive = ipv4.pool.state === 'active';
      return [name, { ipv4: isActive ? ipv4.free : 0n, ipv6: isActive ? ipv6.free : 0n }];
    }),
  );
}

/** What a pool has not any more, another one of its zone has to give: of those with most. */
function withoutTaken({ pools }: Pools, free: Stock, taken: readonly BranchTake[]): Stock {
  const left = new Map(free);
  const zones = new Map(pools.map(({ name, zone }) => [name, zone]));
  for (const { pool, address } of taken) {
    const { family } = address;
    const giver = (left.get(pool)?.[family] ?? 0n) > 0n ? pool : fullest(pool, family);
    const own = left.get(giver);
    if (own && own[family] > 0n) left.set(giver, { ...own, [family]: own[family] - 1n });
  }
  return left;

  function fullest(pool: string, family: Family): string {
    const others = [...left].filter(([name]) => zones.get(name) === zones.get(pool));
    return others.reduce(
      (most, [name, own]) => (own[family] > (left.get(most)?.[family] ?? 0n) ? name : most),
      pool,
    );
  }
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

/** All of a zone that wait. */
interface Queue {
  readonly groups: readonly Group[];
  /** The families that they lack. */
  readonly lacks: ReadonlySet<Family>;
  /** Whether all of them can be met. */
  readonly isMet: boolean;
}

function queuesOf(waiting: readonly WaitingTake[], left: Stock): ReadonlyMap<string, Queue> {
  const zones = [...new Set(waiting.map(({ zone }) => zone))];
  const free = numbersOf(left);
  return new Map(
    zones.map((zone) => {
      const own = waiting.filter((take) => take.zone === zone);
      const groups = groupsOf(own.map(({ seats }) => seats));
      const lacks = new Set(own.flatMap(({ families }) => families));
      return [zone, { groups, lacks, isMet: canMeet(groups, free) }];
    }),
  );
}

/** What is free, what of it open branches leave, and who of the zone waits for some of that. */
interface Shelves {
  readonly free: Stock;
  readonly left: Stock;
  readonly queue: Queue | undefined;
}

function countRow(
  { cluster, zone, family, pools }: Row,
  shelves: Shelves,
  limit: number | undefined,
): ZoneCapacity {
  const names = pools.map(({ name }) => name);
  const families = family === 'dual' ? (['ipv4', 'ipv6'] as const) : [family];
  const newcomers = { families, pools: names };
  const free = mostNewcomers(newcomers, [], shelves.free);
  const left = leftFor(newcomers, shelves);
  const most = limit === undefined ? left : BigInt(Math.floor(limit / families.length));
  return {
    cluster,
    zone,
    family,
    pools: names,
    free: String(free),
    pending: String(free - left),
    promisable: String(left < most ? left : most),
  };
}

/** Where those that wait cannot all be met, nobody gets anything of the families that they lack: synth would refuse them all. */
function leftFor(newcomers: Newcomers, { left, queue }: Shelves): bigint {
  if (!queue) return mostNewcomers(newcomers, [], left);
  if (queue.isMet) return mostNewcomers(newcomers, queue.groups, left);
  const isLacked = newcomers.families.some((family) => queue.lacks.has(family));
  return isLacked ? 0n : mostNewcomers(newcomers, [], left);
}

/** A branch that takes nothing from what is free is left out. */
function pendingRow(
  { ref, commit, day }: PendingRef,
  takes: readonly BranchTake[],
): readonly CapacityRef[] {
  if (takes.length === 0) return [];
  const addresses = takes
    .map(({ address }) => address)
    .sort(compareAddresses)
    .map(formatAddress);
  return [{ ref, commit, day, addresses }];
}
