import { occupancyOf, percentInUse } from '../../allocate/supply.ts';
import { PoolIndex, reservation } from '../../declarations/pools/pool-index.ts';
import type { Day } from '../../model/day.ts';
import { familiesOf, fillLevelOf, type Pool, type Pools } from '../../model/pools.ts';
import { fewOf } from '../../model/problem.ts';
import { poolsPath } from '../../model/repository-paths.ts';
import { bothFamilies, familyName, formatAddress } from '../../net/address.ts';
import { type AddressRange, formatRange } from '../../net/range.ts';
import { blockEnds, linkLocalOf } from '../../net/special-ranges.ts';
import type { Declared } from '../../tree/declared.ts';
import { planPlace } from './address-changes.ts';
import { mostNamed } from './caution-text.ts';
import { changesSentence, declaredChanges } from './declared-changes.ts';
import type { AddressChange, Caution, Occupancy, PoolTotals } from './plan-answer.ts';

/** The occupancy of each pool before and after, on one day. Pools of the base alone come last. */
export function poolTotals(base: Declared, head: Declared, day: Day): PoolTotals[] {
  const before = totalsOf(base, day);
  const after = totalsOf(head, day);
  const pools = new Map([...poolsOf(head), ...poolsOf(base)].map(({ name, zone }) => [name, zone]));
  return [...pools].flatMap(([pool, zone]) =>
    bothFamilies.flatMap((family) => {
      const was = before.get(`${pool} ${family}`);
      const is = after.get(`${pool} ${family}`);
      if (!was && !is) return [];
      return [{ pool, zone, family, ...(was && { before: was }), ...(is && { after: is }) }];
    }),
  );
}

function poolsOf({ pools }: Declared): readonly Pool[] {
  return pools?.pools ?? [];
}

/** By pool and family; without families that the pool has no addresses of. */
function totalsOf({ pools, table }: Declared, day: Day): ReadonlyMap<string, Occupancy> {
  if (!pools) return new Map();
  const counts = occupancyOf(pools, table, day);
  return new Map(
    pools.pools.flatMap((pool) =>
      familiesOf(pool).flatMap((family) => {
        const found = counts.get(pool.name)?.[family];
        if (!found) return [];
        const { usable, held, retained, free, draining } = found;
        const occupancy = {
          usable: String(usable),
          held: String(held),
          retained: String(retained),
          free: String(free),
          ...(pool.state === 'draining' ? { draining: String(draining) } : {}),
          percent: percentInUse(found),
        };
        return [[`${pool.name} ${family}`, occupancy] as const];
      }),
    ),
  );
}

/** The pools of before that a new cluster announces too, as the file names none of theirs, and what applies it. */
function aboutNewClusters(base: Pools, head: Pools): string[] {
  const known = new Set(base.clusters.map(({ name }) => name));
  const added = head.clusters.map(({ name }) => name).filter((name) => !known.has(name));
  if (added.length === 0) return [];
  const before = new Set(base.pools.map(({ name }) => name));
  const open = head.pools.filter(({ name, clusters }) => before.has(name) && !clusters);
  const names = open.map(({ name }) => name).join(', ');
  const announced = added.map(
    (cluster) =>
      `cluster ${cluster} announces the addresses of pool ${names} too, unless its clusters are named`,
  );
  const applied = `Argo CD or Flux needs new objects for cluster ${added.join(', ')}: \`leasehold gitops\` prints them`;
  return [...(open.length === 0 ? [] : announced), applied];
}

/** Claims on a zone try its pools in the order of the file. */
function reordered(before: readonly Pool[], after: readonly Pool[]): string[] {
  const [was, is] = [shared(before, after), shared(after, before)];
  return was === is ? [] : [`order of the pools ${was} → ${is}`];
}

function shared(pools: readonly Pool[], others: readonly Pool[]): string {
  const names = new Set(others.map(({ name }) => name));
  return pools.flatMap(({ name }) => (names.has(name) ? [name] : [])).join(', ');
}

/** POOL_FILLING for each pool that this change fills further and that is not ample afterwards. */
export function fillingCautions(pools: readonly PoolTotals[], head: Declared): Caution[] {
  return pools.flatMap(({ pool, family, before, after }): Caution[] => {
    if (!after || fillLevelOf(after.percent) === 'ample') return [];
    if (before && inUse(before) >= inUse(after)) return [];
    const at = head.pools?.pools.find(({ name }) => name === pool)?.at;
    return [
      {
        code: 'POOL_FILLING',
        message: `pool ${pool} is ${after.percent} % full: ${after.free} of ${after.usable} ${familyName(family)} addresses are free`,
        ...(at && { at: planPlace('head', at) }),
      },
    ];
  });
}

function inUse({ held, retained }: Occupancy): bigint {
  return BigInt(held) + BigInt(retained);
}

