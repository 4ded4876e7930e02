import { quotaOf, usageByOwner } from '../../allocate/quotas.ts';
import type { Day } from '../../model/day.ts';
import { compareText, groupBy } from '../../model/order.ts';
import type { Policy } from '../../model/policy.ts';
import { familiesOf, isOpenIn, type Pool, type Pools } from '../../model/pools.ts';
import { fewOf, startOf } from '../../model/problem.ts';
import { poolsPath } from '../../model/repository-paths.ts';
import { bothFamilies, type Family, familyName } from '../../net/address.ts';
import type { Declared } from '../../tree/declared.ts';
import { planPlace } from './address-changes.ts';
import { cautionsFor } from './caution-text.ts';
import type { Caution, PoolTotals } from './plan-answer.ts';

/** What new claims can get: addresses of a family of a zone in a cluster, from a pool. */
interface Supply {
  readonly cluster: string;
  readonly zone: string;
  readonly family: Family;
  readonly pool: string;
}

const at = planPlace('head', startOf(poolsPath));

/** Both pool files. */
interface PoolSides {
  readonly base: Pools;
  readonly head: Pools;
}

/**
 * GIVES_NOTHING for each zone, cluster, pool and quota that gave addresses in the base and gives none
 * in the head. A full pool is POOL_FILLING.
 */
export function supplyCautions(
  base: Declared,
  head: Declared,
  { pools: totals, day }: { readonly pools: readonly PoolTotals[]; readonly day: Day },
): Caution[] {
  if (!base.pools || !head.pools) return [];
  const had = suppliesOf(base.pools, totals, 'before');
  const has = suppliesOf(head.pools, totals, 'after');
  const sides = { base: base.pools, head: head.pools };
  const zones = lostZones(had, has, head.pools);
  const messages = [
    ...emptyClusters(sides, had, has),
    ...zones.map((lost) => zoneText(lost, sides, head.policy)),
    ...lostPools(had, has, zones).map((lost) => poolText(lost, sides.head.pools)),
  ];
  return [
    ...messages.map((message): Caution => ({ code: 'GIVES_NOTHING', message, at })),
    ...quotaCautions(base.pools, head, day),
  ];
}

function suppliesOf(
  { clusters, pools }: Pools,
  totals: readonly PoolTotals[],
  side: 'before' | 'after',
): readonly Supply[] {
  const usable = new Map(totals.map((one) => [`${one.pool} ${one.family}`, one[side]?.usable]));
  return clusters.flatMap(({ name: cluster }) =>
    pools
      .filter((pool) => pool.state === 'active' && isOpenIn(pool, cluster))
      .flatMap(({ name: pool, zone }) =>
        bothFamilies
          .filter((family) => (usable.get(`${pool} ${family}`) ?? '0') !== '0')
          .map((family) => ({ cluster, zone, family, pool })),
      ),
  );
}

/** The supplies of the base that no pool of the head replaces, of one zone. */
type LostZone = readonly [Supply, ...Supply[]];

function lostZones(
  had: readonly Supply[],
  has: readonly Supply[],
  { clusters }: Pools,
): readonly LostZone[] {
  const keyOf = ({ cluster, zone, family }: Supply) => `${cluster} ${zone} ${family}`;
  const left = new Set(has.map(keyOf));
  const known = new Set(clusters.map(({ name }) => name));
  const lost = had.filter((supply) => known.has(supply.cluster) && !left.has(keyOf(supply)));
  return [...groupBy(lost, ({ zone }) => zone).values()];
}

function zoneText(lost: LostZone, { base, head }: PoolSides, policy: Policy | undefined): string {
  const [{ zone }] = lost;
  const clusters = namesOf(lost, 'cluster');
  const where = base.clusters.length > 1 ? ` in ${namedText('cluster', clusters)}` : '';
  const causes = namesOf(lost, 'pool').map((name) => causeText(name, head.pools));
  const isDefault = head.clusters.some(
    (cluster) =>
      clusters.includes(cluster.name) && (cluster.defaultZone ?? head.defaultZone) === zone,
  );
  const tenants = (policy?.tenants ?? [])
    .filter(({ zones }) => zones?.join() === zone)
    .map(({ name }) => name);
  const named = isDefault ? 'it or no zone' : 'it';
  const all = tenants.length === 0 ? '' : `, and all of ${namedText('tenant', tenants)}`;
  return `zone ${zone} gives no ${familiesText(lost)} addresses${where} from now on: ${causes.join(', ')}; new declarations that name ${named}${all} are refused (${refusalsText(lost, head.pools)})`;
}

/** The codes of the problems that new declarations have in a zone. */
function refusalsText(lost: LostZone, pools: readonly Pool[]): string {
  const codes = lost.map((supply) => {
    const own = pools.filter(({ zone }) => zone === supply.zone);
    return own.length === 0 ? 'ZONE_UNKNOWN' : refusalOf(supply, own);
  });
  return [...new Set(codes)].join(' or ');
}

