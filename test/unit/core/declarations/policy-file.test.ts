import { describe, expect, test } from 'vitest';
import { readPolicy } from '../../../../src/core/declarations/policy-file.ts';
import { policyHead, thePolicy } from '../../../support/declarations/policies.ts';
import { thePools } from '../../../support/declarations/pools-and-claims.ts';

/** The messages of a refused policy. */
function refused(text: string, pools = thePools()): readonly string[] {
  const read = readPolicy('leases/policy.yaml', Buffer.from(policyHead + text), pools);
  return read.ok ? [] : read.problems.map(({ code, message }) => `${code} ${message}`);
}

describe('the policy file', () => {
  test('may be empty', () => {
    const operators = { reviewers: [], signers: [] };
    expect(thePolicy('')).toEqual({ operators, tenants: [], folders: new Map() });
  });

  test('normalizes namespaces, ports and places', () => {
    const [tenant] = thePolicy(`tenants:
  - name: shop
    folders: [leases/shop]
    namespaces: [shop, default/shop-db]
    ports: [80, 8000-8999]
`).tenants;
    expect(tenant).toMatchObject({
      owners: [],
      namespaces: [
        { cluster: undefined, name: 'shop' },
        { cluster: 'default', name: 'shop-db' },
      ],
      clusters: undefined,
      ports: [
        { from: 80, to: 80 },
        { from: 8000, to: 8999 },
      ],
    });
    expect(tenant?.places.ports.line).toBe(7);
    expect(tenant?.places.owners.line).toBe(4);
  });

  test('accepts reviewers in the syntax of forges, and nothing that could add to a line', () => {
    const reviewers = (...names: string[]) =>
      refused(`operators: { reviewers: ${JSON.stringify(names)} }`).length;
    expect(
      reviewers('@ana', '@acme/network', '@acme/eu/net_ops', 'ana.b+c@acme.example', '@a.b-c_d'),
    ).toBe(0);
    const bad = [
      '@a b',
      '@a #',
      '@',
      'a@b',
      '@a/',
      '@a\n@b',
      '@a\u00a0b',
      '@ä',
      '[x]',
      '!@a',
      '@@owner',
    ];
    expect(bad.map((name) => reviewers(name))).toEqual(bad.map(() => 1));
  });

  test('reports names that the pools lack, and only when they are known', () => {
    const text = `tenants:
  - { name: a, folders: [leases/a], clusters: [prod], zones: [inet, dmz], pools: [defualt], namespaces: [prod/x] }
`;
    expect(refused(text)).toEqual([
      "CLUSTER_UNKNOWN the cluster 'prod' is not declared in leases/pools.yaml",
      "ZONE_UNKNOWN the zone 'dmz' is not declared in leases/pools.yaml",
      "POOL_UNKNOWN the pool 'defualt' is not declared in leases/pools.yaml",
      "CLUSTER_UNKNOWN the cluster 'prod' is not declared in leases/pools.yaml",
    ]);
    expect(thePolicy(text).tenants).toHaveLength(1);
  });
});
