// @module-tag slow
import { expect, it } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { defaultPoolText } from '../../support/declarations/pools-text.ts';
import { web } from '../../support/repositories/checked-branches.ts';
import { leaseCheckout } from '../../support/repositories/lease-checkout.ts';

const day = ['--today', '2026-01-08'] as const;

it('a file that git puts into a renamed folder is unmerged, and git add ends it', async () => {
  const checkout = await leaseCheckout({
    'leases/pools.yaml': defaultPoolText(),
    'leases/shop/ann.yaml': leaseText('ann', 1, [web]),
    'leases/shop/bob.yaml': leaseText('bob', 2, [web]),
  });
  const { git, isDone } = checkout.repository;
  git('checkout', '-q', '-b', 'renamed');
  git('mv', 'leases/shop', 'leases/store');
  checkout.commit('2026-01-06');
  git('checkout', '-q', '-b', 'added', 'main');
  checkout.put('leases/shop/cat.yaml', leaseText('cat', 3, [web]));
  await checkout.synth('2026-01-07');
  git('checkout', '-q', 'renamed');
  expect(isDone('merge', '-q', 'added')).toBe(false);
  const path = 'leases/store/cat.yaml';
  const { out } = await checkout.run('synth', ...day);
  expect(out).toContain(`${path}:1:1 FILE_UNMERGED the merge has left this file unresolved`);
  const resolved = await checkout.run('resolve', ...day);
  expect(resolved.out).toContain(': one side has it, and the other has renamed it or its folder');
  expect(resolved.out).toContain('hint: `git add` it, and `git mv` it where it belongs');
  git('add', path);
  expect(await checkout.run('resolve', ...day)).toMatchObject({ status: 0 });
  checkout.commit('2026-01-08');
  expect(await checkout.run('check')).toMatchObject({ status: 0 });
});

it('a file that both sides have renamed is unmerged, and not lost', async () => {
  const checkout = await leaseCheckout({
    'leases/pools.yaml': defaultPoolText(),
    'leases/ann.yaml': leaseText('ann', 1, [web]),
  });
  const { git, isDone } = checkout.repository;
  for (const name of ['one', 'two']) {
    git('checkout', '-q', '-b', name, 'main');
    git('mv', 'leases/ann.yaml', `leases/${name}.yaml`);
    checkout.commit('2026-01-06');
  }
  expect(isDone('merge', '-q', 'one')).toBe(false);
  const { out } = await checkout.run('synth', ...day);
  expect(out).toContain('leases/ann.yaml:1:1 FILE_UNMERGED ');
  const resolved = await checkout.run('resolve', ...day);
  expect(resolved.out).toContain('both sides have renamed or removed it\n  hint: `git rm` it\n');
  git('rm', '-q', 'leases/ann.yaml', 'leases/one.yaml');
  git('add', 'leases/two.yaml');
  expect(await checkout.run('resolve', ...day)).toMatchObject({ status: 0 });
});
