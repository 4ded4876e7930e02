import { expect, test } from 'vitest';
import { l2PoolText } from '../../support/declarations/pools-text.ts';
import { serviceText } from '../../support/declarations/service-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';

const file = 'leases/shop/web.yaml';
const rules = 'dns: { blocked: [admin.example.com] }\n';

/** The lines of `check --base main` after a branch that removes the rules, with names of the Service. */
async function checkedWithout(names: string): Promise<readonly string[]> {
  const checkout = await remadeCheckout({
    'leases/pools.yaml': `${l2PoolText}${rules}`,
    [file]: serviceText('web', { dns: 'shop.example.com' }),
  });
  checkout.repository.git('checkout', '-q', '-B', 'change');
  checkout.edit('leases/pools.yaml', rules, '');
  checkout.put(file, serviceText('web', { dns: names }));
  await checkout.synth('2026-01-10');
  const { out } = await checkout.run('check', '--base', 'main');
  return out.split('\n').filter((line) => /^leases\S+ DNS_REFUSED /.test(line));
}

test('a pull request cannot unblock a DNS name that it requests', async () => {
  expect(await checkedWithout('shop.example.com,admin.example.com')).toEqual([
    expect.stringContaining(
      'DNS_REFUSED the DNS name admin.example.com is in the blocked domain admin.example.com of leases/pools.yaml in the base',
    ),
  ]);
});

test('a pull request may unblock a DNS name that it does not request', async () => {
  expect(await checkedWithout('shop.example.com')).toEqual([]);
});

test('a pull request cannot allow itself a DNS name', async () => {
  const policy = (names: string): string => `apiVersion: leasehold.dev/v1
kind: Policy
tenants: [{ name: shop, folders: [leases/shop], namespaces: [shop], hostnames: [${names}] }]
`;
  const checkout = await remadeCheckout({
    'leases/pools.yaml': l2PoolText,
    'leases/policy.yaml': policy('shop.example.com'),
    [file]: serviceText('web', { dns: 'shop.example.com' }),
  });
  checkout.repository.git('checkout', '-q', '-B', 'change');
  checkout.put('leases/policy.yaml', policy('shop.example.com, admin.example.com'));
  checkout.put(file, serviceText('web', { dns: 'shop.example.com,admin.example.com' }));
  await checkout.synth('2026-01-10');
  const { out } = await checkout.run('check', '--base', 'main');
  expect(out.split('\n').filter((line) => /^leases\S+ POLICY_REFUSED /.test(line))).toEqual([
    expect.stringContaining(
      'by the policy of the base, tenant shop may declare hostname shop.example.com only, but DNS name admin.example.com is not among them',
    ),
  ]);
});