/** One POOLS_CHANGED with all differences of the pool file. */
export function poolFileCautions({ pools: base }: Declared, { pools: head }: Declared): Caution[] {
  if (!base || !head) return [];
  const declared = declaredChanges(base, head);
  const changes = [
    ...declared.map(({ text }) => text),
    ...aboutNewClusters(base, head),
    ...reordered(base.pools, head.pools),
  ];
  if (changes.length === 0) return [];
  const at = { side: 'head', file: poolsPath, line: 1 } as const;
  const effects = presentEffects(declared).map((effect) => `; ${effect}`);
  return [{ code: 'POOLS_CHANGED', message: `${changesSentence(changes)}${effects.join('')}`, at }];
}

/** What changes of the pool file do to leases that are there already. */
function presentEffects(changes: ReturnType<typeof declaredChanges>): readonly string[] {
  const isAny = (list: string, field: RegExp) =>
    changes.some((change) => change.list === list && field.test(change.path ?? ''));
  return [
    ...(isAny('pools', /^nat\b/)
      ? ['nat also changes the public addresses of present leases']
      : []),
    ...(isAny('pools', /^advertise\b/) || isAny('advertisements', /^/)
      ? ['advertise also changes how the addresses of present leases are announced']
      : []),
  ];
}

/**
 * LINK_LOCAL and BLOCK_ENDS for each range that is new in the head. None for the ends of a block
 * that a pool of the base assigned before, as after a split.
 */
export function rangeCautions(base: Declared, head: Declared): Caution[] {
  const known = new Set((base.pools?.pools ?? []).flatMap(({ ranges }) => ranges.map(formatRange)));
  const before = base.pools && new PoolIndex(base.pools);
  return (head.pools?.pools ?? []).flatMap((pool) => {
    const at = planPlace('head', pool.at);
    return pool.ranges
      .filter((range) => !known.has(formatRange(range)))
      .flatMap((range): Caution[] => [
        ...linkLocalCautions(pool, range).map((caution) => ({ ...caution, at })),
        ...blockEndCautions(pool, range, before).map((caution) => ({ ...caution, at })),
      ]);
  });
}

function linkLocalCautions({ name }: Pool, range: AddressRange): Caution[] {
  const block = linkLocalOf(range);
  if (block === undefined) return [];
  const message = `pool ${name} assigns link-local addresses of ${formatRange(block)}, which routers do not forward`;
  return [{ code: 'LINK_LOCAL', message }];
}

/**
 * The ends of a block that a pool assigns. None for BGP alone: an announced block is routed, so its
 * first and last addresses are usable.
 */
export function assignedEnds(
  pool: Pool,
  range: AddressRange,
  before?: PoolIndex,
): readonly string[] {
  if (pool.advertise.every(({ kind }) => kind === 'bgp')) return [];
  return blockEnds(range)
    .filter((address) => !reservation(pool, address) && (!before || before.withheld(address)))
    .map(formatAddress);
}

/** BLOCK_ENDS for a range, without ends that the pools of `before` assign. */
export function blockEndCautions(pool: Pool, range: AddressRange, before?: PoolIndex): Caution[] {
  const given = assignedEnds(pool, range, before);
  if (given.length === 0) return [];
  const addresses = given.join(' and ');
  const message = `pool ${pool.name} assigns ${addresses}, at the ${given.length === 1 ? 'end' : 'ends'} of ${formatRange(range)}`;
  return [{ code: 'BLOCK_ENDS', message }];
}

/** FENCE_CLOSED or FENCE_OPENED for each pool whose fence changes. A new pool was closed before. */
export function fenceCautions(base: Declared, head: Declared): Caution[] {
  const before = new Map((base.pools?.pools ?? []).map(({ name, fence }) => [name, fence]));
  return (head.pools?.pools ?? []).flatMap(({ name, fence, at }): Caution[] => {
    const was = before.get(name) ?? 'closed';
    if (was === fence) return [];
    const place = { at: planPlace('head', at) };
    return fence === 'open'
      ? [{ code: 'FENCE_OPENED', message: `pool ${name} is open to every Service`, ...place }]
      : [
          {
            code: 'FENCE_CLOSED',
            message: `pool ${name} is closed: live Services on it that are not declared lose their addresses`,
            ...place,
          },
        ];
  });
}

/** RETENTION_NONE for each pool with a released address that is free for others at once. */
export function shortCautions(addresses: readonly AddressChange[], head: Declared): Caution[] {
  const atOnce = addresses.filter(({ address, change, before }) => {
    const released = head.table.get(address)?.released;
    const isAtOnce = released !== undefined && released.on === released.freeFrom;
    return change === 'released' && before?.state === 'held' && isAtOnce;
  });
  return [...new Set(atOnce.map(({ pool }) => pool))].map((pool) => {
    const named = atOnce.filter((change) => change.pool === pool).map(({ address }) => address);
    return {
      code: 'RETENTION_NONE',
      message: `pool ${pool} has no retention: anyone can get ${fewOf(named, mostNamed)} on the day of release`,
    };
  });
}
