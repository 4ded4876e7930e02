import { expect, it } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { providerPoolsText } from '../../support/declarations/pools-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { pinned, web } from '../../support/repositories/checked-branches.ts';

const pools = providerPoolsText(`quotas: { default: 2 }
pools:
  - name: default
    zone: inet
    addresses: [203.0.113.0/28]
    retentionDays: 1
    strategy: lowest
`);

it('an address that the branch moved away from, and that is free since, does not count for a quota', {
  tags: 'slow',
}, async () => {
  const checkout = await remadeCheckout({
    'leases/pools.yaml': pools,
    'leases/bob.yaml': leaseText('bob', 2, [web]),
  });
  const { git, isDone } = checkout.repository.on('2026-01-20');
  const mail = { ...web, name: 'mail' };
  git('checkout', '-q', '-b', 'work');
  const moved = await checkout.run('move', '203.0.113.0', '--today', '2026-01-11');
  expect(moved).toMatchObject({ status: 0 });
  git('add', '.');
  git('commit', '-q', '-m', 'Move');
  checkout.put('leases/bob-mail.yaml', leaseText('bob', 3, [mail]));
  await checkout.synth('2026-01-12');
  git('checkout', '-q', 'main');
  checkout.put('leases/cat.yaml', leaseText('cat', 4, [pinned(2)]));
  await checkout.synth('2026-01-12');
  git('checkout', '-q', 'work');
  expect(isDone('merge', '-q', '--no-edit', 'main')).toBe(false);
  const resolved = await checkout.run('resolve', '--today', '2026-01-20');
  expect(resolved).toMatchObject({ status: 0 });
  expect(resolved.out).toContain('now 203.0.113.');
  git('commit', '-q', '--no-edit');
  expect(await checkout.run('check', '--base', 'main')).toMatchObject({ status: 0 });
});
