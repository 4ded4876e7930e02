import { expect, test } from 'vitest';
import { lifePath, lifeRecord } from '../support/repositories/address-history.ts';
import { type DatedCommit, datedHistory } from '../support/repositories/dated-history.ts';
import { runInProcess } from '../support/run/run-in-process.ts';
import { tempTree } from '../support/trees/temp-tree.ts';

test('history over 3,000 commits takes no time to speak of', async () => {
  const root = tempTree();
  const many = Array.from({ length: 3000 }, (_, index): DatedCommit => {
    const at = new Date(Date.UTC(2026, 0, 1) + index * 600_000).toISOString();
    const other = `leases/allocations/198.51.100/198.51.100.${index % 250}.yaml`;
    const files =
      index % 30 === 0
        ? { [lifePath]: lifeRecord(`holder${index}`) }
        : { [other]: `commit ${index}` };
    return { at, message: `Commit ${index}`, files };
  });
  datedHistory(root, many);
  const start = performance.now();
  const { out } = await runInProcess(['history', '203.0.113.7', '-o', 'csv'], root);
  const took = performance.now() - start;
  console.log(`history over 3,000 commits: ${Math.round(took)} ms`);
  expect(out.trimEnd().split('\n')).toHaveLength(101);
  expect(took).toBeLessThan(5000);
});
