// @module-tag slow
import { expect, it } from 'vitest';
import { hostnameText, routedPoolText } from '../../support/declarations/hostname-text.ts';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { providerPoolsText } from '../../support/declarations/pools-text.ts';
import { remade, remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { found, heldBy, mended, pinned, web } from '../../support/repositories/checked-branches.ts';
import {
  type LeaseCheckout,
  leaseCheckout,
  recordOf,
} from '../../support/repositories/lease-checkout.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { tempTree } from '../../support/trees/temp-tree.ts';

const record = recordOf('203.0.113.1');

const pools = providerPoolsText(`pools:
  - { name: default, zone: inet, addresses: [203.0.113.1-203.0.113.2], retentionDays: 1 }
`);

/** The branch `change` ends the lease of .1 on 2026-01-06; all of .2 stays held. */
function opened(): Promise<LeaseCheckout> {
  return remade('a release of one day', async () => {
    const checkout = await leaseCheckout({
      'leases/pools.yaml': pools,
      'leases/ann.yaml': leaseText('ann', 1, [pinned(1)]),
      'leases/bob.yaml': leaseText('bob', 2, [pinned(2)]),
    });
    checkout.repository.git('checkout', '-q', '-b', 'change');
    checkout.put('leases/ann.yaml', '');
    await checkout.synth('2026-01-06');
    return checkout;
  });
}

/** The same, merged into main on 2026-02-14, with a branch that gives .1 to another. */
async function landed(how: 'merge' | 'squash' = 'merge'): Promise<LeaseCheckout> {
  const checkout = await opened();
  const { git, on } = checkout.repository;
  const on14 = on('2026-02-14').git;
  git('checkout', '-q', 'main');
  if (how === 'merge') on14('merge', '-q', '--no-ff', '-m', 'Merge pull request #12', 'change');
  else {
    git('merge', '-q', '--squash', 'change');
    on14('commit', '-q', '-m', 'Ann ends (#12)');
  }
  git('checkout', '-q', '-b', 'next');
  return checkout;
}

it.each(['merge', 'squash'] as const)(
  'a retention counts from the day on which a release lands: %s',
  async (how) => {
    const checkout = await landed(how);
    for (const [words, problem] of [
      [pinned(1), / PIN_RETAINED .*2026-02-15/],
      [web, / POOL_EXHAUSTED /],
    ] as const) {
      checkout.put('leases/cat.yaml', leaseText('cat', 4, [words]));
      const { status, out } = await checkout.run('synth', '--today', '2026-02-14');
      expect([status, out]).toEqual([1, expect.stringMatching(problem)]);
      expect((await checkout.run('synth', '--today', '2026-02-14', '--no-base')).status).toBe(1);
    }
    await checkout.synth('2026-02-15');
    expect(checkout.read(record)).toContain('since: 2026-02-15');
    expect(await found(checkout)).toEqual([]);
    checkout.repository.git('checkout', '-q', 'main');
    checkout.repository.on('2026-02-15').git('merge', '-q', '--no-ff', '-m', 'Next', 'next');
    expect(await found(checkout, '--base', 'main~1')).toEqual([]);
  },
);

it('an address that is given before is refused at the gate, and one run gives it later', async () => {
  const checkout = await landed();
  checkout.put('leases/cat.yaml', leaseText('cat', 4, [web]));
  heldBy(checkout, '203.0.113.1', 'cat', '2026-02-14');
  checkout.edit(record, 'retain: 10', 'retain: 1');
  await checkout.forge('2026-02-14');
  expect(await found(checkout)).toEqual([`ALLOCATION_FORGED ${record}`]);
  await mended(checkout, '2026-02-15');
  expect(checkout.read(record)).toContain('since: 2026-02-15');
  expect(await found(checkout)).toEqual([]);
});

it('prune keeps the record so long, and the gate refuses its removal', async () => {
  const checkout = await landed();
  expect((await checkout.run('prune', '--today', '2026-02-14')).status).toBe(0);
  expect(checkout.read(record)).toContain('released:');
  checkout.repository.git('rm', '-q', record);
  checkout.commit('2026-02-14');
  expect(await found(checkout)).toEqual([`ALLOCATION_FORGED ${record}`]);
  checkout.repository.git('reset', '-q', '--hard', 'main');
  expect((await checkout.run('prune', '--today', '2026-02-15')).out).toContain('1 removed');
  checkout.commit('2026-02-15');
  expect(await found(checkout)).toEqual([]);
});

it('so does that of a hostname', async () => {
  const checkout = await remadeCheckout({
    'leases/pools.yaml': routedPoolText,
    'leases/shop/web.yaml': hostnameText('shop.example.com'),
  });
  checkout.repository.git('checkout', '-q', '-b', 'change');
  checkout.put('leases/shop/web.yaml', '');
  await checkout.synth('2026-01-06');
  checkout.repository.git('checkout', '-q', 'main');
  checkout.repository.on('2026-03-14').git('merge', '-q', '--no-ff', '-m', 'Merge', 'change');
  checkout.repository.git('checkout', '-q', '-b', 'next');
  checkout.put('leases/other/web.yaml', hostnameText('shop.example.com', { namespace: 'other' }));
  const { out } = await checkout.run('synth', '--today', '2026-03-20');
  expect(out).toMatch(/ HOSTNAME_KEPT .*2026-03-21/);
  await checkout.synth('2026-03-21');
  expect(await found(checkout)).toEqual([]);
});

it('its own holder gets it back at once', async () => {
  const checkout = await landed();
  checkout.put('leases/ann.yaml', leaseText('ann', 1, [pinned(1)]));
  await checkout.synth('2026-02-14');
  expect(await found(checkout)).toEqual([]);
});

it('no landing is before what main had already, however the commits of a fast-forward are dated', async () => {
  const checkout = await opened();
  const { git, on } = checkout.repository;
  git('checkout', '-q', 'main');
  for (const day of ['2026-02-14', '2099-01-01', '2001-01-01']) checkout.commit(day, 'Meanwhile');
  git('checkout', '-q', 'change');
  on('2026-01-06').git('rebase', '-q', '--force-rebase', 'main');
  git('checkout', '-q', '-B', 'main');
  checkout.commit('2001-01-01', 'Older still');
  git('checkout', '-q', '-b', 'next');
  checkout.put('leases/cat.yaml', leaseText('cat', 4, [pinned(1)]));
  const { out } = await checkout.run('synth', '--today', '2026-02-14');
  expect(out).toMatch(/ PIN_RETAINED .*2026-02-15/);
  await checkout.synth('2026-02-15');
  expect(await found(checkout)).toEqual([]);
});

it.each([
  ['record alone when it lacks the landing', 1, '1 removed'],
  ['landing when it has it', 2, 'all files up to date'],
])('a shallow clone goes by the %s', async (_, depth, text) => {
  const checkout = await landed();
  const root = tempTree();
  const clone = ['clone', '-q', '--depth', `${depth}`, '--branch', 'main'];
  checkout.repository.git(...clone, `file://${checkout.root}`, root);
  const { status, out } = await runInProcess(['prune', '--today', '2026-02-14'], root);
  expect([status, out]).toEqual([0, expect.stringContaining(text)]);
});

it('a release that is older than its retention on the target is refused, and one run renews it', async () => {
  const checkout = await opened();
  for (const [day, problems] of [
    ['2026-01-07', []],
    ['2026-01-08', [`DATE_BEHIND ${record}`]],
  ] as const) {
    checkout.repository.git('checkout', '-q', 'main');
    checkout.commit(day, 'Meanwhile');
    checkout.repository.git('checkout', '-q', 'change');
    expect(await found(checkout)).toEqual(problems);
    checkout.repository.git('checkout', '-q', '--detach', 'main');
    checkout.repository.on(day).git('merge', '-q', '--no-ff', '-m', 'The merge', 'change');
    expect(await found(checkout, '--head', 'HEAD')).toEqual(problems);
    checkout.repository.git('checkout', '-q', 'change');
  }
  await mended(checkout, '2026-01-08');
  expect(checkout.read(record)).toContain('on: 2026-01-08\n  freeFrom: 2026-01-09');
  expect(await found(checkout)).toEqual([]);
  checkout.repository.on('2026-01-08').git('rebase', '-q', 'main');
  expect(await found(checkout)).toEqual([]);
});
