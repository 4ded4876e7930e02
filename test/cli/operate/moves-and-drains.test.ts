// @module-tag slow

import { describe, expect, it } from 'vitest';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { remade } from '../../support/repositories/cached-repository.ts';
import { begin, found, web } from '../../support/repositories/checked-branches.ts';
import { type LeaseCheckout, recordOf } from '../../support/repositories/lease-checkout.ts';

const front = (name: string) => `default/akash/${accountOf(name)}-ip-front`;

/** `ann` and `bob` without pins, in pools that lie in one zone: `default`, and `next` with both families. */
function operated(): Promise<LeaseCheckout> {
  return remade('two pools in one zone', async () => {
    const checkout = await begin();
    checkout.put('leases/ann.yaml', leaseText('ann', 1, [web]));
    checkout.put('leases/bob.yaml', leaseText('bob', 2, [web]));
    const pools = checkout.read('leases/pools.yaml');
    const next =
      "  - name: next\n    zone: inet\n    addresses: [198.51.100.0/28, '2001:db8::/64']\n";
    checkout.put('leases/pools.yaml', `${pools}${next}`);
    await checkout.synth('2026-01-06', 'Two pools');
    checkout.repository.git('checkout', '-q', '-B', 'main');
    checkout.repository.git('checkout', '-q', '-b', 'operating');
    return checkout;
  });
}

async function addressesOf(checkout: LeaseCheckout, name: string): Promise<string> {
  const { out } = await checkout.run('list', '-o', 'json');
  const { items } = JSON.parse(out) as {
    items: { holder: string; state: string; addresses: string[] }[];
  };
  return items
    .filter(({ holder, state }) => holder === front(name) && state === 'held')
    .flatMap(({ addresses }) => addresses)
    .join();
}

async function expectSound(checkout: LeaseCheckout, day: string): Promise<void> {
  checkout.commit(day);
  expect(await found(checkout)).toEqual([]);
}

/** The same, and then main has it. */
async function expectMerged(checkout: LeaseCheckout, day: string): Promise<void> {
  await expectSound(checkout, day);
  checkout.repository.git('branch', '-f', 'main');
}

