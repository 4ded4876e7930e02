import { expect, test } from 'vitest';
import {
  addressPoolName,
  admissionPath,
  holderPath,
  isDistPath,
  keepPath,
  leasedIPName,
  leaseNamespace,
  namespacePath,
  networkPolicyName,
  pathInShards,
  poolPath,
  portName,
  serviceName,
  shardOf,
} from '../../../src/manifests/names.ts';
import { sha256Hex } from '../../../src/model/digest.ts';
import { aClaim, aHolder, alice, anAddress } from '../../support/builders.ts';

test.each([
  [
    'akash1h24fljt7p0nh82cq0za0uhsct3sfwsfu9w3c9h',
    '8438017',
    'akash1nxq8gmsw2vlz3m68qvyvcf3kh6q269ajvqw6y0',
    '5reb3l87s85t50v77sosktvdeeg6pfbnlboigoprqv3d4',
  ],
  [
    'akash15745vczur53teyxl4k05u250tfvp0lvdcfqx27',
    '5950031',
    'akash1xmz9es9ay9ln9x2m3q8dlu0alxf0ltce7ykjfx',
    'h644k9qp92e0qeakjsjkk8f3piivkuhgc6baon9tccuqo',
  ],
])('the lease namespace of %s/%s is the one of the real network', (owner, dseq, provider, name) => {
  expect(leaseNamespace('akash', { owner, dseq, gseq: 1, oseq: 1, provider })).toBe(name);
});

test('the readable lease namespace has dseq, gseq and oseq, and fits with the largest of all', () => {
  const { lease } = aClaim();
  expect(leaseNamespace('readable', lease)).toBe('lease-dseq-12345-gseq-1-oseq-1');
  const largest = { ...lease, dseq: '18446744073709551615', gseq: 4294967295, oseq: 4294967295 };
  expect(leaseNamespace('readable', largest)).toHaveLength(63);
});

test('names of objects are those of a running provider', () => {
  const claim = aClaim({ externalPort: 5353, protocol: 'UDP' });
  expect(leasedIPName('akash', claim)).toBe(`${alice}-ip-myip-udp-5353`);
  expect(serviceName('akash', claim)).toBe('web-ip-5353-udp');
  expect(portName('akash', claim)).toBe('web-ip-5353-udp');
});

test('no service name makes a NetworkPolicy one of the provider, and the longest fits', () => {
  const service = `akash-${'w'.repeat(46)}`;
  expect(networkPolicyName(aClaim())).toBe('ipv6-web-ip-80-tcp');
  expect(networkPolicyName(aClaim({ service, externalPort: 65535 }))).toBe(
    `ipv6-${service}-ip-65535-tcp`,
  );
});

test('readable names are those of the published documents', () => {
  const claim = aClaim({ externalPort: 5353, protocol: 'UDP' });
  expect(leasedIPName('readable', claim)).toBe(`${alice}-udp-5353`);
  expect(serviceName('readable', claim)).toBe('web');
  expect(portName('readable', claim)).toBe('5353-udp');
});

test('a pool is named by its address, with every hextet of IPv6 in full', () => {
  expect(addressPoolName(anAddress('203.0.113.7'))).toBe('ip-203.0.113.7');
  expect(addressPoolName(anAddress('2001:db8::a'))).toBe(
    'ip-2001-0db8-0000-0000-0000-0000-0000-000a',
  );
});

test('a path has the hash of the whole identity and a slug for people', () => {
  const holder = aHolder();
  const hash = sha256Hex(holder.id).slice(0, 12);
  expect(holderPath('default', holder)).toBe(
    `dist/default/${hash.slice(0, 2)}/${alice}-ip-myip-${hash}.yaml`,
  );
  const namespace = sha256Hex('eu/namespace/lease').slice(0, 12);
  expect(namespacePath('eu', 'lease')).toBe(
    `dist/eu/${namespace.slice(0, 2)}/namespace-lease-${namespace}.yaml`,
  );
  const pool = sha256Hex('eu/pool/default').slice(0, 12);
  expect(poolPath('eu', 'default')).toBe(`dist/eu/${pool.slice(0, 2)}/pool-default-${pool}.yaml`);
});

test('a slug is cut at 80 characters and ends in none but a letter or digit', () => {
  const path = holderPath(
    'default',
    aHolder([aClaim({ holder: `default/akash/${'a'.repeat(79)}-and.more` })]),
  );
  expect(path).toMatch(/^dist\/default\/[0-9a-f]{2}\/a{79}-[0-9a-f]{12}\.yaml$/);
  const dotted = holderPath('default', aHolder([aClaim({ holder: 'default/akash/.A..b_' })]));
  expect(dotted).toMatch(/\/a-b-[0-9a-f]{12}\.yaml$/);
});

test('every path that is written is one that may be owned', () => {
  const paths = [
    holderPath('default', aHolder()),
    holderPath('default', aHolder([aClaim({ endpoint: 'x'.repeat(200) })])),
    namespacePath('default', 'lease'),
    poolPath('eu-1', 'default'),
    keepPath('default'),
    admissionPath('default'),
    ...['a', '0f'].flatMap((shard) => [keepPath('ab', shard), admissionPath('ab', shard)]),
    pathInShards(holderPath('ab', aHolder()), 16),
  ];
  expect(paths.filter((path) => !isDistPath(path))).toEqual([]);
});

test('the folders of two digits stand in those of the first one only with 16 shards', () => {
  const path = 'dist/ab/cd/web-cd0123456789.yaml';
  expect(pathInShards(path, 1)).toBe(path);
  expect(pathInShards(path, 16)).toBe('dist/ab/c/cd/web-cd0123456789.yaml');
  expect(pathInShards(path, 256)).toBe(path);
  const shards = ([1, 16, 256] as const).map((count) => shardOf(pathInShards(path, count), count));
  expect(shards).toEqual(['', 'c', 'cd']);
});

test.each([
  'dist/README.md',
  'dist/default/README.yaml',
  'dist/default/kustomization.yaml',
  'dist/default/ab/notes.yaml',
  'dist/default/ab/web-cd0123456789.yaml',
  'dist/default/ab/-ab0123456789.yaml',
  'dist/default/ab/web-ab0123456789.yml',
  'dist/default/ab/web-AB0123456789.yaml',
  'dist/default/ab/web-ab01234567890.yaml',
  'dist/Default/leasehold.yaml',
  'dist/../leasehold.yaml',
  'dist/default/x/leasehold.yaml',
  'dist/default/abc/leasehold.yaml',
  'dist/default/a/ab/leasehold.yaml',
  'dist/default/b/ab/web-ab0123456789.yaml',
  'dist/default/ab/ab/web-ab0123456789.yaml',
  'dist/default/a/web-ab0123456789.yaml',
  'leases/dist/default/leasehold.yaml',
  'dist/default/leasehold.yaml\n',
])('%j is not a path that may be owned', (path) => {
  expect(isDistPath(path)).toBe(false);
});
