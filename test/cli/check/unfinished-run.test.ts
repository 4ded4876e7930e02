import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diskOperations } from '../../../src/core/world/disk/file-operations.ts';
import { commitChanges } from '../../../src/core/world/disk/journal.ts';
import { defaultPoolText } from '../../support/declarations/pools-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';

const pools = defaultPoolText();

/** A sound clone in which a run was killed once it had recorded a README, and before that had its place. */
async function killedRun(): Promise<LeaseCheckout> {
  const checkout = await remadeCheckout({ 'leases/pools.yaml': pools });
  const commitPoint = join(checkout.root, '.leasehold/txn/commit.json');
  const operations = {
    ...diskOperations,
    rename(from: string, to: string) {
      if (existsSync(commitPoint)) throw new Error('killed');
      diskOperations.rename(from, to);
    },
  };
  const changes = { writes: new Map([['README.md', 'Leases\n']]), removes: [] };
  await expect(commitChanges(checkout.root, changes, operations)).rejects.toThrow('recorded');
  return checkout;
}

test.each([[['check']], [['check', '--base', 'main', '--today', '2026-01-02']]])(
  '%j names the unwritten files of a killed run, and passes once they are written',
  async (argv) => {
    const { root, run } = await killedRun();
    const { status, out } = await run(...argv);
    expect([status, out]).toEqual([1, expect.stringMatching(/^README\.md:1:1 STALE .*killed/)]);
    expect(existsSync(join(root, 'README.md'))).toBe(false);
    expect(await run('synth', '--today', '2026-01-02')).toMatchObject({ status: 0 });
    expect(existsSync(join(root, 'README.md'))).toBe(true);
    expect(await run(...argv)).toMatchObject({ status: 0 });
  },
);

test('check of a commit ignores the unwritten files of a killed run', async () => {
  const { run } = await killedRun();
  const argv = ['check', '--base', 'main', '--head', 'main', '--today', '2026-01-02'];
  expect(await run(...argv)).toMatchObject({ status: 0 });
});
