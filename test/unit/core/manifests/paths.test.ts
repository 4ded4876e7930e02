import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  addedPath,
  admissionPath,
  holderPath,
  isHashedPath,
  isManifestPath,
  isOwnManifest,
  keepPath,
  namespacePath,
  poolPath,
  servicePath,
  shardOf,
} from '../../../../src/core/manifests/paths.ts';
import { sha256Hex } from '../../../../src/core/model/digest.ts';
import type { Shards } from '../../../../src/core/model/pools.ts';
import { aClaim, aHolder, alice } from '../../../support/declarations/pools-and-claims.ts';

const eu = { name: 'eu', shards: 1 } as const;

/** A holder of declared Services, of which only the id counts here. */
const holderOf = (id: string) => ({ ...aHolder(), id, claims: [] as never });
const digestOf = (identity: string) => sha256Hex(identity).slice(0, 32);

describe('the path of a file', () => {
  it('names the owner and the endpoint of a lease', () => {
    expect(holderPath(eu, aHolder())).toBe(`dist/eu/${alice}/myip.yaml`);
  });

  it('names the namespace and the Service', () => {
    expect(holderPath(eu, holderOf('eu/service/shop/web'))).toBe('dist/eu/shop/web.yaml');
    expect(servicePath(eu, 'shop', 'web')).toBe('dist/eu/shop/web.yaml');
  });

  it('names the sharing key of Services on one address', () => {
    expect(holderPath(eu, holderOf('eu/shared/shop/dns'))).toBe('dist/eu/shop/shared.dns.yaml');
  });

  it('puts groups, Namespaces, declared pools and the inventory into folders of their own', () => {
    expect(holderPath(eu, holderOf('anycast/dns'))).toBe('dist/eu/_groups/dns.yaml');
    expect(holderPath(eu, holderOf('anycast/service'))).toBe('dist/eu/_groups/service.yaml');
    expect(namespacePath(eu, 'lease')).toBe('dist/eu/_namespaces/lease.yaml');
    expect(poolPath(eu, 'public')).toBe('dist/eu/_pools/public.yaml');
    const added = { folder: '_inventory', name: 'gpus', identity: 'inventory', objects: [] };
    expect(addedPath(eu, added)).toBe('dist/eu/_inventory/gpus.yaml');
  });

  it('has a digest when a name is not plain', () => {
    const keyed = (key: string) => holderPath(eu, holderOf(`eu/shared/shop/${key}`));
    expect(keyed('Web')).toBe(`dist/eu/shop/shared.web.${digestOf('eu/shared/shop/Web')}.yaml`);
    expect(keyed('a.b')).toBe(`dist/eu/shop/shared.a-b.${digestOf('eu/shared/shop/a.b')}.yaml`);
    expect(keyed('--')).toBe(`dist/eu/shop/shared._.${digestOf('eu/shared/shop/--')}.yaml`);
    const long = 'x'.repeat(200);
    const holder = aHolder([aClaim({ endpoint: long })]);
    expect(holderPath(eu, holder)).toBe(
      `dist/eu/${alice}/${'x'.repeat(80)}.${digestOf(holder.id)}.yaml`,
    );
  });

  it.each(['leasehold', 'nul', 'com1'])('has a digest when the Service is named %s', (name) => {
    expect(servicePath(eu, '0', name)).toBe(
      `dist/eu/0/${name}.${digestOf(`eu/service/0/${name}`)}.yaml`,
    );
  });

  it('has a digest when a namespace is named like an owner or a device', () => {
    expect(servicePath(eu, alice, 'myip')).toBe(`dist/eu/${alice}.${digestOf(alice)}/myip.yaml`);
    expect(servicePath(eu, 'con', 'web')).toBe(`dist/eu/con.${digestOf('con')}/web.yaml`);
  });

  it('has the shard of its identity in front', () => {
    const holder = aHolder();
    const digest = sha256Hex(holder.id);
    const path = (shards: Shards) => holderPath({ name: 'eu', shards }, holder);
    expect(path(16)).toBe(`dist/eu/${digest.slice(0, 1)}/${alice}/myip.yaml`);
    expect(path(256)).toBe(`dist/eu/${digest.slice(0, 2)}/${alice}/myip.yaml`);
    expect(([1, 16, 256] as const).map((shards) => shardOf(path(shards), shards))).toEqual([
      '',
      digest.slice(0, 1),
      digest.slice(0, 2),
    ]);
  });
});

