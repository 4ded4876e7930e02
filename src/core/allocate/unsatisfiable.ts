import { pinFor } from '../declarations/holders.ts';
import {
  type Obstacle,
  obstacle,
  type PoolIndex,
  reservation,
} from '../declarations/pools/pool-index.ts';
import { type Allocation, isHeld } from '../model/allocation.ts';
import { type Holder, purposeText } from '../model/holder.ts';
import { compareText } from '../model/order.ts';
import { familiesOf, type Pool } from '../model/pools.ts';
import { fewOf, type Problem } from '../model/problem.ts';
import { type Family, familyName, formatAddress } from '../net/address.ts';
import { ofFamily, rangeSetOf, setSize, subtract } from '../net/range-set.ts';
import type { HolderStatus } from '../records/held.ts';
import { releasedRecord } from '../records/records.ts';
import { type AddressNeed, decidingPool } from './needs.ts';
import {
  type FamilyOccupancies,
  type FamilyOccupancy,
  occupancyOf,
  type SupplyInput,
  suppliesOf,
} from './supply.ts';

type Refusal = Pick<Problem, 'code' | 'message' | 'hint'>;

/**
 * Returns why a holder can never get what it lacks, however many addresses are free: ZONE_FAMILY,
 * POOL_CLOSED, ADVERTISEMENT_REFUSED or ANYCAST_NOT_BGP. Undefined when some pool could provide it.
 */
export function unsatisfiable(index: PoolIndex, status: HolderStatus): Problem | undefined {
  const { holder, lacks } = status;
  if (lacks.length === 0) return undefined;
  const hasPins = holder.pins.length > 0;
  const families = hasPins ? lacks.filter((family) => !pinFor(holder, family)) : lacks;
  if (families.length === 0) return undefined;
  const decided = decidingPool(index, status);
  const isMet = decided
    ? hasAll(decided, families)
    : index.pools.pools.some((pool) => index.allows(holder, pool) && hasAll(pool, families));
  return isMet ? undefined : { ...refusalOf(index, holder, decided, families), at: holder.at };
}

function refusalOf(
  index: PoolIndex,
  holder: Holder,
  decided: Pool | undefined,
  families: readonly Family[],
): Refusal {
  const wanted = `${purposeText(holder)} wants ${wantedText(families)}`;
  if (decided) {
    const message = `${wanted}, and its other address lies in ${poolText(decided)}`;
    return { code: 'ZONE_FAMILY', message, hint: bothHint };
  }
  const meant = index.pools.pools.filter((pool) => index.isWanted(holder, pool));
  const open = meant.filter((pool) => obstacle(holder, pool) === undefined);
  const closed = meant.filter((pool) => !open.includes(pool) && hasAll(pool, families));
  const between = closed.flatMap((pool) => obstacle(holder, pool) ?? [])[0];
  if (between) return closedRefusal(wanted, between);
  if (open.length === 0) return noPool(index, holder, wanted);
  const where = holder.pool === undefined ? `zone ${index.zoneOf(holder)} has ` : '';
  const both = families.length === 2 && families.every((one) => open.some((p) => hasAll(p, [one])));
  const lack = both ? ': no pool has both' : '';
  const message = `${wanted}, and ${where || 'it can only have one of '}${poolsText(open)}${lack}`;
  return { code: 'ZONE_FAMILY', message, hint: both ? bothHint : familyHint };
}

const familyHint =
  'ask for another ipFamily, name a zone or pool that has this one, or add addresses of it in leases/pools.yaml';

const bothHint =
  'put addresses of both families into one pool of leases/pools.yaml, since both come from one, or ask for one family';

function closedRefusal(wanted: string, { code, reason }: Obstacle): Refusal {
  return { code, message: `${wanted}, and ${reason}`, hint: obstacleHints[code] };
}

