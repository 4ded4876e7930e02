import type { CountedState, Metrics } from '../../../src/features/serve/metrics.ts';
import type { ZoneCapacity } from '../../../src/lib/forecast/capacity-answer.ts';
import type { FamilyUsage, PoolUsages } from '../../../src/lib/list/pool-usage-answer.ts';

/** A family of a pool of 16 addresses of which 5 are free. */
export function familyUsage(changes: Partial<FamilyUsage> = {}): FamilyUsage {
  return {
    family: 'ipv4',
    ranges: ['203.0.113.0/28'],
    total: '16',
    reserved: '1',
    held: '9',
    retained: '1',
    free: '5',
    percent: 66,
    ...changes,
  };
}

/** One active pool, `edge` in the zone `inet`, with these families. */
export function poolUsagesOf(families: readonly FamilyUsage[]): PoolUsages {
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'PoolUsages',
    day: '2026-01-01',
    items: [{ pool: 'edge', zone: 'inet', state: 'active', families }],
  };
}

/** A zone of which 4 of 5 free addresses may still be promised. */
export function zoneCapacity(changes: Partial<ZoneCapacity> = {}): ZoneCapacity {
  return {
    cluster: 'default',
    zone: 'inet',
    family: 'ipv4',
    pools: ['edge'],
    free: '5',
    pending: '1',
    promisable: '4',
    ...changes,
  };
}

/** A state of one cluster and one pool. */
export function countedStateOf(changes: Partial<CountedState> = {}): CountedState {
  return {
    usages: poolUsagesOf([familyUsage()]),
    capacity: [zoneCapacity()],
    leases: [{ cluster: 'default', count: 3 }],
    services: [{ cluster: 'default', count: 0 }],
    holders: [{ cluster: 'default', count: 2 }],
    waiting: [{ cluster: 'default', count: 1 }],
    promises: [{ cluster: 'default', count: 2 }],
    promisesOver: [{ cluster: 'default', count: 1 }],
    commit: 'c0ffee',
    committedAt: 1_767_225_600,
    ...changes,
  };
}

/** What a service tells that was reached seven times, and twice was not. */
export function metricsOfService(changes: Partial<Metrics> = {}): Metrics {
  return {
    version: '0.1.0',
    source: 'main of origin',
    state: countedStateOf(),
    exhaustions: [{ pool: 'edge', zone: 'inet', family: 'ipv4', at: 1_767_830_400 }],
    branches: { pending: 2, skipped: 1, isIncomplete: true, isStale: false },
    problems: 0,
    isStale: false,
    polls: { all: 7, failed: 2 },
    polledAt: 1_767_261_600,
    freshAt: 1_767_261_600,
    ...changes,
  };
}
