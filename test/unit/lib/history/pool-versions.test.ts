import { expect, test } from 'vitest';
import { openRepository } from '../../../../src/core/world/git/git-repository.ts';
import { ledgerOf } from '../../../../src/lib/history/address-history.ts';
import { datedHistory } from '../../../support/repositories/dated-history.ts';
import { tempTree } from '../../../support/trees/temp-tree.ts';

const file = (range: string) =>
  `apiVersion: leasehold.dev/v1\nkind: Pools\npools:\n  - { name: lab, zone: dc1, addresses: [${range}] }\n`;

test('the ledger has the readable versions of the pool file, oldest first', async () => {
  const root = tempTree();
  const texts = [file('203.0.113.0/30'), 'kind: Pools\n', undefined, file('203.0.113.0/29')];
  datedHistory(
    root,
    texts.map((text, at) => ({
      ...{ at: `2026-01-0${at + 1}T10:00:00Z`, message: 'Pools' },
      files: { 'README.md': String(at), 'leases/pools.yaml': text },
    })),
  );
  const { poolVersions, histories } = await ledgerOf(openRepository(root), undefined);
  expect(poolVersions.map(({ at, pools }) => [at, pools.pools[0]?.ranges.length])).toEqual([
    ['2026-01-01T10:00:00Z', 1],
    ['2026-01-04T10:00:00Z', 1],
  ]);
  expect(histories.size).toBe(0);
});
