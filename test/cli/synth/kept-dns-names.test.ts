import { expect, it } from 'vitest';
import {
  hostnameText,
  reservationText,
  routedPoolText,
} from '../../support/declarations/hostname-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';

const shop = 'leases/shop/name.yaml';
const routes =
  ', routes: { kind: Ingress, className: nginx, service: { namespace: gateways, name: lb } }';
const emit = 'emit: { dnsEndpoints: true }\n';

/**
 * A `main` without a remote. The gateway's own Service has a DNS name above a hostname, and on
 * 2026-01-05 the last hostname and the routes were removed.
 */
async function withoutRoutes(): Promise<LeaseCheckout> {
  const checkout = await remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': `${routedPoolText.replace(/, routes: \{.*?\}/, routes)}${emit}`,
    'leases/gateways/lb.yaml': reservationText('gateways', '*.example.com'),
    'leases/blog/lb.yaml': reservationText('blog', 'blog.example.org'),
    [shop]: hostnameText('shop.example.com'),
  });
  checkout.put(shop, '');
  checkout.edit('leases/pools.yaml', routes, '');
  await checkout.synth('2026-01-05');
  return checkout;
}

it('a DNS name that main has is not refused by the release of an overlapping hostname', async () => {
  const { put, synth, run } = await withoutRoutes();

  put('leases/blog/more.yaml', reservationText('blog', 'more.example.org', 'more'));
  await synth('2026-01-06');

  expect(await run('resolve', '--today', '2026-01-07')).toMatchObject({ status: 0 });
  expect(await run('check')).toMatchObject({ status: 0 });
});

it('nor on a main whose manifests are of an older version', async () => {
  const { read, put, commit, run } = await withoutRoutes();
  const file = 'dist/default/gateways/lb.yaml';
  put(file, `${read(file)}\n`);
  commit('2026-01-06');

  expect(await run('synth', '--today', '2026-01-07')).toMatchObject({ status: 0 });
});

it('a DNS name that was committed without a run is refused while an overlapping name is kept', async () => {
  const { put, commit, run } = await withoutRoutes();
  put('leases/gateways/lb.yaml', reservationText('gateways', 'gateways.example.org'));
  put('leases/blog/lb.yaml', reservationText('blog', 'shop.example.com'));
  commit('2026-01-06');

  for (const command of ['synth', 'resolve']) {
    const { status, out } = await run(command, '--today', '2026-01-07');
    expect([status, out]).toEqual([
      1,
      expect.stringContaining(
        'HOSTNAME_KEPT the DNS name shop.example.com is kept for namespace shop until 2026-01-12',
      ),
    ]);
  }
});
