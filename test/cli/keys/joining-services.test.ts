// @module-tag slow

import { describe, expect, test } from 'vitest';
import { poolsText } from '../../support/declarations/pools-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { found, mended } from '../../support/repositories/checked-branches.ts';
import { owned, owners, serviceText } from '../../support/repositories/key-owner.ts';
import { type LeaseCheckout, recordOf } from '../../support/repositories/lease-checkout.ts';

const web = 'leases/shop/web.yaml';
const [first, other] = ['203.0.113.0', '203.0.113.7'];
const share = 'ipam.vitistack.io/allow-local-shared-ip: front';
const pools = poolsText(`clusters: [{ name: default }]
defaultZone: inet
pools:
  - { name: default, zone: inet, addresses: [203.0.113.0/28], strategy: lowest, retentionDays: 5 }
  - { name: edge, zone: edge, addresses: [198.51.100.0/28] }
`);

/** `shop/web` alone on the first address, on `main`. */
async function alone(): Promise<LeaseCheckout> {
  const checkout = await remadeCheckout({ 'leases/pools.yaml': pools, [web]: serviceText('shop') });
  checkout.repository.git('checkout', '-q', '-b', 'change');
  return checkout;
}

/** Writes by hand that the key has another address, and the Service's own is released. */
function byHand(checkout: LeaseCheckout): void {
  const record = checkout.read(recordOf(first));
  const given = record.replace(first, other).replace('service/shop/web', 'shared/shop/front');
  checkout.put(recordOf(other), given.replace('2026-01-02', '2026-01-10'));
  checkout.put(recordOf(first), `${record}released:\n  on: 2026-01-10\n  freeFrom: 2026-01-15\n`);
}

describe('a Service that takes a sharing key', () => {
  test('may not go to an address whose record was written by hand for the key', async () => {
    const checkout = await alone();
    checkout.put(web, serviceText('shop', share));
    byHand(checkout);
    await checkout.forge('2026-01-10');
    expect((await checkout.run('check')).status).toBe(0);
    expect(await found(checkout)).toEqual([`ALLOCATION_FORGED ${recordOf(other)}`]);
    const { out } = await checkout.run('check', '--base', 'main');
    expect(out).toContain(
      `${other} is held by default/shared/shop/front, and its Service default/service/shop/web has ${first} in the base and was not moved from there by \`leasehold move\``,
    );
    await mended(checkout, '2026-01-10');
    expect(await found(checkout)).toEqual([]);
    expect(checkout.read(recordOf(first))).toContain('default/shared/shop/front');
  });

  test('gets another address when its change is reverted, by the command in the hint', async () => {
    const checkout = await alone();
    checkout.put(web, serviceText('shop', share));
    await checkout.synth('2026-01-10');
    checkout.repository.git('branch', '-q', '-f', 'main');
    checkout.repository.on('2026-01-11').git('revert', '--no-edit', 'HEAD');
    expect(await found(checkout)).toEqual([`ALLOCATION_FORGED ${recordOf(first)}`]);
    await mended(checkout, '2026-01-11');
    expect(await found(checkout)).toEqual([]);
    expect(checkout.read(recordOf(first))).toContain('freeFrom: 2026-01-16');
  });

  test('can be moved in the same change, by its old address or its new name', async () => {
    for (const name of [first, 'shop/web', 'default/shared/shop/front']) {
      const checkout = await alone();
      checkout.put(web, serviceText('shop', share));
      const moved = await checkout.run('move', name, '--to', other, '--today', '2026-01-10');
      expect(moved.out).toContain('1 allocated, 1 released');
      expect(moved.out).toContain(`${first} -> ${other}  default/shared/shop/front`);
      checkout.commit('2026-01-10');
      expect(await found(checkout)).toEqual([]);
    }
  });

  test('gets another address where the key wants another zone, and the plan tells it', async () => {
    const checkout = await alone();
    checkout.put(web, serviceText('shop', share, 'ipam.vitistack.io/zone: edge'));
    await checkout.synth('2026-01-10');
    expect(await found(checkout)).toEqual([]);
    const { out } = await checkout.run('plan', '--base', 'main');
    expect(out).toMatch(/^Caution: .* moves from 203\.0\.113\.0 to 198\.51\.100\./);
  });

  test('with another key is told to change the key first', async () => {
    const checkout = await owners();
    await checkout.run('key', 'new', 'shop/next', '--secret-file', checkout.secret);
    const next = owned.map((line) => line.replace(': own', ': next'));
    checkout.put(web, serviceText('shop', ...next, share));
    const { out } = await checkout.run('synth', '--today', '2026-01-10');
    expect(out).toContain('NOT_PROVEN');
    expect(out).toContain(
      'hint: name the key of the address in all of them; or change the key of the address first, in a separate change',
    );
  });
});
