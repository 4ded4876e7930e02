import type { ForeignReader } from '../../../text/foreign-reader.ts';
import type { ImportedPool } from '../import.ts';
import { type MetalLBAdvertisement, plainL2 } from '../metallb/metallb-advertisement.ts';
import { type MetalLBPool, poolSubject } from '../metallb/metallb-pool.ts';

/**
 * The pools, each with how it is announced. A pool of leasehold is announced in one way: the first advertisement that
 * covers it counts, and every other is told. One that nobody announced is announced by L2 from now on, and told.
 */
export function announcedPools(
  reader: ForeignReader,
  pools: readonly MetalLBPool[],
  advertisements: readonly MetalLBAdvertisement[],
): readonly ImportedPool[] {
  const used = new Set<MetalLBAdvertisement>();
  const announced = pools.map((pool): ImportedPool => {
    const [first, ...others] = advertisements.filter((one) => one.covers(pool));
    for (const other of others) {
      used.add(other);
      const message = `it announces pool ${pool.name} too: leasehold announces a pool in one way, that of ${first?.subject}`;
      reader.leave(other.subject, message, other.at);
    }
    if (first) used.add(first);
    else {
      const message = 'nothing announces it; leasehold announces every pool, and this one by L2';
      reader.change(poolSubject(pool.name), message, pool.at);
    }
    const { name, ranges, avoidBuggyIPs, isFenced, isAsked, at } = pool;
    const advertise = first?.advertise ?? plainL2;
    return {
      name,
      ranges,
      avoidBuggyIPs,
      advertise,
      at,
      ...(isFenced && { isFenced }),
      ...(isAsked && { isAsked }),
    };
  });
  for (const { subject, at } of advertisements.filter((one) => !used.has(one))) {
    reader.leave(subject, 'it announces none of the pools that were taken', at);
  }
  return announced;
}
