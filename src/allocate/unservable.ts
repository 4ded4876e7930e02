import { pinFor } from '../declarations/holders.ts';
import { type Obstacle, obstacle, type PoolIndex } from '../declarations/pools/pool-index.ts';
import { claimText, type Holder } from '../model/claim.ts';
import { familiesOf, type Pool } from '../model/pools.ts';
import type { Problem } from '../model/problem.ts';
import { fewOf } from '../model/problem.ts';
import type { Family } from '../net/address.ts';
import { familyName } from '../net/address.ts';
import type { Standing } from '../records/held.ts';
import { decidingPool } from './wants.ts';

/** What is wrong with a claim wherever addresses are left. */
type Refusal = Pick<Problem, 'code' | 'message' | 'hint'>;

/**
 * Why a holder could never get what it lacks, however many addresses were free: ZONE_FAMILY, POOL_CLOSED, ANYCAST_NOT_BGP. Found before anything is given. Undefined when some pool could serve it.
 */
export function unservable(index: PoolIndex, standing: Standing): Problem | undefined {
  const { holder, lacks } = standing;
  const families = lacks.filter((family) => !pinFor(holder, family));
  if (families.length === 0) return undefined;
  const refusal = refusalOf(index, standing, families);
  return refusal && { ...refusal, at: holder.claims[0].at };
}

function refusalOf(
  index: PoolIndex,
  standing: Standing,
  families: readonly Family[],
): Refusal | undefined {
  const { holder } = standing;
  const wanted = `${claimText(holder.claims[0])} wants ${wantedText(families)}`;
  const decided = decidingPool(index, standing);
  if (decided) {
    if (hasAll(decided, families)) return undefined;
    const message = `${wanted}, and its other address lies in ${poolText(decided)}`;
    return { code: 'ZONE_FAMILY', message, hint: bothHint };
  }
  const meant = index.pools.pools.filter((pool) => index.isWanted(holder, pool));
  const open = meant.filter((pool) => obstacle(holder, pool) === undefined);
  if (open.some((pool) => hasAll(pool, families))) return undefined;
  const closed = meant.filter((pool) => !open.includes(pool) && hasAll(pool, families));
  const between = closed.flatMap((pool) => obstacle(holder, pool) ?? [])[0];
  if (between) return closedRefusal(wanted, between);
  if (open.length === 0) return noPool(index, holder, wanted);
  const where = holder.pool === undefined ? `zone ${index.zoneOf(holder)} has ` : '';
  const both = families.length === 2 && families.every((one) => open.some((p) => hasAll(p, [one])));
  const lack = both ? ': no pool has both' : '';
  const message = `${wanted}, and ${where}${poolsText(open)}${lack}`;
  return { code: 'ZONE_FAMILY', message, hint: both ? bothHint : familyHint };
}

const familyHint =
  'ask for another ipFamily, name a zone or pool that has this one, or add addresses of it in leases/pools.yaml';

const bothHint =
  'put addresses of both families into one pool of leases/pools.yaml, since MetalLB takes both from one, or ask for one family';

function closedRefusal(wanted: string, { code, reason }: Obstacle): Refusal {
  const hint =
    code === 'POOL_CLOSED'
      ? 'name a pool or zone that the cluster announces, or add the cluster to clusters of the pool in leases/pools.yaml'
      : 'name a zone or pool with advertise: {bgp: …} in one of the members';
  return { code, message: `${wanted}, and ${reason}`, hint };
}

/** A zone with pools, none of them for this holder and none with the families. */
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
  const own = familiesOf(pool);
  return families.every((family) => own.includes(family));
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
