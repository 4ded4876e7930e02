import { expect, it } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { pinned, pools, web } from '../../support/repositories/checked-branches.ts';
import { recordOf } from '../../support/repositories/lease-checkout.ts';

const today = '2026-01-12';

it('resolve goes on with a rebase after a commit in which git joined two records into nonsense', {
  tags: 'slow',
}, async () => {
  const checkout = await remadeCheckout({
    'leases/pools.yaml': pools,
    'leases/ann.yaml': leaseText('ann', 1, [pinned(1)]),
  });
  const { git, isDone } = checkout.repository.on(today);
  const lease = (tenant: string, last: number) =>
    checkout.put(`leases/${tenant}.yaml`, leaseText(tenant, last, [pinned(last)]));
  // On the branch, bob gets .2 and gives it back. On main he gets it on a later day.
  git('checkout', '-q', '-b', 'work');
  lease('bob', 2);
  await checkout.forge('2026-01-10');
  checkout.put('leases/bob.yaml', '');
  await checkout.forge('2026-01-11');
  lease('cat', 3);
  await checkout.forge('2026-01-11');
  git('checkout', '-q', 'main');
  lease('bob', 2);
  lease('cat', 3);
  await checkout.synth(today);
  git('checkout', '-q', 'work');
  expect(isDone('rebase', '-q', 'main')).toBe(false);
  expect(isDone('rebase', '--skip')).toBe(false);
  const joined = git('show', `HEAD:${recordOf('203.0.113.2')}`);
  expect(joined).toContain('since: 2026-01-12\nretain: 10\nreleased:\n  on: 2026-01-11\n');
  const { status, err } = await checkout.run('resolve', '--today', today);
  expect({ status, err }).toMatchObject({ status: 0 });
  expect(isDone('-c', 'core.editor=true', 'rebase', '--continue')).toBe(true);
  const record = checkout.read(recordOf('203.0.113.2'));
  expect(record).toContain('since: 2026-01-12\nretain: 10\nreleased:\n  on: 2026-01-12\n');
  expect(await checkout.run('check', '--base', 'main')).toMatchObject({ status: 0 });
});

it('check names the commands that mend a record which git joined into nonsense', {
  tags: 'slow',
}, async () => {
  const checkout = await remadeCheckout({
    'leases/pools.yaml': pools,
    'leases/ann.yaml': leaseText('ann', 1, [pinned(1)]),
    'leases/bob.yaml': leaseText('bob', 2, [pinned(2)]),
  });
  const { git, isDone } = checkout.repository.on(today);
  checkout.put('leases/bob.yaml', leaseText('bob', 2, [web]));
  await checkout.synth('2026-01-09');
  // On the branch, bob is moved from .2. On main, bob gives .2 back and gets it again on a later day.
  git('checkout', '-q', '-b', 'work');
  await checkout.run('move', '203.0.113.2', '--today', '2026-01-11');
  git('add', '.');
  git('commit', '-q', '-m', 'move');
  git('checkout', '-q', 'main');
  checkout.put('leases/bob.yaml', '');
  await checkout.synth('2026-01-10');
  checkout.put('leases/bob.yaml', leaseText('bob', 2, [web]));
  await checkout.synth(today);
  git('checkout', '-q', 'work');
  expect(isDone('rebase', '-q', 'main')).toBe(true);
  expect(checkout.read(recordOf('203.0.113.2'))).toContain(
    'since: 2026-01-12\nretain: 10\nreleased:\n  on: 2026-01-11\n',
  );
  const red = await checkout.run('check', '--base', 'main');
  expect(red.out).toContain(
    'run `leasehold resolve --onto main`, then run `leasehold synth --base main`, and commit',
  );
  expect(red.out).toContain('1 problem;');
  for (const argv of [
    ['resolve', '--onto', 'main'],
    ['synth', '--base', 'main'],
  ]) {
    expect(await checkout.run(...argv, '--today', today)).toMatchObject({ status: 0 });
  }
  git('add', '.');
  git('commit', '-q', '-m', 'As the check says');
  expect(await checkout.run('check', '--base', 'main')).toMatchObject({ status: 0 });
});
