// @module-tag slow

import { describe, expect, it } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { begin, found, mended, pinned } from '../../support/repositories/checked-branches.ts';
import { type LeaseCheckout, recordOf } from '../../support/repositories/lease-checkout.ts';

/** Two steps on one branch whose records no single run could give, and after which ann's lease is as it was. */
const twice: readonly [string, (checkout: LeaseCheckout) => Promise<void>][] = [
  [
    'a lease that ends and is declared again',
    async (checkout) => {
      checkout.put('leases/ann.yaml', '');
      await checkout.synth('2026-01-09');
      checkout.put('leases/ann.yaml', leaseText('ann', 1, [pinned(1)]));
      await checkout.forge('2026-01-10');
    },
  ],
  [
    'a promise that gets longer and then shorter',
    async (checkout) => {
      const longer = { ...pinned(1), retentionDays: 30 };
      checkout.put('leases/ann.yaml', leaseText('ann', 1, [longer]));
      await checkout.synth('2026-01-09');
      checkout.put('leases/ann.yaml', leaseText('ann', 1, [pinned(1)]));
      await checkout.forge('2026-01-10');
    },
  ],
];

describe('two steps in one pull request', () => {
  it.each(twice)('become one by the command in the hint: %s', async (_, change) => {
    const checkout = await begin();
    await change(checkout);
    expect(await found(checkout)).toEqual([`ALLOCATION_FORGED ${recordOf('203.0.113.1')}`]);
    await mended(checkout, '2026-01-10');
    expect(await found(checkout)).toEqual([]);
  });
});
