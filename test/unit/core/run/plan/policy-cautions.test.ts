import { describe, expect, test } from 'vitest';
import { declaredText } from '../../../../../src/core/run/plan/declared-changes.ts';
import {
  policyCautions,
  tenantCautions,
} from '../../../../../src/core/run/plan/policy-cautions.ts';
import type { Review } from '../../../../../src/core/run/review/review.ts';
import { thePolicy } from '../../../../support/declarations/policies.ts';
import { treeOf } from '../../../../support/trees/memory-tree.ts';

const policy = thePolicy(`tenants:
  - { name: shop, folders: [leases/shop], namespaces: [shop, common] }
  - { name: blog, folders: [leases/blog, leases/shop/blog], namespaces: [common] }
`);

/** The cautions of a pull request that adds these files, and removes others. */
function cautions(added: readonly string[], removed: readonly string[] = []) {
  const texts = (paths: readonly string[]) =>
    Object.fromEntries(paths.map((path) => [path, 'text']));
  const same = { 'leases/blog/same.yaml': 'same' };
  const comparison = {
    baseTree: treeOf({ ...same, ...texts(removed) }),
    headTree: treeOf({ ...same, ...texts(added) }),
  };
  const declared = {
    policy,
    leases: [],
    services: [],
    promises: [],
    hostnames: [],
    table: new Map(),
  };
  const review = { base: declared, head: declared, comparison } as unknown as Review;
  return tenantCautions(review);
}

/** What is said of a pull request that adds these files. */
function said(...added: readonly string[]): readonly string[] {
  return cautions(added).map(({ code, message }) => `${code} ${message}`);
}

describe('a pull request that touches files of several', () => {
  test('is told, with whose they are and where', () => {
    expect(said('leases/shop/a.yaml', 'leases/shop/b/c.yaml', 'leases/shop/blog/d.yaml')).toEqual([
      'OTHER_TENANT this concerns tenant shop (leases/shop and leases/shop/b) and tenant blog (leases/shop/blog)',
    ]);
    expect(said('leases/shop/a.yaml', 'leases/policy.yaml', 'leases/stray.yaml')).toEqual([
      'OTHER_TENANT this concerns the operators (leases/policy.yaml and leases) and tenant shop (leases/shop)',
    ]);
  });

  test('is told at the first file of the second party', () => {
    const [added] = cautions(['leases/blog/a.yaml', 'leases/shop/b.yaml', 'leases/shop/c.yaml']);
    expect(added?.at).toEqual({ side: 'head', file: 'leases/shop/b.yaml', line: 1 });
    const [removed] = cautions(['leases/blog/a.yaml'], ['leases/shop/b.yaml']);
    expect(removed?.at).toEqual({ side: 'base', file: 'leases/shop/b.yaml', line: 1 });
  });

  test('is told of four folders by their names, and of more by their number', () => {
    const others = ['leases/blog/a.yaml'];
    const files = ['a', 'b', 'c', 'd', 'e'].map((name) => `leases/shop/${name}/1.yaml`);
    expect(said(...others, ...files.slice(0, 4))[0]).toContain(
      '(leases/shop/a, leases/shop/b, leases/shop/c and leases/shop/d)',
    );
    expect(said(...others, ...files)[0]).toContain(
      '(leases/shop/a, leases/shop/b, leases/shop/c, leases/shop/d and 1 more)',
    );
  });

  test('has no caution for one tenant, for the operators alone, or for generated files', () => {
    expect(said('leases/shop/a.yaml', 'leases/shop/a.sdl.yaml')).toEqual([]);
    expect(said('leases/pools.yaml', 'leases/policy.yaml', 'leases/stray/a.yaml')).toEqual([]);
    expect(said('leases/shop/a.yaml', 'leases/allocations/10.0.0/10.0.0.1.yaml')).toEqual([]);
  });

  test('is told of keys by who may declare in their namespace', () => {
    expect(said('leases/keys/common/a.yaml', 'leases/blog/a.yaml')).toEqual([]);
    expect(said('leases/keys/shop/a.yaml', 'leases/blog/a.yaml')).toEqual([
      'OTHER_TENANT this concerns tenant blog (leases/blog) and tenant shop (leases/keys/shop)',
    ]);
    expect(said('leases/keys/other/a.yaml', 'leases/blog/a.yaml')).toHaveLength(1);
  });
});

describe('a policy that changes', () => {
  const messages = (base: string | undefined, head: string | undefined) => {
    const read = (text: string | undefined) => (text === undefined ? undefined : thePolicy(text));
    return policyCautions(read(base), read(head)).map(({ message }) => message);
  };
  const one = 'tenants: [{ name: a, folders: [leases/a], ports: [80] }]';

  test('is told when it begins and when it ends', () => {
    expect(messages(undefined, one)).toEqual(['policy added, with 1 tenant']);
    expect(messages(one, undefined)).toEqual(['policy removed']);
    expect(messages(undefined, undefined)).toEqual([]);
  });

  test('is not told for another way to write the same', () => {
    const other = 'tenants:\n  - name: a\n    ports: [80]\n    folders: [leases/a]\n';
    expect(messages(one, other)).toEqual([]);
    expect(declaredText(thePolicy(one))).toBe(declaredText(thePolicy(other)));
  });

  test('is told with the fields that differ', () => {
    expect(messages(one, one.replace('80', '81').replace('leases/a', 'leases/b'))).toEqual([
      'tenant a: folders leases/a → leases/b; tenant a: ports 80 → 81',
    ]);
  });

  test('names the command for CODEOWNERS where folders, reviewers or namespaces change', () => {
    const owned = `operators: { reviewers: ['@ops'] }\n${one}`;
    const [b, advice] = [
      ', { name: b, folders: [leases/b] }]',
      /; where the forge reads CODEOWNERS, its lines change: run `leasehold codeowners --write FILE` on the branch$/,
    ];
    expect(messages(owned, owned.replace(/]$/, b))[0]).toMatch(advice);
    expect(messages(owned, owned.replace('@ops', '@net'))[0]).toMatch(advice);
    expect(messages(owned, owned.replace('ports: [80]', 'namespaces: [x]'))[0]).toMatch(advice);
    expect(messages(undefined, owned)[0]).toMatch(advice);
    expect(messages(owned, owned.replace('80', '81'))[0]).not.toMatch(advice);
    expect(messages(owned, one)[0]).not.toMatch(advice);
  });
});
