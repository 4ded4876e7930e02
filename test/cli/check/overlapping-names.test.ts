import { describe, expect, test } from 'vitest';
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

/** The problems of `check --base main`. */
async function problemsOf({ run }: LeaseCheckout, today: string): Promise<readonly Shown[]> {
  const { out, err } = await run('check', '--base', 'main', '--today', today, '-o', 'json');
  return (JSON.parse(out || err) as { problems?: Shown[] }).problems ?? [];
}

interface Shown {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly at: { readonly file: string };
}

/** The messages of `check --base main`, each with the file that it names. */
async function checked(checkout: LeaseCheckout, today = '2026-01-05'): Promise<readonly string[]> {
  const problems = await problemsOf(checkout, today);
  return problems.map(({ code, message, at }) => `${at.file} ${code} ${message}`);
}

async function hints(checkout: LeaseCheckout): Promise<readonly (string | undefined)[]> {
  return (await problemsOf(checkout, '2026-01-05')).map(({ hint }) => hint);
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

describe('the Service that routes hostnames', () => {
  const gateway = 'leases/gateways/lb.yaml';
  const file = 'leases/shop/name.yaml';
  const named = (namespace: string): string =>
    routes.replace('nginx', `nginx, service: { namespace: ${namespace}, name: lb }`);
  const pools = routedPoolText.replace(routes, named('gateways'));

  const nameFirst =
    'use another name, or have the Service named in routes.service first, in a separate change';

  test('is replaced in one change that moves the DNS name', { tags: 'slow' }, async () => {
    const checkout = await branchOf({
      'leases/pools.yaml': pools,
      [gateway]: reservationText('gateways', '*.apps.example.com'),
      'leases/envoy/lb.yaml': reservationText('envoy', 'lb.envoy.example.org'),
      [file]: hostnameText('shop.apps.example.com'),
      'leases/shop/old.yaml': hostnameText('old.apps.example.com'),
    });
    checkout.put('leases/shop/old.yaml', '');
    await checkout.synth('2026-01-04');
    checkout.repository.git('branch', '-f', 'main');
    checkout.edit('leases/pools.yaml', named('gateways'), named('envoy'));
    checkout.put(gateway, reservationText('gateways', 'lb.gateways.example.org'));
    checkout.put('leases/envoy/lb.yaml', reservationText('envoy', '*.apps.example.com'));
    await checkout.synth('2026-01-05');
    expect(await checked(checkout)).toEqual([]);

    checkout.put('leases/envoy/lb.yaml', reservationText('envoy', '*.example.com'));
    await checkout.synth('2026-01-05');
    expect(await checked(checkout)).toEqual([
      'leases/envoy/lb.yaml HOSTNAME_KEPT the DNS name *.example.com overlaps old.apps.example.com, which is kept for namespace shop until 2026-01-11',
      'leases/envoy/lb.yaml HOSTNAME_TAKEN by routes.service of the base, the DNS name *.example.com overlaps shop.apps.example.com, a hostname of namespace shop',
    ]);
    expect(await hints(checkout)).toEqual([nameFirst, nameFirst]);
  });

  test('is named by the hint when its DNS name overlaps a hostname, held or kept', async () => {
    const checkout = await branchOf({
      [gateway]: reservationText('gateways', '*.example.com'),
    });
    checkout.put(file, hostnameText('shop.example.com'));
    const { out } = await checkout.run('synth', '--today', '2026-01-05');
    expect(out).toContain(
      'hint: remove this one; or, if the Service of the DNS name routes the hostnames, name it in routes.service of the cluster\n',
    );

    checkout.put(gateway, reservationText('gateways', 'lb.example.org'));
    await checkout.synth('2026-01-05');
    checkout.put(file, '');
    checkout.repository.git('branch', '-f', 'main');
    await checkout.synth('2026-01-06');
    checkout.repository.git('branch', '-f', 'main');
    checkout.put(gateway, reservationText('gateways', '*.example.com'));
    expect((await checkout.run('synth', '--today', '2026-01-06')).out).toContain(
      'hint: use another name, or wait until 2026-01-13; or, if the Service routes the hostnames, name it in routes.service of the cluster\n',
    );
  });
});

describe('a name that overlaps a hostname that the target gave and released since the branch started', () => {
  const held = 'leases/shop/wild.yaml';

  /** A branch with a hostname and a DNS name below the wildcard that main gave and released. */
  async function staleBranch(wildcard = '*.example.com'): Promise<LeaseCheckout> {
    const checkout = await branchOf({});
    const { repository, put, synth } = checkout;
    put('leases/blog/name.yaml', hostnameText('a.example.com', { namespace: 'blog' }));
    put('leases/blog/lb.yaml', reservationText('blog', 'b.example.com'));
    put('leases/shop/name.yaml', hostnameText('c.example.com'));
    await synth('2026-01-05');
    repository.git('checkout', '-q', 'main');
    put(held, hostnameText(wildcard));
    await synth('2026-01-04');
    put(held, '');
    await synth('2026-01-05');
    return checkout;
  }

  test('is refused on the stale branch', async () => {
    const checkout = await staleBranch();
    checkout.repository.git('checkout', '-q', 'change');

    const kept = 'overlaps *.example.com, which is kept for namespace shop until 2026-01-12';
    expect(await checked(checkout)).toEqual([
      `leases/blog/lb.yaml HOSTNAME_KEPT in main, the DNS name b.example.com ${kept}`,
      `leases/blog/name.yaml HOSTNAME_KEPT in main, the hostname a.example.com ${kept}`,
    ]);
    const hint = 'use another name; or, from that day on, merge main and run `leasehold synth`';
    expect(await hints(checkout)).toEqual([hint, hint]);
  });

  test('is refused on a merge into the target, with a hint that ends it', {
    tags: 'slow',
  }, async () => {
    const checkout = await staleBranch();
    const { repository, synth } = checkout;
    repository.on('2026-01-05').git('merge', '-q', '--no-edit', 'change');
    repository.git('checkout', '-q', '-B', 'merged');
    repository.git('branch', '-f', 'main', 'HEAD~1');
    expect(await checked(checkout)).toContainEqual(
      expect.stringContaining('ALLOCATION_FORGED a.example.com overlaps *.example.com'),
    );
    expect(await hints(checkout)).toContain(
      'on the branch, after a `git fetch`, run `git merge main`, then `leasehold synth --base main`, and commit what it writes: it gives the name once the other one is free',
    );

    repository.git('checkout', '-q', 'change');
    repository.on('2026-01-05').git('merge', '-q', '--no-edit', 'main');
    const early = await checkout.run('synth', '--today', '2026-01-05', '--base', 'main');
    expect(early.out).toContain('HOSTNAME_KEPT the hostname a.example.com overlaps');
    await synth('2026-01-12');
    expect(await checked(checkout, '2026-01-12')).toEqual([]);
  });

  test('is refused when the base has the name released, and the target gave it again', async () => {
    const checkout = await branchOf({ [held]: hostnameText('*.example.com') });
    const { repository, put, synth } = checkout;
    repository.git('checkout', '-q', 'main');
    put(held, '');
    await synth('2026-01-03');
    repository.git('branch', '-f', 'change');
    put(held, hostnameText('*.example.com'));
    await synth('2026-01-05');
    repository.git('checkout', '-q', 'change');
    put('leases/blog/name.yaml', hostnameText('a.example.com', { namespace: 'blog' }));
    await synth('2026-01-10');

    expect(await checked(checkout, '2026-01-10')).toEqual([
      'leases/blog/name.yaml HOSTNAME_TAKEN in main, the hostname a.example.com overlaps *.example.com, a hostname of namespace shop',
    ]);
  });
});

test('a merge is refused at the name that the target lacks, also when its branch recorded it first', async () => {
  const checkout = await branchOf({});
  const { repository, put, synth } = checkout;
  put('leases/blog/wild.yaml', hostnameText('*.example.com', { namespace: 'blog' }));
  await synth('2026-01-05');
  repository.git('checkout', '-q', 'main');
  put('leases/shop/name.yaml', hostnameText('shop.example.com'));
  await synth('2026-01-06');
  repository.on('2026-01-07').git('merge', '-q', '--no-ff', '-m', 'The merge', 'change');
  repository.git('checkout', '-q', '--detach');
  repository.git('branch', '-f', 'main', 'main~1');
  expect(await checked(checkout, '2026-01-07')).toEqual([
    'leases/blog/wild.yaml HOSTNAME_TAKEN the hostname *.example.com overlaps shop.example.com, a hostname of namespace shop',
  ]);
});
