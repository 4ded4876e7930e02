import { expect, it } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { begin, pinned } from '../../support/repositories/checked-branches.ts';

it('a merge that a forge makes is stale by the target: the hint ends on the branch', {
  tags: 'slow',
}, async () => {
  const checkout = await begin();
  const { git } = checkout.repository;
  checkout.put('leases/dan.yaml', leaseText('dan', 4, [pinned(4)]));
  await checkout.synth('2026-01-06', 'Dan begins');
  git('checkout', '-q', 'main');
  git('merge', '-q', '--ff-only', 'change~1');
  checkout.edit('leases/pools.yaml', 'retentionDays: 10', 'retentionDays: 4');
  await checkout.synth('2026-01-07', 'A shorter retention');
  const mergeRef = () => {
    git('checkout', '-q', '--detach', 'main');
    git('merge', '-q', '--no-ff', '-m', 'Merge', 'change');
    return checkout.run('check', '--base', 'main', '--head', 'HEAD');
  };

  const { status, out } = await mergeRef();
  expect([status, out]).toEqual([1, expect.stringContaining(' STALE ')]);
  const [, merge = '', resolve = ''] =
    /run `git (merge main)` there, then `leasehold (resolve)`$/m.exec(out) ?? [];
  git('checkout', '-q', 'change');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.com');
  git(...merge.split(' '), '--no-edit');
  await checkout.run(resolve, '--today', '2026-01-08');
  await checkout.run('synth', '--today', '2026-01-08');
  checkout.commit('2026-01-08', 'As the check says');
  expect(await mergeRef()).toMatchObject({ status: 0 });
});
