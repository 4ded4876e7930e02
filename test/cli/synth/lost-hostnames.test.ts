import { expect, it } from 'vitest';
import { hostnamePath } from '../../../src/core/records/hostname-file.ts';
import { hostnameText, routedPoolText } from '../../support/declarations/hostname-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';

const route = 'dist/default/_hostnames/shop.example.com.yaml';
const file = 'leases/shop/name.yaml';

/** A clone of `main` where a commit has removed the record of a routed hostname. */
async function lostRecord() {
  const checkout = await remadeCheckout({
    'leases/pools.yaml': routedPoolText,
    [file]: hostnameText('shop.example.com'),
    'leases/shop/other.yaml': hostnameText('other.example.com'),
  });
  checkout.put(hostnamePath('shop.example.com'), '');
  checkout.commit('2026-01-03');
  return checkout;
}

it('a routed hostname whose record is lost is not given anew, and the hint restores it', async () => {
  const checkout = await lostRecord();
  for (const command of [['check'], ['synth', '--today', '2026-01-05', '--no-base']]) {
    const { status, out } = await checkout.run(...command);
    expect([status, out]).toEqual([
      1,
      expect.stringContaining(
        `${route}:1:1 ALLOCATION_LOST the committed route is of a hostname that leases/hostnames/ does not record\n`,
      ),
    ]);
    const [, restore = ''] =
      /hint: .*: `git (restore .*)`, then run `leasehold synth`/.exec(out) ?? [];
    expect(restore).toContain(' leases/hostnames');
    if (command[0] === 'synth') checkout.repository.git(...restore.split(' '));
  }
  expect((await checkout.run('synth', '--today', '2026-01-05', '--no-base')).status).toBe(0);
  expect(checkout.read(hostnamePath('shop.example.com'))).toContain('since: 2026-01-02\n');
});

it('a routed hostname whose record and declaration are lost keeps its retention', async () => {
  const checkout = await lostRecord();
  checkout.put(file, '');
  checkout.commit('2026-01-04');
  const { status, out } = await checkout.run('synth', '--today', '2026-01-05', '--no-base');
  expect([status, out]).toEqual([1, expect.stringContaining(`${route}:1:1 ALLOCATION_LOST `)]);
});