const obstacleHints: Readonly<Record<Obstacle['code'], string>> = {
  POOL_CLOSED:
    'name a pool or zone that the cluster announces, or add the cluster to clusters of the pool in leases/pools.yaml',
  ADVERTISEMENT_REFUSED: 'name another advertisement, or a pool or zone that is announced this way',
  ANYCAST_NOT_BGP: 'name a zone or pool with advertise: {bgp: …} in one of the members',
};

/** The zone has no pool that this holder may use. */
function noPool(index: PoolIndex, holder: Holder, wanted: string): Refusal {
  const where = holder.clusters.map((cluster) => `cluster ${cluster}`).join(' and ');
  const message = `${wanted}, and ${where} has no pool in zone ${index.zoneOf(holder)}`;
  return {
    code: 'POOL_CLOSED',
    message,
    hint: 'name a zone or pool that it has, or set defaultZone of the cluster in leases/pools.yaml',
  };
}

function hasAll(pool: Pool, families: readonly Family[]): boolean {
  return families.every((family) => pool.ranges.some(({ from }) => from.family === family));
}

function wantedText(families: readonly Family[]): string {
  const names = families.map(familyName).join(' and ');
  return `an ${names} address`;
}

function poolsText(pools: readonly Pool[]): string {
  return fewOf(pools.map(poolText));
}

/** `pool edge (IPv4 only)`. */
function poolText(pool: Pool): string {
  const own = familiesOf(pool);
  const names = own.map(familyName).join(' and ');
  return `pool ${pool.name} (${names}${own.length === 1 ? ' only' : ''})`;
}

const shownPools = 5;

/** Needs of the same families and the same pools. */
interface Group {
  readonly needs: [AddressNeed, ...AddressNeed[]];
  /** How many unmet needs share a pool with these. */
  holders: number;
}

/** A run that lacks addresses, with the records before it. */
export interface ShortRun extends SupplyInput {
  readonly index: PoolIndex;
  /** Held records that the run would release: a run that fails does not. */
  readonly releasing: readonly Allocation[];
  /** All needs of the run. */
  readonly needs: readonly AddressNeed[];
}

/**
 * Returns a problem for each unmet need: POOL_DRAINING when all its pools are draining, else
 * POOL_EXHAUSTED with the counts of its pools before the run, as `leasehold pools` has them.
 */
export function shortageProblems(unmet: readonly AddressNeed[], run: ShortRun): Problem[] {
  const counts = occupancyOf(run.index.pools, run.table, run.today);
  return groupsOf(unmet).flatMap((group) => {
    const shortage = shortageOf(group, run, counts);
    return group.needs.map(({ holder }) => ({
      code: shortage.code,
      message: `${purposeText(holder)} wants a new ${shortage.reason}`,
      at: holder.at,
      hint: shortage.hint,
    }));
  });
}

/** Many needs can lack addresses of few pools, so the shortage is computed once per group. */
function groupsOf(unmet: readonly AddressNeed[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const need of unmet) {
    const key = [...need.families, ...need.pools.map((pool) => pool.name)].join(' ');
    const group = groups.get(key);
    if (group) group.needs.push(need);
    else groups.set(key, { needs: [need], holders: 0 });
  }
  for (const group of groups.values()) {
    for (const other of groups.values()) {
      if (sharesPools(group.needs[0], other.needs[0])) group.holders += other.needs.length;
    }
  }
  return [...groups.values()];
}

function shortageOf(
  { needs: [need], holders }: Group,
  run: ShortRun,
  counts: ReadonlyMap<string, FamilyOccupancies>,
): Required<Pick<Problem, 'code' | 'hint'>> & { readonly reason: string } {
  const names = need.pools.map((pool) => pool.name);
  const families = need.families.map(familyName).join(' and ');
  if (need.pools.length > 0 && need.pools.every((pool) => pool.state === 'draining')) {
    return {
      code: 'POOL_DRAINING',
      reason: `${families} address, and pool ${names.join(', ')} is draining`,
      hint: 'name another pool or zone, or set state: active in leases/pools.yaml',
    };
  }
  const both = need.families.length === 2 ? 'no pool has both left' : 'none is left';
  const texts = need.pools.slice(0, shownPools).map((pool) => countText(pool, need, run, counts));
  const more = names.length > shownPools ? `; and ${names.length - shownPools} more pools` : '';
  return {
    code: 'POOL_EXHAUSTED',
    reason: `${families} address and ${both} (${holders} ${holders === 1 ? 'holder' : 'holders'} short): ${texts.join('; ')}${more}`,
    hint: ['widen the pool in leases/pools.yaml', ...waysToRoom(need, run, counts)].join(', or '),
  };
}

