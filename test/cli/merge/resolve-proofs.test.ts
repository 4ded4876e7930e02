// @module-tag slow
import { describe, expect, test } from 'vitest';
import type { Day } from '../../../src/core/model/day.ts';
import { domainProofPath, printDomainProof } from '../../../src/core/records/domain-proof-file.ts';
import { routedPoolText } from '../../support/declarations/hostname-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';

const proof = { domain: 'shop.example.com', holder: 'default/namespace/shop' };
const path = domainProofPath(proof);

const proofOn = (day: string): string =>
  printDomainProof({ ...proof, checked: day as Day, at: undefined });

/** `main` and the branch `change` each looked the proof up, or removed it: undefined. */
async function bothProved(main: string | undefined, change: string | undefined) {
  const checkout = await remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': routedPoolText,
    [path]: proofOn('2025-12-01'),
  });
  const { repository, put, synth } = checkout;
  repository.git('checkout', '-q', '-B', 'change');
  for (const [branch, day] of [
    ['main', main],
    ['change', change],
  ] as const) {
    repository.git('checkout', '-q', branch);
    put(path, day === undefined ? '' : proofOn(day));
    await synth('2026-01-06');
  }
  return checkout;
}

describe('a proof that the target and the branch looked up on different days', () => {
  test.each([
    ['a merge', ['merge', '-q', 'main'], ['2026-01-03', '2026-01-05']],
    ['a merge', ['merge', '-q', 'main'], ['2026-01-05', '2026-01-03']],
    ['a rebase', ['rebase', '-q', 'main'], ['2026-01-03', '2026-01-05']],
  ] as const)('has the later day after %s', async (_, command, [main, change]) => {
    const { repository, run, read } = await bothProved(main, change);
    expect(repository.isDone(...command)).toBe(false);
    expect((await run('check')).out).toContain('first run `leasehold resolve`');

    const { status, out } = await run('resolve', '--today', '2026-01-07');

    expect(status).toBe(0);
    expect(out).toContain(`next: git ${command[0]} --continue`);
    expect(read(path)).toBe(proofOn('2026-01-05'));
    expect(repository.git('ls-files', '-u')).toBe('');
    expect(repository.git('diff', '--name-only')).toBe('');
    expect((await run('check')).status).toBe(0);
  });

  test('is for the user to resolve when one of them removed it', async () => {
    const { repository, run } = await bothProved(undefined, '2026-01-05');
    expect(repository.isDone('merge', '-q', 'main')).toBe(false);

    const { status, out } = await run('resolve', '--today', '2026-01-07');

    expect([status, out]).toEqual([1, expect.stringContaining(`${path}:1:1 FILE_UNMERGED`)]);
  });
});
