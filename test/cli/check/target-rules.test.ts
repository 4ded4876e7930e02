// @module-tag slow

import { describe, expect, it } from 'vitest';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { policyHead, tenantsText } from '../../support/declarations/policies.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { found, pinned, pools } from '../../support/repositories/checked-branches.ts';
import { type LeaseCheckout, recordOf } from '../../support/repositories/lease-checkout.ts';

const poolFile = 'leases/pools.yaml';
const policyFile = 'leases/policy.yaml';
const ownerOf = (name: string) => `owners: [${accountOf(name)}]`;

/** `main` changes its rules after the branch `change` was cut; the checkout stands on that branch. */
async function cutBefore(file: string, from: string, into: string): Promise<LeaseCheckout> {
  const checkout = await remadeCheckout({
    [poolFile]: `${pools}quotas: { default: 3 }\n`,
    [policyFile]: policyHead + tenantsText({ ann: ownerOf('ann'), bob: ownerOf('bob') }),
    'leases/ann/1.yaml': leaseText('ann', 1, [pinned(1)]),
  });
  checkout.repository.git('branch', '-q', 'change');
  checkout.edit(file, from, into);
  await checkout.synth('2026-01-09', 'Other rules');
  checkout.repository.git('checkout', '-q', 'change');
  return checkout;
}

describe('the rules of the branch to merge into judge a branch that was cut before them', () => {
  it.each([
    ['a reservation', poolFile, 'retentionDays: 10', 'reserved: [203.0.113.5]'],
    ['a pool that drains', poolFile, 'retentionDays: 10', 'state: draining'],
  ])('%s', async (_, ...change) => {
    const checkout = await cutBefore(...change);
    checkout.put('leases/ann/2.yaml', leaseText('ann', 2, [{ ...pinned(5), name: 'two' }]));
    await checkout.synth('2026-01-10');
    expect(await found(checkout)).toEqual([`BASE_WITHHOLDS ${recordOf('203.0.113.5')}`]);
  });

  it('a quota', async () => {
    const checkout = await cutBefore(poolFile, 'default: 3', 'default: 1');
    checkout.put('leases/ann/2.yaml', leaseText('ann', 2, [{ ...pinned(5), name: 'two' }]));
    await checkout.synth('2026-01-10');
    expect(await found(checkout)).toEqual(['QUOTA_EXCEEDED leases/ann/2.yaml']);
  });

  it('a policy', async () => {
    const owner = ownerOf('bob');
    const checkout = await cutBefore(policyFile, owner, `${owner}, ports: [443]`);
    checkout.put('leases/bob/2.yaml', leaseText('bob', 2, [pinned(5)]));
    await checkout.synth('2026-01-10');
    expect(await found(checkout)).toEqual(['POLICY_REFUSED leases/bob/2.yaml']);
  });

  it('but accept a branch that keeps to them', async () => {
    const checkout = await cutBefore(poolFile, 'retentionDays: 10', 'retentionDays: 12');
    checkout.put('leases/ann/2.yaml', leaseText('ann', 2, [{ ...pinned(5), name: 'two' }]));
    await checkout.synth('2026-01-10');
    expect(await found(checkout)).toEqual([]);
  });
});
