import { poolsPath } from '../../model/folders.ts';
import type { AddressChange, Caution, PoolTotals } from '../../model/plan.ts';
import type { Declared } from '../workspace/declared.ts';
import { placeOf } from './address-changes.ts';
import { poolChanges } from './pool-changes.ts';

/** In whole per cent: past this, a pool is filling. */
const filling = 80;

/** POOL_FILLING for each pool that this fills further, past 80 %. */
export function fillingCautions(pools: readonly PoolTotals[], head: Declared): Caution[] {
  return pools.flatMap(({ pool, family, before, after }): Caution[] => {
    if (!after || after.percent <= filling) return [];
    if (before && before.held + before.retained >= after.held + after.retained) return [];
    const at = head.pools?.pools.find(({ name }) => name === pool)?.at;
    return [
      {
        code: 'POOL_FILLING',
        message: `pool ${pool} is ${after.percent} % full: ${after.free} of ${after.usable} ${family === 'ipv4' ? 'IPv4' : 'IPv6'} addresses are free`,
        ...(at && { at: placeOf('head', at) }),
      },
    ];
  });
}

/** POOLS_CHANGED, once, with all that the pool file says differently. */
export function poolFileCautions(base: Declared, head: Declared): Caution[] {
  const changes = poolChanges(base.pools, head.pools);
  if (changes.length === 0) return [];
  const at = { side: 'head', file: poolsPath, line: 1 } as const;
  return [{ code: 'POOLS_CHANGED', message: changes.join('; '), at }];
}

/** FENCE_CLOSED and FENCE_OPENED for each pool whose fence changes; a new pool is open or was never. */
export function fenceCautions(base: Declared, head: Declared): Caution[] {
  const before = new Map((base.pools?.pools ?? []).map(({ name, fence }) => [name, fence]));
  return (head.pools?.pools ?? []).flatMap(({ name, fence, at }): Caution[] => {
    const was = before.get(name) ?? 'closed';
    if (was === fence) return [];
    const place = { at: placeOf('head', at) };
    return fence === 'open'
      ? [{ code: 'FENCE_OPENED', message: `pool ${name} is open to every Service`, ...place }]
      : [
          {
            code: 'FENCE_CLOSED',
            message: `pool ${name} is closed: what is live on it and not declared loses its address`,
            ...place,
          },
        ];
  });
}

/** COOLDOWN_NONE for each pool in which an address is released that anyone can get at once. */
export function cooldownCautions(addresses: readonly AddressChange[], head: Declared): Caution[] {
  const atOnce = addresses.filter(({ address, change, before }) => {
    const released = head.table.get(address)?.released;
    return change === 'released' && before?.state === 'held' && released?.on === released?.freeFrom;
  });
  return [...new Set(atOnce.map(({ pool }) => pool))].map((pool) => {
    const named = atOnce.filter((change) => change.pool === pool).map(({ address }) => address);
    const rest = named.length > 3 ? ` and ${named.length - 3} more` : '';
    return {
      code: 'COOLDOWN_NONE',
      message: `pool ${pool} has no cooldown: anyone can get ${named.slice(0, 3).join(', ')}${rest} on the day of release`,
    };
  });
}
