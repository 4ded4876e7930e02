import { claimText } from '../model/claim.ts';
import type { Problem } from '../model/problem.ts';
import { familyName, type Supplies } from './supply.ts';
import type { Want } from './wants.ts';

const shownPools = 5;

/**
 * Why a want could not be met: POOL_DRAINING when all its pools give nothing new, else
 * POOL_EXHAUSTED with what is needed and what is there. `unmet` are all that could not be met.
 */
export function shortageProblem(want: Want, unmet: readonly Want[], supplies: Supplies): Problem {
  const claim = want.holder.claims[0];
  const names = want.pools.map((pool) => pool.name);
  const families = want.families.map(familyName).join(' and ');
  if (want.pools.length > 0 && want.pools.every((pool) => pool.state === 'draining')) {
    return {
      code: 'POOL_DRAINING',
      message: `${claimText(claim)} wants a new ${families} address, and pool ${names.join(', ')} is draining`,
      at: claim.at,
      hint: 'name another pool or zone, or set state: active in leases/pools.yaml',
    };
  }
  const same = unmet.filter((other) => sharesPools(other, want)).length;
  const both = want.families.length === 2 ? 'no pool has both left' : 'none is left';
  const counts = names.slice(0, shownPools).map((name) => countText(name, want, supplies));
  const more = names.length > shownPools ? `; and ${names.length - shownPools} more pools` : '';
  return {
    code: 'POOL_EXHAUSTED',
    message: `${claimText(claim)} wants a new ${families} address and ${both} (${same} ${same === 1 ? 'holder' : 'holders'} short): ${counts.join('; ')}${more}`,
    at: claim.at,
    hint: 'widen the pool in leases/pools.yaml, end a lease, or wait for a cooldown to end',
  };
}

function countText(name: string, want: Want, supplies: Supplies): string {
  const supply = supplies.get(name);
  if (supply?.ipv4.pool.state === 'draining') return `pool ${name} is draining`;
  const counts = want.families.map((family) => supply?.[family].describe() ?? '');
  return `pool ${name} has ${counts.join(' and ')}`;
}

function sharesPools(left: Want, right: Want): boolean {
  return left.pools.some((pool) => right.pools.includes(pool));
}
