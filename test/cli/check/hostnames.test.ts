import { describe, expect, test } from 'vitest';
import { hostnamePath } from '../../../src/core/records/hostname-file.ts';
import { hostnameText, routedPoolText } from '../../support/declarations/hostname-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { checkedOn } from '../../support/repositories/checked-branches.ts';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';

const file = 'leases/shop/name.yaml';
const foreign = 'leases/blog/name.yaml';
const name = 'shop.example.com';
const record = hostnamePath(name);

/** A clone of `main` with one hostname of the namespace shop, on the branch `change`. */
async function branchOf(): Promise<LeaseCheckout> {
  const checkout = await remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': routedPoolText,
    [file]: hostnameText(name),
  });
  checkout.repository.git('checkout', '-q', '-B', 'change');
  return checkout;
}

describe('a hostname of a pull request', () => {
  test('may be new, be routed to another Service of its namespace, and be released', async () => {
    const checkout = await branchOf();
    checkout.put('leases/shop/wild.yaml', hostnameText('*.shop.example.com'));
    checkout.put(file, hostnameText(name, { service: 'api' }));
    await checkout.synth('2026-01-05');
    expect(await checkedOn(checkout, '2026-01-05')).toEqual([]);
    expect(checkout.read(record)).toContain('since: 2026-01-02\n');

    checkout.put(file, '');
    await checkout.synth('2026-01-06');

    expect(await checkedOn(checkout, '2026-01-06')).toEqual([]);
    expect(checkout.read(record)).toContain(
      'released:\n  on: 2026-01-06\n  freeFrom: 2026-01-13\n',
    );
  });

  test('goes to another namespace after its retention only', async () => {
    const checkout = await branchOf();
    checkout.put(file, '');
    await checkout.synth('2026-01-05');
    checkout.repository.git('branch', '-f', 'main');
    checkout.put(foreign, hostnameText(name, { namespace: 'blog' }));

    const early = await checkout.run('synth', '--today', '2026-01-11');
    expect(early.status).toBe(1);
    expect(early.out).toContain(
      `HOSTNAME_KEPT the hostname ${name} is kept for namespace shop until 2026-01-12`,
    );
    await checkout.synth('2026-01-12');

    expect(await checkedOn(checkout, '2026-01-12')).toEqual([]);
    expect(checkout.read(record)).toContain('holder: default/namespace/blog\nsince: 2026-01-12\n');
  });

  test('leaves no record when it was given and released on the branch only', async () => {
    const checkout = await branchOf();
    checkout.put('leases/shop/more.yaml', hostnameText('more.example.com'));
    await checkout.synth('2026-01-05');
    checkout.put('leases/shop/more.yaml', '');
    checkout.repository.git('add', '-A');

    await checkout.run('synth', '--today', '2026-01-06', '--base', 'main');

    expect(checkout.repository.git('status', '--porcelain', '--', 'leases/hostnames')).toBe(
      `D  ${hostnamePath('more.example.com')}\n`,
    );
  });
});

describe('a forged record of a hostname is refused', () => {
  test.each([
    [
      'with another holder',
      async ({ put, edit, commit }: LeaseCheckout) => {
        put(file, '');
        put(foreign, hostnameText(name, { namespace: 'blog' }));
        edit(record, 'namespace/shop', 'namespace/blog');
        commit('2026-01-05');
      },
      `ALLOCATION_FORGED ${name} is held by default/namespace/shop in the base, and goes to default/namespace/blog without having been released before`,
    ],
    [
      'with another day',
      async ({ edit, commit }: LeaseCheckout) => {
        edit(record, 'since: 2026-01-02', 'since: 2026-01-01');
        commit('2026-01-05');
      },
      `ALLOCATION_FORGED ${name} is held since 2026-01-02 in the base, and since 2026-01-01 here`,
    ],
    [
      'without its record',
      async ({ put, commit }: LeaseCheckout) => {
        put(file, '');
        put(record, '');
        commit('2026-01-05');
      },
      `ALLOCATION_FORGED ${name} is held by default/namespace/shop in the base, and no longer has a record`,
    ],
    [
      'free before its retention ends',
      async ({ put, edit, forge }: LeaseCheckout) => {
        put(file, '');
        edit('leases/pools.yaml', 'retentionDays: 7', 'retentionDays: 0');
        edit(record, 'retain: 7', 'retain: 0');
        await forge('2026-01-05');
      },
      `ALLOCATION_FORGED ${name} must be kept for default/namespace/shop until 2026-01-12 at least, and is kept until 2026-01-05`,
    ],
  ])('%s', async (_, change, expected) => {
    const checkout = await branchOf();
    await change(checkout);
    expect(await checkedOn(checkout, '2026-01-05')).toContain(expected);
  });

  test('with a hostname that the base blocks', async () => {
    const checkout = await branchOf();
    const blocked = 'dns: { blocked: [admin.example.com] }\n';
    checkout.edit('leases/pools.yaml', 'hostnames:', `${blocked}hostnames:`);
    await checkout.synth('2026-01-03');
    checkout.repository.git('branch', '-f', 'main');
    checkout.edit('leases/pools.yaml', blocked, '');
    checkout.put('leases/shop/admin.yaml', hostnameText('admin.example.com'));
    await checkout.synth('2026-01-05');
    expect(await checkedOn(checkout, '2026-01-05')).toEqual([
      'DNS_REFUSED the DNS name admin.example.com is in the blocked domain admin.example.com of leases/pools.yaml in the base',
    ]);
  });
});

test('two branches that give one hostname to two namespaces conflict in git', async () => {
  const { repository, put, synth } = await branchOf();
  const more = hostnamePath('more.example.com');
  put('leases/shop/more.yaml', hostnameText('more.example.com'));
  await synth('2026-01-05');
  repository.git('checkout', '-q', '-B', 'other', 'main');
  put('leases/blog/more.yaml', hostnameText('more.example.com', { namespace: 'blog' }));
  await synth('2026-01-05');

  expect(() => repository.git('merge', '-q', 'change')).toThrow();

  expect(repository.git('status', '--porcelain', '--', 'leases/hostnames')).toBe(`AA ${more}\n`);
});

test('prune removes the record of a hostname that is free', async () => {
  const checkout = await branchOf();
  checkout.put(file, '');
  await checkout.synth('2026-01-05');
  checkout.repository.git('branch', '-f', 'main');
  expect((await checkout.run('prune', '--today', '2026-01-11')).out).toContain(
    'no address changes',
  );

  const { out } = await checkout.run('prune', '--today', '2026-01-12');

  expect(out).toContain(`- ${name}  removed  -  default/namespace/shop\n`);
  checkout.commit('2026-01-12');
  expect(await checkedOn(checkout, '2026-01-12')).toEqual([]);
});
