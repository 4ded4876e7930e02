import { expect, it } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { begin, found, pinned, web } from '../../support/repositories/checked-branches.ts';
import { recordOf } from '../../support/repositories/lease-checkout.ts';

it('a date ahead of today that was merged is put right by one run on the commit before it', {
  tags: 'slow',
}, async () => {
  const checkout = await begin();
  const { git, on } = checkout.repository;
  git('checkout', '-q', 'main');
  const sound = checkout.idOf('main');
  checkout.put('leases/cat.yaml', leaseText('cat', 4, [web]));
  checkout.put('leases/bob.yaml', '');
  git('add', '-A');
  await checkout.run('synth', '--today', '2099-12-31');
  checkout.commit('2026-01-10', 'A wrong clock');
  git('checkout', '-q', '-b', 'meanwhile', sound);
  checkout.put('leases/fay.yaml', leaseText('fay', 9, [pinned(11)]));
  await checkout.synth('2026-01-10');
  git('checkout', '-q', 'main');
  on('2026-01-10').git('merge', '-q', '--no-edit', 'meanwhile');
  const before = (await checkout.run('list', '-o', 'csv')).out;

  git('checkout', '-q', '-b', 'right-dates');
  checkout.put('leases/eve.yaml', leaseText('eve', 5, [web]));
  expect((await checkout.run('synth', '--today', '2026-01-11')).out).toContain('DATE_EARLIER');
  checkout.put('leases/eve.yaml', '');
  const repair = ['synth', '--base', sound, '--today', '2026-01-11'];
  expect(await checkout.run(...repair)).toMatchObject({ status: 0 });
  checkout.commit('2026-01-11');

  expect(await checkout.run('check', '--base', sound, '--head', 'HEAD')).toMatchObject({
    status: 0,
  });
  expect((await found(checkout)).map((line) => line.split(' ')[0])).toEqual([
    'ALLOCATION_FORGED',
    'ALLOCATION_FORGED',
  ]);
  expect(checkout.repository.isDone('grep', '-q', '2099', '--', 'leases')).toBe(false);
  expect(checkout.read(recordOf('203.0.113.2'))).toContain(
    'on: 2026-01-11\n  freeFrom: 2026-01-21',
  );
  const held = (text: string) => text.split('\n').filter((line) => line.includes('held'));
  expect(held((await checkout.run('list', '-o', 'csv')).out)).toEqual(held(before));
});