/** The code of the problem of a new declaration that can have one of some pools only. */
function refusalOf({ cluster, family }: Supply, pools: readonly Pool[]): string {
  const own = pools.filter((pool) => familiesOf(pool).includes(family));
  const open = own.filter((pool) => isOpenIn(pool, cluster));
  const isClosed = own.length > 0 || !pools.some((pool) => isOpenIn(pool, cluster));
  if (open.length === 0) return isClosed ? 'POOL_CLOSED' : 'ZONE_FAMILY';
  return open.every(({ state }) => state === 'draining') ? 'POOL_DRAINING' : 'POOL_EXHAUSTED';
}

/** The pools that give nothing any more, and whose zones still do. */
function lostPools(
  had: readonly Supply[],
  has: readonly Supply[],
  zones: readonly LostZone[],
): readonly Supply[] {
  const left = new Set([...has, ...zones.flat()].map(({ pool }) => pool));
  return [...groupBy(had, ({ pool }) => pool).values()]
    .map(([first]) => first)
    .filter(({ pool }) => !left.has(pool));
}

function poolText(supply: Supply, pools: readonly Pool[]): string {
  const own = pools.filter(({ name }) => name === supply.pool);
  const code = own.length === 0 ? 'POOL_UNKNOWN' : refusalOf(supply, own);
  return `pool ${supply.pool} gives no addresses from now on: ${causeText(supply.pool, pools)}; new declarations that name it are refused (${code}), others of zone ${supply.zone} are not`;
}

function causeText(name: string, pools: readonly Pool[]): string {
  const pool = pools.find((one) => one.name === name);
  if (!pool) return `pool ${name} is removed`;
  return pool.state === 'draining' ? `pool ${name} is draining` : `pool ${name} is changed`;
}

/** The clusters in which no pool gives addresses, and did, or that are new. */
function emptyClusters(
  { base, head }: PoolSides,
  had: readonly Supply[],
  has: readonly Supply[],
): readonly string[] {
  // The zones of a single cluster say it.
  if (head.clusters.length === 1) return [];
  const isServed = (supplies: readonly Supply[], name: string) =>
    supplies.some(({ cluster }) => cluster === name);
  const known = new Set(base.clusters.map(({ name }) => name));
  return head.clusters
    .filter(({ name }) => !isServed(has, name) && (isServed(had, name) || !known.has(name)))
    .map(({ name }) => `cluster ${name} gives no addresses: no active pool is open in it`);
}

/** GIVES_NOTHING for each quota that changes and is used up, or is 0. */
function quotaCautions(base: Pools, { pools, table }: Declared, day: Day): Caution[] {
  if (!pools) return [];
  const usage = usageByOwner(pools, table, day);
  const owners = new Set([
    ...usage.keys(),
    ...base.quotas.owners.keys(),
    ...pools.quotas.owners.keys(),
  ]);
  const used = [...owners].sort(compareText).flatMap((owner) => {
    const { held = 0, kept = 0 } = usage.get(owner) ?? {};
    const was = quotaOf(base.quotas, owner) ?? Number.POSITIVE_INFINITY;
    const is = quotaOf(pools.quotas, owner) ?? Number.POSITIVE_INFINITY;
    const has = kept === 0 ? `${held}` : `${held} held and ${kept} kept after release`;
    return is <= held + kept && was > held + kept ? [{ owner, is, has }] : [];
  });
  const ofAll: Caution = {
    code: 'GIVES_NOTHING',
    message:
      'owners without a quota of their own get no addresses from now on: quotas.default is 0',
    at,
  };
  return [
    ...(pools.quotas.default === 0 && base.quotas.default !== 0 ? [ofAll] : []),
    ...cautionsFor(used, {
      one: ({ owner, is, has }): Caution => ({
        code: 'GIVES_NOTHING',
        message: `${owner} gets no further address from now on: its quota is ${is}, and it has ${has}`,
        at,
      }),
      many: (shown, count): Caution => ({
        code: 'GIVES_NOTHING',
        message: `${count} owners get no further address from now on, because their quotas are used up, including ${shown.map(({ owner }) => owner).join(', ')}`,
        at,
      }),
    }),
  ];
}

function namesOf(supplies: readonly Supply[], field: 'cluster' | 'pool'): readonly string[] {
  return [...new Set(supplies.map((supply) => supply[field]))];
}

function namedText(noun: string, names: readonly string[]): string {
  return `${noun}${names.length === 1 ? '' : 's'} ${fewOf(names)}`;
}

function familiesText(lost: readonly Supply[]): string {
  const found = bothFamilies.filter((family) => lost.some((supply) => supply.family === family));
  return found.map(familyName).join(' and ');
}