/** Such as `pool edge has 1 of 16 IPv4 addresses free and 2 needed: 12 held, 1 kept after release, 2 reserved`. */
function countText(
  pool: Pool,
  need: AddressNeed,
  { needs, avoided, ...run }: ShortRun,
  counts: ReadonlyMap<string, FamilyOccupancies>,
): string {
  if (pool.state === 'draining') return `pool ${pool.name} is draining`;
  const texts = need.families.map((family) => {
    const { total, usable, held, retained, free } = counts.get(pool.name)?.[family] ?? none;
    const all = ofFamily(rangeSetOf(pool.ranges), family);
    const moved = avoided ? setSize(all) - setSize(subtract(all, avoided)) : 0n;
    const left =
      moved > 0n ? suppliesOf(run.index, { ...run, avoided }).get(pool.name)?.[family].free : free;
    const needed = needs.filter(
      ({ families, pools, pins }) =>
        pools.includes(pool) &&
        (families.includes(family) || pins.some((address) => address.family === family)),
    ).length;
    const also = moved > 0n ? `, ${moved} in the moved ranges` : '';
    return `${left} of ${total} ${familyName(family)} addresses free and ${needed} needed: ${held} held, ${retained} kept after release, ${total - usable} reserved${also}`;
  });
  return `pool ${pool.name} has ${texts.join(' and ')}`;
}

const none: FamilyOccupancy = {
  total: 0n,
  usable: 0n,
  held: 0,
  retained: 0,
  free: 0n,
  draining: 0n,
};

/** Other ways to get room than a wider pool, in a hint. */
function waysToRoom(
  { pools, families }: AddressNeed,
  { index, table, today, releasing }: ShortRun,
  counts: ReadonlyMap<string, FamilyOccupancies>,
): readonly string[] {
  const active = pools.filter(({ state }) => state === 'active');
  const isWanted = ({ address }: Allocation): boolean => {
    const pool = index.of(address);
    const isOfPool =
      pool !== undefined && active.includes(pool) && families.includes(address.family);
    return isOfPool && reservation(pool, address) === undefined;
  };
  const keys = new Set(releasing.map(({ address }) => formatAddress(address)));
  // A move vacates its addresses in the table, and an ended claim has its record there.
  const ended = [...table].filter(([key, record]) => keys.has(key) && isHeld(record));
  const hasLeases = active.some(({ name }) =>
    families.some((family) => (counts.get(name)?.[family].held ?? 0) > 0),
  );
  const [first] = [...table]
    .flatMap(([key, record]) => {
      const { released } = record;
      const isKept = released && released.freeFrom > today && !keys.has(key);
      return isKept && isWanted(record) ? [released.freeFrom] : [];
    })
    .sort(compareText);
  const [next] = ended
    .flatMap(([, record]) =>
      isWanted(record) ? (releasedRecord(record, today).released?.freeFrom ?? []) : [],
    )
    .sort(compareText);
  return [
    ...(hasLeases && next === undefined ? ['end a lease and wait until its retention ends'] : []),
    ...(first === undefined ? [] : [`wait until ${first}, when a retention ends`]),
    ...(next === undefined
      ? []
      : [`release in a run without new claims, and add them on ${next}, when that is free`]),
  ];
}

function sharesPools(left: AddressNeed, right: AddressNeed): boolean {
  return left.pools.some((pool) => right.pools.includes(pool));
}
