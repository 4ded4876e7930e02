import { expect, it } from 'vitest';
import { poolsText } from '../../support/declarations/pools-text.ts';
import { serviceText } from '../../support/declarations/service-text.ts';
import { type LeaseCheckout, leaseCheckout } from '../../support/repositories/lease-checkout.ts';

const pools = poolsText(`pools:
  - { name: lan, zone: lan, addresses: [203.0.113.0/28], retentionDays: 1, advertise: { l2: {} } }
`);

async function addressOf(checkout: LeaseCheckout, name: string): Promise<string> {
  const { out } = await checkout.run('who', `shop/${name}`);
  const [, address = ''] = /^(\S+) +held/m.exec(out) ?? [];
  return address;
}

/** Moves a holder in a pull request of its own, which is merged on that day. */
async function landed(checkout: LeaseCheckout, today: string, ...move: readonly string[]) {
  const { git } = checkout.repository.on(today);
  git('checkout', '-q', '-b', `on-${today}`);
  const { status, out, err } = await checkout.run('move', ...move, '--today', today);
  expect([status, out + err]).toEqual([0, expect.any(String)]);
  checkout.commit(today, 'Move');
  expect(await checkout.run('check', '--base', 'main')).toMatchObject({ status: 0 });
  git('checkout', '-q', 'main');
  git('merge', '-q', '--no-ff', '-m', 'Merge', `on-${today}`);
}

it('two holders exchange their addresses in three changes, each once the address is free', async () => {
  const checkout = await leaseCheckout({
    'leases/pools.yaml': pools,
    'leases/shop/mail.yaml': serviceText('mail'),
    'leases/shop/web.yaml': serviceText('web'),
  });
  const [mail, web] = [await addressOf(checkout, 'mail'), await addressOf(checkout, 'web')];

  await landed(checkout, '2026-01-05', 'shop/mail');
  const early = await checkout.run('move', 'shop/web', '--to', mail, '--today', '2026-01-05');
  expect(early).toMatchObject({ status: 1, out: expect.stringContaining('until 2026-01-06') });
  expect(early.out).toContain('hint: wait until it is free, or name another address with --to');
  await landed(checkout, '2026-01-06', 'shop/web', '--to', mail);
  await landed(checkout, '2026-01-07', 'shop/mail', '--to', web);

  expect([await addressOf(checkout, 'mail'), await addressOf(checkout, 'web')]).toEqual([
    web,
    mail,
  ]);
  expect(await checkout.run('check')).toMatchObject({ status: 0 });
});