// An engine's object of one shard prunes what goes to another: a file keeps its shard for all versions.
it.each([
  ['eu/service/shop/web', undefined],
  ['eu/shared/shop/front', undefined],
  ['anycast/dns', undefined],
  [aHolder().id, aHolder()],
] as const)('the shard of %s is the one of its id', (id, holder) => {
  for (const shards of [16, 256] as const) {
    const path = holderPath({ name: 'eu', shards }, holder ?? holderOf(id));
    expect(shardOf(path, shards)).toBe(sha256Hex(id).slice(0, shards === 16 ? 1 : 2));
  }
});

const label = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
const part = fc.oneof(
  fc.constantFrom(
    'leasehold',
    'shared',
    'service',
    'web',
    'con',
    alice,
    '_groups',
    'a.b',
    'A',
    'a-',
    '0',
    '',
  ),
  fc.string({ maxLength: 90 }).map((text) => text.replaceAll('/', '-')),
);
const identity = fc.oneof(
  fc.tuple(part, part).map(([namespace, name]) => `eu/service/${namespace}/${name}`),
  fc.tuple(part, part).map(([namespace, key]) => `eu/shared/${namespace}/${key}`),
  part.filter((name) => label.test(name)).map((name) => `anycast/${name}`),
);
/** A namespace is a DNS label, and nothing else is read. */
const readable = (id: string) => id.startsWith('anycast/') || label.test(id.split('/')[2] ?? '');

test('two holders never have the same path, even without case, and each path may be written', () => {
  fc.assert(
    fc.property(fc.uniqueArray(identity, { minLength: 2, maxLength: 40 }), (all) => {
      const ids = all.filter(readable);
      const paths = ids.map((id) => holderPath(eu, holderOf(id)));
      expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(ids.length);
      expect(paths.filter((path) => !isManifestPath(path))).toEqual([]);
    }),
    { seed: 7, numRuns: 300 },
  );
});

test('every path of a run may be written', () => {
  const paths = [
    holderPath(eu, aHolder()),
    namespacePath(eu, 'lease'),
    poolPath({ name: 'eu-1', shards: 256 }, 'default'),
    keepPath('eu'),
    admissionPath('eu'),
    ...['a', '0f'].flatMap((shard) => [keepPath('ab', shard), admissionPath('ab', shard)]),
  ];
  expect(paths.filter((path) => !isManifestPath(path))).toEqual([]);
});

test.each([
  'dist/README.md',
  'dist/default/README.yaml',
  'dist/default/kustomization.yaml',
  'dist/default/shop/web.yml',
  'dist/default/shop/Web.yaml',
  'dist/default/shop/-web.yaml',
  'dist/default/shop/deep/web.yaml',
  'dist/default/../web.yaml',
  'dist/default/.hidden/web.yaml',
  'dist/Default/leasehold.yaml',
  'dist/../leasehold.yaml',
  'dist/default/x/y/leasehold.yaml',
  'leases/dist/default/leasehold.yaml',
  'dist/default/leasehold.yaml\n',
])('%j is not a path that may be written', (path) => {
  expect(isManifestPath(path)).toBe(false);
});

test('a file of leasehold has its path and its label', () => {
  const labelled =
    'metadata:\n  labels:\n    app.kubernetes.io/managed-by: leasehold\n  name: web\n';
  expect(isOwnManifest('dist/default/shop/web.yaml', labelled)).toBe(true);
  expect(isOwnManifest('dist/default/ab/web-ab0123456789.yaml', labelled)).toBe(true);
  expect(isOwnManifest('dist/default/shop/web.yaml', 'metadata:\n  name: web\n')).toBe(false);
  expect(isOwnManifest('dist/notes.yaml', labelled)).toBe(false);
});

test('paths of earlier versions are recognized by their hash', () => {
  expect(isHashedPath('dist/default/ab/web-ab0123456789.yaml')).toBe(true);
  expect(isHashedPath('dist/default/a/ab/web-ab0123456789.yaml')).toBe(true);
  expect(isHashedPath('dist/default/ab/web-cd0123456789.yaml')).toBe(false);
  expect(isHashedPath('dist/default/shop/web.yaml')).toBe(false);
});
