import { expect, test } from 'vitest';
import { removedClusters } from '../../../src/workspace/removed-clusters.ts';
import { aTable, claimWith } from '../../support/allocation-builders.ts';
import { thePools } from '../../support/builders.ts';

const pools = thePools({ cluster: { name: 'main' }, defaultCluster: 'main' });

test('a cluster that is gone while it holds is told once, with the declarations that it had', () => {
  const table = aTable(
    ['203.0.113.7'],
    ['203.0.113.8', { name: 'bob' }],
    ['203.0.113.9', { name: 'carl', released: ['2026-01-02', '2026-01-05'] }],
  );
  const claim = { ...claimWith(), cluster: 'main', holder: 'main/akash/alice' };

  expect(removedClusters(pools, table, [claim])).toEqual([
    {
      code: 'CLUSTER_HOLDS',
      message: "the cluster 'default' is not declared any more, and 2 addresses are held in it",
      at: { file: 'leases/pools.yaml', line: 1, column: 1 },
      also: [
        { file: 'leases/alice-1.yaml', line: 1, column: 1 },
        { file: 'leases/allocations/203.0.113.8.yaml', line: 1, column: 1 },
      ],
      hint: 'put it back, end its leases with leasehold cleanup --cluster default, and remove it once that is applied',
    },
  ]);
});

test('a group over clusters and what is released are no matter', () => {
  const table = aTable(['203.0.113.9', { released: ['2026-01-02', '2026-01-05'] }]);
  const [[, record] = []] = aTable(['203.0.113.7']);
  const group = new Map([...table, ['203.0.113.7', { ...record!, holder: 'anycast/default' }]]);

  expect(removedClusters(pools, group, [])).toEqual([]);
});
