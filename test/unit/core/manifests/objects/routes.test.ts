import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { leaseNamespace } from '../../../../../src/core/manifests/names.ts';
import type { LeaseHostname, ServiceHostname } from '../../../../../src/core/model/hostname.ts';
import type { Pools } from '../../../../../src/core/model/pools.ts';
import { startOf } from '../../../../../src/core/model/problem.ts';
import { aLeaseHostname } from '../../../../support/allocations/hostname-records.ts';
import { thePools, usualEmit } from '../../../../support/declarations/pools-and-claims.ts';
import { textsOf } from '../../../../support/manifests/rendered.ts';

const declared: ServiceHostname = {
  kind: 'Hostname',
  cluster: 'default',
  namespace: 'shop',
  service: 'web',
  port: 80,
  hostname: 'shop.example.com',
  holder: 'default/namespace/shop',
  at: startOf('leases/shop/name.yaml'),
};
const routed = (shards: 1 | 16 = 1) =>
  thePools({
    cluster: {
      shards,
      routes: { kind: 'Ingress', className: 'nginx', controller: undefined, service: undefined },
    },
  });

/** The paths of the routes of hostnames. */
function pathsOf(...hostnames: readonly string[]): readonly string[] {
  const all = hostnames.map((hostname) => ({ ...declared, hostname }));
  return [...textsOf(routed(), [], [], all).keys()].filter((path) => path.includes('/_hostnames/'));
}

describe('the route of a hostname', () => {
  test('is in a file of its own, by its name', () => {
    const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.example`;
    expect(pathsOf('shop.example.com', '*.shop.example.com', 'nul.example.com', long)).toEqual([
      expect.stringMatching(/^dist\/default\/_hostnames\/_a{60}-b{19}\.[0-9a-f]{32}\.yaml$/),
      expect.stringMatching(/^dist\/default\/_hostnames\/_nul-example-com\.[0-9a-f]{32}\.yaml$/),
      'dist/default/_hostnames/_wildcard.shop.example.com.yaml',
      'dist/default/_hostnames/shop.example.com.yaml',
    ]);
  });

  test('has a path that no other hostname can have', () => {
    const [shortened = ''] = pathsOf('con.blog.example.org');
    const like = shortened.replace(/.*\/_*/, '').replace('.yaml', '');
    expect(like).toMatch(/^con-blog-example-org\.[0-9a-f]{32}$/);
    expect(pathsOf('con.blog.example.org', like)).toHaveLength(2);
  });

  test('is named after its hostname when that begins like a file of leasehold', () => {
    expect(pathsOf('leasehold.example.com')).toEqual([
      'dist/default/_hostnames/leasehold.example.com.yaml',
    ]);
  });

  test('comes with the Namespace that it is in', () => {
    const namespaces = (hostnames: readonly ServiceHostname[]) =>
      [...textsOf(routed(), [], [], hostnames).keys()].filter((path) => path.includes('/_names'));
    const other = { ...declared, hostname: 'www.example.com' };
    expect(namespaces([declared, other])).toEqual([
      ...namespaces([]),
      'dist/default/_namespaces/shop.yaml',
    ]);
    expect(namespaces([{ ...declared, cluster: 'other' }])).toEqual(namespaces([]));
  });

  test('is in the shard of its name', () => {
    const paths = [...textsOf(routed(16), [], [], [declared]).keys()];
    expect(paths).toContainEqual(
      expect.stringMatching(/^dist\/default\/[0-9a-f]\/_hostnames\/shop\.example\.com\.yaml$/),
    );
  });

  test('is not rendered in another cluster', () => {
    const paths = [...textsOf(routed(), [], [], [{ ...declared, cluster: 'other' }]).keys()];
    expect(paths.filter((path) => path.includes('_hostnames'))).toEqual([]);
  });
});

describe('the objects of a hostname of a lease', () => {
  const path = 'dist/default/_hostnames/shop.example.com.yaml';
  const textOf = (pools: Pools, one: LeaseHostname): string =>
    textsOf(pools, [], [], [one]).get(path) ?? '';
  const objectsOf = (pools: Pools, one = aLeaseHostname('shop.example.com')) =>
    parseAllDocuments(textOf(pools, one)).map((document) => document.toJS());

  test('come with the Namespaces that they are in', () => {
    const one = aLeaseHostname('shop.example.com');
    const paths = [...textsOf(routed(), [], [], [one]).keys()];
    expect(paths.filter((each) => each.includes('/_namespaces/'))).toEqual([
      `dist/default/_namespaces/${leaseNamespace('akash', one.lease)}.yaml`,
      'dist/default/_namespaces/lease.yaml',
    ]);
  });

  test('are without a ProviderHost when the pool file says so', () => {
    const pools = { ...routed(), emit: { ...usualEmit, providerHost: false } };
    expect(objectsOf(pools)).toMatchObject([{ kind: 'Ingress' }]);
  });

  test('have every digit of the dseq, as a number', () => {
    const dseqs = fc.oneof(
      fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }),
    );
    fc.assert(
      fc.property(dseqs, (dseq) => {
        const text = textOf(
          routed(),
          aLeaseHostname('shop.example.com', { lease: { dseq: `${dseq}` } }),
        );
        const [host] = parseAllDocuments(text, { intAsBigInt: true });
        expect(host?.toJS().spec.dseq).toBe(dseq);
      }),
      { seed: 24, numRuns: 30 },
    );
  });
});
