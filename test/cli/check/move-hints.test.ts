// @module-tag slow

import { describe, expect, it } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { begin, found, mended, pinned } from '../../support/repositories/checked-branches.ts';
import { type LeaseCheckout, recordOf } from '../../support/repositories/lease-checkout.ts';

const [one, two, five, six] = [1, 2, 5, 6].map((last) => recordOf(`203.0.113.${last}`));

async function move(checkout: LeaseCheckout, from: number, to: number, day: string) {
  const [old, fresh] = [from, to].map((last) => `203.0.113.${last}`);
  const moved = await checkout.run(
    'move',
    `${old}`,
    '--to',
    `${fresh}`,
    '--today',
    day,
    '--no-base',
  );
  expect(moved).toMatchObject({ status: 0, err: '' });
  checkout.commit(day);
}

/** `ann` and `bob` stand on their pins no more. */
async function unpinned(): Promise<LeaseCheckout> {
  const checkout = await begin();
  const { address: _, ...free } = pinned(1);
  checkout.put('leases/ann.yaml', leaseText('ann', 1, [free]));
  checkout.put('leases/bob.yaml', leaseText('bob', 2, [free]));
  await checkout.synth('2026-01-05');
  checkout.repository.git('checkout', '-q', '-B', 'main');
  checkout.repository.git('checkout', '-q', '-B', 'change');
  return checkout;
}

describe('the hints for records of a move', () => {
  it('makes the moves of an old branch again, each to where it went', async () => {
    for (const [later, codes] of [
      ['2026-01-15', []],
      ['2026-01-16', [`DATE_BEHIND ${one}`, `DATE_BEHIND ${two}`]],
    ] as const) {
      const checkout = await unpinned();
      await move(checkout, 1, 5, '2026-01-06');
      await move(checkout, 2, 6, '2026-01-06');
      const { git, on } = checkout.repository;
      git('checkout', '-q', 'main');
      checkout.put('leases/dan.yaml', leaseText('dan', 5, [pinned(9)]));
      await checkout.synth(later);
      git('checkout', '-q', 'change');
      on(later).git('rebase', '-q', 'main');
      expect(await found(checkout)).toEqual(codes);
      if (codes.length > 0) await mended(checkout, later);
      expect(await found(checkout)).toEqual([]);
      expect(checkout.repository.git('show', `HEAD:${five}`)).toContain('movedFrom: 203.0.113.1');
      expect(checkout.repository.git('show', `HEAD:${six}`)).toContain('movedFrom: 203.0.113.2');
    }
  });

  it('gives a lease that comes and is moved in one pull request an address of its own', async () => {
    const checkout = await unpinned();
    const { address: _, ...free } = pinned(9);
    checkout.put('leases/cat.yaml', leaseText('cat', 4, [pinned(9)]));
    await checkout.synth('2026-01-06');
    checkout.put('leases/cat.yaml', leaseText('cat', 4, [free]));
    await move(checkout, 9, 5, '2026-01-07');
    expect(await found(checkout)).toEqual([`ALLOCATION_FORGED ${recordOf('203.0.113.9')}`]);
    await mended(checkout, '2026-01-07');
    expect(await found(checkout)).toEqual([]);
  });

  it('takes back a move that came back on a later day', async () => {
    const checkout = await unpinned();
    await move(checkout, 1, 5, '2026-01-06');
    await move(checkout, 5, 1, '2026-01-08');
    expect(await found(checkout)).toEqual([`ALLOCATION_FORGED ${one}`]);
    await mended(checkout, '2026-01-08');
    expect(await found(checkout)).toEqual([]);
    expect(checkout.repository.git('diff', '--name-only', 'main', '--', 'leases')).toBe('');
  });
});
