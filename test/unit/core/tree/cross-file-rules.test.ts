import { describe, expect, it, test } from 'vitest';
import type { Day } from '../../../../src/core/model/day.ts';
import { hostnameHolder } from '../../../../src/core/model/hostname.ts';
import type { Lease } from '../../../../src/core/model/lease.ts';
import { startOf } from '../../../../src/core/model/problem.ts';
import {
  duplicateLeases,
  duplicateServices,
  removedClusters,
} from '../../../../src/core/tree/cross-file-rules.ts';
import { aTable, claimWith } from '../../../support/allocations/tables.ts';
import { alice, provider, thePools } from '../../../support/declarations/pools-and-claims.ts';
import { aReservation, aService } from '../../../support/declarations/services.ts';

describe('duplicateServices', () => {
  it('names both files of a Service that is declared twice', () => {
    const first = aService({ at: startOf('leases/a.yaml') });
    const second = aReservation({ at: startOf('leases/b.yaml') });
    const third = aService({ at: startOf('leases/c.yaml') });

    expect(duplicateServices([first, second, third])).toMatchObject([
      { code: 'SERVICE_DUPLICATE', at: second.at, also: [first.at] },
      { code: 'SERVICE_DUPLICATE', at: third.at, also: [first.at] },
    ]);
  });

  it('accepts the same name in other namespaces and clusters', () => {
    const services = [
      aService(),
      aService({ namespace: 'other' }),
      aReservation({ cluster: 'second' }),
    ];

    expect(duplicateServices(services)).toEqual([]);
  });
});

describe('duplicateLeases', () => {
  const id = { owner: alice, dseq: '1', gseq: 1, oseq: 1, provider };
  const lease = (changes: Partial<Lease>): Lease => {
    return {
      id,
      cluster: 'default',
      at: startOf('leases/a.yaml'),
      endpoints: [],
      hosts: [],
      ...changes,
    };
  };

  it('names both files of a lease that is declared twice', () => {
    const second = startOf('leases/b.yaml');
    expect(duplicateLeases([lease({}), lease({ at: second })])).toMatchObject([
      { code: 'LEASE_DUPLICATE', at: second, also: [startOf('leases/a.yaml')] },
    ]);
  });

  it('accepts the same lease in another cluster, and another bid', () => {
    const leases = [lease({}), lease({ cluster: 'second' }), lease({ id: { ...id, oseq: 2 } })];
    expect(duplicateLeases(leases)).toEqual([]);
  });
});

const releasedDays = { on: '2026-01-02' as Day, freeFrom: '2026-02-01' as Day };
const pools = thePools({ cluster: { name: 'main' }, defaultCluster: 'main' });

test('an undeclared cluster with held addresses is reported once, with the places of its declarations', () => {
  const table = aTable(
    ['203.0.113.7'],
    ['203.0.113.8', { name: 'bob' }],
    ['203.0.113.9', { name: 'carl', released: ['2026-01-02', '2026-01-05'] }],
  );
  const claim = { ...claimWith(), cluster: 'main', holder: 'main/akash/alice' };

  expect(removedClusters(pools, { addresses: table, hostnames: new Map() }, [claim])).toEqual([
    {
      code: 'CLUSTER_HOLDS',
      message: "the cluster 'default' is no longer declared, but 2 addresses are held in it",
      at: { file: 'leases/pools.yaml', line: 1, column: 1 },
      also: [
        { file: 'leases/alice-1.yaml', line: 1, column: 1 },
        { file: 'leases/allocations/203.0.113.8.yaml', line: 1, column: 1 },
      ],
      hint: 'declare it again, remove its declarations with `leasehold release --cluster default`, and remove it once that is applied',
    },
  ]);
});

test('an undeclared cluster with held hostnames is reported, with their declarations or records', () => {
  const [shop, blog, old] = ['shop', 'blog', 'old'].map((namespace) => ({
    hostname: `${namespace}.example.com`,
    holder: hostnameHolder('default', namespace),
    since: '2026-01-01' as Day,
    retain: 30,
    keepUntil: undefined,
    released: namespace === 'old' ? releasedDays : undefined,
    at: startOf(`leases/hostnames/com/example/${namespace}.example.com.yaml`),
  }));
  const hostnames = new Map([shop!, blog!, old!].map((record) => [record.hostname, record]));
  const declared = { holder: 'main/namespace/shop', at: startOf('leases/shop/name.yaml') };
  const messageOf = (tables: Parameters<typeof removedClusters>[1]) =>
    removedClusters(pools, tables, [declared]).map(({ message, also }) => ({ message, also }));

  expect(messageOf({ addresses: new Map(), hostnames })).toEqual([
    {
      message: "the cluster 'default' is no longer declared, but 2 hostnames are held in it",
      also: [blog!.at, declared.at],
    },
  ]);
  expect(messageOf({ addresses: aTable(['203.0.113.7']), hostnames })).toMatchObject([
    {
      message:
        "the cluster 'default' is no longer declared, but 1 address and 2 hostnames are held in it",
    },
  ]);
});

test('anycast groups and released addresses do not count as held by a cluster', () => {
  const table = aTable(['203.0.113.9', { released: ['2026-01-02', '2026-01-05'] }]);
  const [[, record] = []] = aTable(['203.0.113.7']);
  const group = new Map([...table, ['203.0.113.7', { ...record!, holder: 'anycast/default' }]]);

  expect(removedClusters(pools, { addresses: group, hostnames: new Map() }, [])).toEqual([]);
});
