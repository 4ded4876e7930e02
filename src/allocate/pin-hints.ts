import { familiesOf, type Pool } from '../model/pools.ts';
import { fewOf } from '../model/problem.ts';
import { type Address, type Family, formatAddress } from '../net/address.ts';
import { formatRange, rangeSize } from '../net/range.ts';

/** More ranges of a pool than these are counted. */
const mostRanges = 3;

/**
 * `pin an address of pool edge (198.51.100.0/28), or add …`: what to pin among these pools, or else what else to do. Pools that
 * give nothing new, or have no address of the family, are left out.
 */
export function pinFrom(pools: readonly Pool[], { family }: Address, otherwise: string): string {
  const giving = pools.filter(
    (pool) => pool.state === 'active' && familiesOf(pool).includes(family),
  );
  if (giving.length === 0) return otherwise;
  const texts = giving.map((pool) => `${pool.name} (${rangesText(pool, family)})`);
  const noun = texts.length === 1 ? 'pool' : 'one of the pools';
  return `pin an address of ${noun} ${fewOf(texts)}, or ${otherwise}`;
}

/** What to do about an address that its pool cannot give. */
export function pinAnother(pool: Pool, { family }: Address, otherwise: string): string {
  const text = `pin another address of pool ${pool.name} (${rangesText(pool, family)})`;
  return `${text}, or ${otherwise}; leasehold map ${pool.name} shows which are free`;
}

function rangesText({ ranges }: Pool, family: Family): string {
  const own = ranges.filter(({ from }) => from.family === family);
  const texts = own.map((range) =>
    rangeSize(range) === 1n ? formatAddress(range.from) : formatRange(range),
  );
  return fewOf(texts, mostRanges);
}
