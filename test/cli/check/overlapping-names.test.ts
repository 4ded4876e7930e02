import { expect, test } from 'vitest';
import {
  hostnameText,
  reservationText,
  routedPoolText,
} from '../../support/declarations/hostname-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';

const routes = 'routes: { kind: Ingress, className: nginx }';

/** A clone of `main`, on the branch `change`. */
async function branchOf(more: Readonly<Record<string, string>>): Promise<LeaseCheckout> {
  const checkout = await remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': routedPoolText,
    ...more,
  });
  checkout.repository.git('checkout', '-q', '-B', 'change');
  return checkout;
}

/** The messages of `check --base main`, each with the file that it names. */
async function checked({ run }: LeaseCheckout): Promise<readonly string[]> {
  const { out, err } = await run('check', '--base', 'main', '--today', '2026-01-05', '-o', 'json');
  const { problems = [] } = JSON.parse(out || err) as {
    problems?: { code: string; message: string; at: { file: string } }[];
  };
  return problems.map(({ code, message, at }) => `${at.file} ${code} ${message}`);
}

test('a pull request that names its own Service in routes.service takes no names with it', async () => {
  const checkout = await branchOf({ 'leases/shop/name.yaml': hostnameText('shop.example.com') });
  const named = routes.replace('nginx', 'nginx, service: { namespace: blog, name: lb }');
  checkout.edit('leases/pools.yaml', routes, named);
  checkout.put('leases/blog/lb.yaml', reservationText('blog', '*.example.com'));
  await checkout.synth('2026-01-05');

  expect(await checked(checkout)).toEqual([
    'leases/blog/lb.yaml HOSTNAME_TAKEN by routes.service of the base, the DNS name *.example.com overlaps shop.example.com, a hostname of namespace shop',
  ]);

  checkout.put('leases/blog/lb.yaml', '');
  await checkout.synth('2026-01-05');
  checkout.repository.git('branch', '-f', 'main');
  checkout.put('leases/blog/lb.yaml', reservationText('blog', '*.example.com'));
  await checkout.synth('2026-01-05');
  expect(await checked(checkout)).toEqual([]);
});

test('a name is refused that the target gave to another namespace since the branch started', async () => {
  const checkout = await branchOf({});
  const { repository, put, synth } = checkout;
  repository.git('checkout', '-q', 'main');
  put('leases/shop/wild.yaml', hostnameText('*.example.com'));
  await synth('2026-01-05');
  repository.git('checkout', '-q', 'change');
  put('leases/blog/name.yaml', hostnameText('a.example.com', { namespace: 'blog' }));
  put('leases/shop/name.yaml', hostnameText('b.example.com'));
  await synth('2026-01-05');

  expect(await checked(checkout)).toEqual([
    'leases/blog/name.yaml HOSTNAME_TAKEN in main, the hostname a.example.com overlaps *.example.com, a hostname of namespace shop',
  ]);
});
