import { describe, expect, test } from 'vitest';
import { partyText, tenantOf, tenantsOf } from '../../../../src/core/model/policy.ts';
import { thePolicy } from '../../../support/declarations/policies.ts';

const policy = thePolicy(`tenants:
  - { name: deep, folders: [leases/shop/a/b] }
  - { name: shop, folders: [leases/shop, leases/web], namespaces: [shop, prod/common] }
  - { name: blog, folders: [leases/shop/blog], namespaces: [common] }
`);

describe('the tenant of a file', () => {
  test.each([
    ['leases/shop/a.yaml', 'shop'],
    ['leases/web/deep/a.sdl.yaml', 'shop'],
    ['leases/shop/blog/a.yaml', 'blog'],
    ['leases/shop/blogs/a.yaml', 'shop'],
    ['leases/shop/a/b/c/d.yaml', 'deep'],
    ['leases/shop/a/b.yaml', 'shop'],
    ['leases/shopping/a.yaml', undefined],
    ['leases/shop', undefined],
    ['leases/a.yaml', undefined],
    ['leases/pools.yaml', undefined],
    ['leases/allocations/203.0.113/203.0.113.7.yaml', undefined],
  ])('%s is %s', (file, tenant) => {
    expect(tenantOf(policy, file)?.name).toBe(tenant);
  });

  test('a key is of all who may declare in its namespace, in whatever cluster', () => {
    const of = (file: string) => tenantsOf(policy, file).map(({ name }) => name);
    expect(of('leases/keys/shop/a.yaml')).toEqual(['shop']);
    expect(of('leases/keys/common/a.yaml')).toEqual(['shop', 'blog']);
    expect(of('leases/keys/other/a.yaml')).toEqual([]);
    expect(of('leases/shop/keys/shop/a.yaml')).toEqual(['shop']);
  });

  test('a message says whose it is', () => {
    expect(partyText([])).toBe('the operators');
    expect(partyText(tenantsOf(policy, 'leases/keys/common/a.yaml'))).toBe(
      'tenant shop or tenant blog',
    );
  });
});