describe('moving and draining', () => {
  it('a draining pool keeps its addresses, assigns no new ones, and is emptied by moves', async () => {
    const checkout = await operated();
    checkout.edit(
      'leases/pools.yaml',
      '    retentionDays: 10\n',
      '    retentionDays: 10\n    state: draining\n',
    );
    checkout.put('leases/cat.yaml', leaseText('cat', 5, [web]));
    expect((await checkout.run('synth', '--today', '2026-01-10')).status).toBe(0);
    expect(await addressesOf(checkout, 'ann')).toBe('203.0.113.1');
    expect(await addressesOf(checkout, 'cat')).toMatch(/^198\.51\.100\./);
    const back = await checkout.run(
      'move',
      front('cat'),
      '--to',
      '203.0.113.9',
      '--today',
      '2026-01-10',
    );
    expect(back.out).toContain('POOL_DRAINING');
    const moved = await checkout.run('move', '203.0.113.0/28', '--today', '2026-01-10');
    expect([moved.status, moved.out]).toEqual([
      0,
      expect.stringContaining(
        '203.0.113.1 is kept until 2026-01-20; no new holder gets it: pool default is draining',
      ),
    ]);
    const kept = 'kept until 2026-01-20, pool default is draining';
    expect((await checkout.run('list')).out).toContain(`released, ${kept}`);
    expect((await checkout.run('who', '203.0.113.1')).out).toContain(`2026-01-10, ${kept}`);
    expect((await checkout.run('who', '203.0.113.9')).out).toMatch(
      /203\.0\.113\.9 +draining +default/,
    );
    expect((await checkout.run('plan', '--base', 'main')).out).toContain(kept);
    expect(await addressesOf(checkout, 'ann')).toMatch(/^198\.51\.100\./);
    await expectSound(checkout, '2026-01-10');
    const gone = checkout.read('leases/pools.yaml').replace(/ {2}- name: default\n( {4}.*\n)*/, '');
    checkout.put('leases/pools.yaml', gone);
    expect((await checkout.run('synth', '--today', '2026-01-11')).status).toBe(0);
    await expectSound(checkout, '2026-01-11');
    expect((await checkout.run('list')).out).toContain('kept until 2026-01-20, no pool has it');
  });

  it('a held address is reserved by a move', async () => {
    const checkout = await operated();
    checkout.edit(
      'leases/pools.yaml',
      '    retentionDays: 10\n',
      '    retentionDays: 10\n    reserved: [203.0.113.1]\n',
    );
    const refused = await checkout.run('synth', '--today', '2026-01-10');
    expect(refused.out).toMatch(/ADDRESS_STRANDED 203\.0\.113\.1 .* pool default reserves it/);
    expect(refused.out).toContain('leasehold move 203.0.113.1');
    expect((await checkout.run('move', '203.0.113.1', '--today', '2026-01-10')).status).toBe(0);
    await expectSound(checkout, '2026-01-10');
  });

  it('a lease changes its zone by a move', async () => {
    const checkout = await operated();
    checkout.edit('leases/pools.yaml', 'name: next\n    zone: inet', 'name: next\n    zone: edge');
    checkout.edit('leases/pools.yaml', 'kind: Pools\n', 'kind: Pools\ndefaultZone: inet\n');
    await checkout.synth('2026-01-10', 'Another zone, in a pull request of its own');
    checkout.repository.git('branch', '-q', '-f', 'main');
    checkout.put('leases/ann.yaml', leaseText('ann', 1, [{ ...web, zone: 'edge' }]));
    expect((await checkout.run('synth', '--today', '2026-01-10')).out).toContain(
      'request zone edge',
    );
    expect((await checkout.run('move', front('ann'), '--today', '2026-01-10')).status).toBe(0);
    expect(await addressesOf(checkout, 'ann')).toMatch(/^198\.51\.100\./);
    await expectSound(checkout, '2026-01-10');
  });

  it('a lease becomes dual-stack and single-stack again, and keeps its first address', async () => {
    const checkout = await operated();
    await checkout.run('move', front('ann'), '--pool', 'next', '--today', '2026-01-10');
    const before = await addressesOf(checkout, 'ann');
    checkout.put('leases/ann.yaml', leaseText('ann', 1, [{ ...web, ipFamily: 'dual' }]));
    expect((await checkout.run('synth', '--today', '2026-01-10')).status).toBe(0);
    const both = await addressesOf(checkout, 'ann');
    expect(both).toMatch(new RegExp(`^${before},2001:db8::`));
    await expectMerged(checkout, '2026-01-10');
    checkout.put('leases/ann.yaml', leaseText('ann', 1, [web]));
    expect((await checkout.run('synth', '--today', '2026-01-10')).status).toBe(0);
    expect(await addressesOf(checkout, 'ann')).toBe(before);
    expect(checkout.read(recordOf(both.split(',')[1] ?? ''))).toContain('freeFrom: 2026-01-11');
    await expectSound(checkout, '2026-01-10');
  });

  it('a dual-stack lease is moved as a pair, or in the second family, and never in the first alone', async () => {
    const checkout = await operated();
    checkout.put(
      'leases/ann.yaml',
      leaseText('ann', 1, [{ ...web, pool: 'next', ipFamily: 'dual' }]),
    );
    await checkout.run('move', front('ann'), '--today', '2026-01-10');
    const [four, six] = (await addressesOf(checkout, 'ann')).split(',');
    const refused = await checkout.run(
      'move',
      front('ann'),
      '--family',
      'ipv4',
      '--today',
      '2026-01-10',
    );
    expect(refused.out).toContain('MOVE_REFUSED');
    await checkout.run('move', front('ann'), '--family', 'ipv6', '--today', '2026-01-10');
    const [sameFour, otherSix] = (await addressesOf(checkout, 'ann')).split(',');
    expect([sameFour === four, otherSix === six]).toEqual([true, false]);
    await expectMerged(checkout, '2026-01-10');
    await checkout.run('move', front('ann'), '--today', '2026-01-10');
    const { out: plan } = await checkout.run('plan', '--base', 'main');
    expect(plan.match(/^LEASE_MOVED /gm)).toHaveLength(2);
    expect(plan).not.toContain('REACH_CHANGED');
    expect(await addressesOf(checkout, 'ann')).not.toContain(four);
    await expectSound(checkout, '2026-01-10');
  });

  it('a moved lease that ends retains its last address', async () => {
    const checkout = await operated();
    await checkout.run('move', front('ann'), '--to', '203.0.113.9', '--today', '2026-01-10');
    await expectMerged(checkout, '2026-01-10');
    await checkout.run('release', front('ann'), '--today', '2026-01-11');
    await expectSound(checkout, '2026-01-11');
    checkout.put('leases/ann.yaml', leaseText('ann', 1, [web]));
    expect((await checkout.run('synth', '--today', '2026-01-12')).out).toContain(
      '203.0.113.9  reclaimed',
    );
  });

  it('prune removes the records that a move left once they are free', async () => {
    const checkout = await operated();
    await checkout.run('move', front('ann'), '--to', '203.0.113.9', '--today', '2026-01-10');
    await checkout.synth('2026-01-10', 'Moved');
    checkout.repository.git('checkout', '-q', '-B', 'main');
    await checkout.run('prune', '--today', '2026-01-20');
    checkout.commit('2026-01-20', 'Prune');
    expect((await checkout.run('check', '--base', 'HEAD~1')).status).toBe(0);
  });
});
