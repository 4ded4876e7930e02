import { poolsPath } from '../../model/folders.ts';
import type { Pool } from '../../model/pools.ts';
import { formatAddress, isBuggyIP } from '../../net/address.ts';
import { type AddressRange, formatRange } from '../../net/range.ts';
import { setHas } from '../../net/range-set.ts';
import { blockEnds, linkLocalOf } from '../../net/special-ranges.ts';
import type { Declared } from '../../workspace/declared.ts';
import { placeOf } from './address-changes.ts';
import type { AddressChange, Caution, PoolTotals } from './plan-answer.ts';
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

/** LINK_LOCAL and BLOCK_ENDS for each range that no pool of the base has. */
export function rangeCautions(base: Declared, head: Declared): Caution[] {
  const known = new Set((base.pools?.pools ?? []).flatMap(({ ranges }) => ranges.map(formatRange)));
  return (head.pools?.pools ?? []).flatMap((pool) => {
    const at = placeOf('head', pool.at);
    return pool.ranges
      .filter((range) => !known.has(formatRange(range)))
      .flatMap((range): Caution[] => [
        ...linkLocalCautions(pool, range).map((caution) => ({ ...caution, at })),
        ...blockEndCautions(pool, range).map((caution) => ({ ...caution, at })),
      ]);
  });
}

function linkLocalCautions({ name }: Pool, range: AddressRange): Caution[] {
  const block = linkLocalOf(range);
  if (block === undefined) return [];
  const message = `pool ${name} gives addresses of ${formatRange(block)}, which no router passes on`;
  return [{ code: 'LINK_LOCAL', message }];
}

/** A block that BGP announces is routed, and has no ends. */
function blockEndCautions(pool: Pool, range: AddressRange): Caution[] {
  if (pool.advertise.kind === 'bgp') return [];
  const given = blockEnds(range).filter(
    (address) => !setHas(pool.reserved, address) && !(pool.avoidBuggyIPs && isBuggyIP(address)),
  );
  if (given.length === 0) return [];
  const addresses = given.map(formatAddress).join(' and ');
  const message = `pool ${pool.name} gives ${addresses}, at the ${given.length === 1 ? 'end' : 'ends'} of ${formatRange(range)}`;
  return [{ code: 'BLOCK_ENDS', message }];
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
