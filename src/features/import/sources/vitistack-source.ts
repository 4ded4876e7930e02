import type { Outcome } from '../../../model/problem.ts';
import { formatAddress } from '../../../net/address.ts';
import { rangeSize } from '../../../net/range.ts';
import type { TakenAddress } from '../adopt/live-lease.ts';
import type { Imported, ImportedPool } from '../import.ts';
import { readClusterObjects } from '../metallb/cluster-source.ts';
import type { ForeignDocuments } from '../metallb/metallb-source.ts';
import { readVitistackService } from './vitistack-service.ts';

/** The zone of a Service that names none: ipam-operator, `internal/utils/annotations.go`. */
const defaultZone = 'hnet-private';

/**
 * Reads what a cluster with vitistack's ipam-operator has, as {@link readClusterObjects} reads any other: with what the
 * operator's annotations say, and each pool as the zone that it is there. Problems: those of readClusterObjects.
 */
export function readVitistack(sources: readonly ForeignDocuments[]): Outcome<Imported> {
  const read = readClusterObjects(sources, readVitistackService);
  if (!read.ok) return read;
  const { pools, live = { services: [], leasedIPs: [], taken: [] } } = read.value;
  const has = new Set([
    ...live.services.flatMap(({ addresses }) => addresses.map(formatAddress)),
    ...live.taken.map(({ address }) => formatAddress(address)),
  ]);
  const lost = pools.filter(isInUse).flatMap((pool) => lostOf(pool, has));
  const isDefault = pools.some(({ name }) => name === defaultZone);
  return {
    ok: true,
    value: {
      ...read.value,
      ...(isDefault ? { defaultZone } : {}),
      pools: pools.map((pool) => ({ ...pool, zone: pool.name, isInUse: isInUse(pool) })),
      live: { ...live, taken: [...live.taken, ...lost] },
    },
  };
}

/** The operator's pools have one entry for each address in use: facts/vitistack.md §3. */
function isInUse({ ranges }: ImportedPool): boolean {
  return ranges.every(({ range }) => rangeSize(range) === 1n);
}

/** Addresses of a pool that nothing else names: whoever had them may have been promised them. */
function lostOf({ name, ranges }: ImportedPool, has: ReadonlySet<string>): readonly TakenAddress[] {
  return ranges.flatMap(({ range, at }): TakenAddress[] => {
    const address = range.from;
    if (has.has(formatAddress(address))) return [];
    const why = `no Service has its address ${formatAddress(address)}, which ipam-api may keep`;
    return [{ address, by: `pool ${name}`, why, at }];
  });
}
