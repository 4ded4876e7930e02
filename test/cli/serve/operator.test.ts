import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { poolsText } from '../../support/declarations/pools-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { serving } from '../../support/serve/server.ts';
import { putFile } from '../../support/trees/temp-tree.ts';

const provider = accountOf('provider');
const ann = accountOf('ann');

const pools = poolsText(`provider: ${provider}
defaultZone: inet
pools:
  - name: default
    zone: inet
    addresses: [203.0.113.0/28, 2001:db8::/124]
    reserved: [203.0.113.0]
    strategy: lowest
    retentionDays: 2
  - name: old
    zone: inet
    addresses: [198.51.100.0/30]
    state: draining
  - name: far
    zone: edge
    addresses: [192.0.2.0/24]
`);

const both = [
  { name: 'front', service: 'dns', port: 5353, externalPort: 53, protocol: 'UDP' },
  { name: 'front', service: 'dns', port: 5353, externalPort: 53, protocol: 'TCP' },
  { name: 'two', service: 'web', port: 8080, externalPort: 80, ipFamily: 'dual' },
];

/** Ann's lease has three ports on two holders, and hostnames when told so; bob's one port. */
async function leased({ routes = '', hosts = '' } = {}): Promise<string> {
  const { root } = await remadeCheckout({
    'leases/pools.yaml': `${pools}${routes}`,
    'leases/ann.yaml': `${leaseText('ann', 18446744073709, both)}${hosts}`,
    'leases/bob.yaml': leaseText('bob', 7, [{ name: 'one', service: 'ssh', port: 22 }]),
  });
  return root;
}

// The shapes below are written from the Go types of the Akash provider, field by field.

test('usage counts what leases of the default zone may get, what is in use of it, and what is free', async () => {
  const { get } = await serving(await leased());
  const answer = await get('/usage');
  expect(answer.headers.get('cache-control')).toBe('no-cache, max-age=0');
  expect(answer.headers.get('last-modified')).toBe('Sat, 10 Jan 2026 08:00:00 GMT');
  // 15 of the first pool, 4 of the one that drains: 3 are held, and the 4 are given to nobody.
  expect(await answer.text()).toBe('{"Available":19,"InUse":7,"Free":12}\n');
});

test('the inventory has the same counts as a resource, and those of each zone and family', async () => {
  const { json } = await serving(await leased());
  const pair = (capacity: string, allocated: string) => ({
    capacity,
    allocatable: capacity,
    allocated,
  });
  expect(await json('/api/v1/inventory')).toMatchObject({
    kind: 'LeasedIPInventory',
    cluster: 'default',
    leased_ip: pair('19', '7'),
    items: [
      { zone: 'inet', family: 'ipv4', leased_ip: pair('19', '7') },
      { zone: 'inet', family: 'ipv6', leased_ip: pair('16', '1') },
      { zone: 'edge', family: 'ipv4', leased_ip: pair('256', '0') },
    ],
  });
  const edge = await (await serving(await leased(), { zone: 'edge' })).json('/api/v1/inventory');
  expect(edge).toMatchObject({ leased_ip: pair('256', '0') });
  const west = await (await serving(await leased(), { cluster: 'west' })).get('/api/v1/inventory');
  expect(west.status).toBe(404);
  expect(await west.json()).toMatchObject({ kind: 'Failure' });
});

test('usage of another zone counts that one', async () => {
  const { get } = await serving(await leased(), { zone: 'edge' });
  expect(await (await get('/usage')).json()).toEqual({ Available: 256, InUse: 0, Free: 256 });
});

test('a lease has an entry for each port: TCP and UDP of one number, and IPv4 where it has both', async () => {
  const { get } = await serving(await leased());
  const answer = await get(`/ip-lease-status/${ann}/18446744073709/1/1`);
  expect(answer.status).toBe(200);
  const entries = (await answer.json()) as readonly { readonly IP: string }[];
  expect(entries).toEqual([
    { Port: 5353, ExternalPort: 53, ServiceName: 'dns', IP: entries[0]?.IP, Protocol: 'TCP' },
    { Port: 5353, ExternalPort: 53, ServiceName: 'dns', IP: entries[0]?.IP, Protocol: 'UDP' },
    { Port: 8080, ExternalPort: 80, ServiceName: 'web', IP: entries[2]?.IP, Protocol: 'TCP' },
  ]);
  expect(entries.map(({ IP }) => IP.replace(/\d+$/, ''))).toEqual(Array(3).fill('203.0.113.'));
});

test('a lease that is not there has no content, and numbers are read as Go reads them', async () => {
  const { get } = await serving(await leased());
  expect((await get(`/ip-lease-status/${ann}/1/1/1`)).status).toBe(204);
  expect((await get(`/ip-lease-status/${ann}/018446744073709/01/1`)).status).toBe(200);
});

test.each([
  'nobody/1/1/1',
  `${ann}/x/1/1`,
  `${ann}/-1/1/1`,
  `${ann}/18446744073709551616/1/1`,
  `${ann}/1/4294967296/1`,
  `${ann}/1/1/1.5`,
])('an invalid lease id is 404: %s', async (path) => {
  const { get } = await serving(await leased());
  const answer = await get(`/ip-lease-status/${path}`);
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-type')).toContain('json');
  expect(await answer.json()).toEqual({ Error: expect.any(String), Code: -1 });
});

test('only leases of a provider are answered when one is named, else those of any', {
  tags: 'slow',
}, async () => {
  const root = await leased();
  const path = `/ip-lease-status/${ann}/18446744073709/1/1`;
  const other = await serving(root, { provider: accountOf('other') });
  expect((await other.get(path)).status).toBe(204);
  const own = await serving(root, { provider });
  expect((await own.get(path)).status).toBe(200);
});

test('state tells every claim by lease id, with a dseq that keeps its digits', async () => {
  const { get } = await serving(await leased());
  const text = await (await get('/state')).text();
  expect(text).toContain('"dseq":18446744073709,');
  const state = JSON.parse(text) as Record<string, readonly object[]>;
  expect(Object.keys(state).sort()).toEqual(
    [`${ann}/18446744073709/1/1/${provider}`, `${accountOf('bob')}/7/1/1/${provider}`].sort(),
  );
  expect(state[`${accountOf('bob')}/7/1/1/${provider}`]).toEqual([
    {
      'last-event-time': '2026-01-02 00:00:00 +0000 UTC',
      'lease-id': { owner: accountOf('bob'), dseq: 7, gseq: 1, oseq: 1, provider, bseq: 0 },
      namespace: expect.stringMatching(/^[0-9a-v]{45}$/),
      port: 22,
      'external-port': 22,
      'service-name': 'ssh',
      'sharing-key': `${accountOf('bob')}-ip-one`,
    },
  ]);
});

test('health answers while nothing is served yet, and all else says that it is not', async () => {
  const { get } = await serving(await leased(), { isLoading: true });
  const health = await get('/health');
  expect([health.status, health.headers.get('content-length'), await health.text()]).toEqual([
    ...[200, '0', ''],
  ]);
  expect(await (await get('/ready')).text()).toBe('the checkout is being read\n');
  expect((await get('/version')).status).toBe(200);
  expect((await get('/ready')).status).toBe(503);
  const usage = await get('/usage');
  expect([usage.status, usage.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await usage.json()).toEqual({ Error: 'nothing is served yet', Code: -1 });
});

test('a lease whose declaration broke keeps its last good claims, is told as ignored, and takes nothing from others', async () => {
  const root = await leased();
  const { poll, json } = await serving(root);
  expect(await json('/ignored-leases')).toEqual({});
  putFile(root, 'leases/ann.yaml', 'kind: Lease\nspec: {}\n');
  await poll();
  expect(await json(`/ip-lease-status/${ann}/18446744073709/1/1`)).toHaveLength(3);
  expect(await json(`/ip-lease-status/${accountOf('bob')}/7/1/1`)).toHaveLength(1);
  const ignored = (await json('/ignored-leases')) as Record<string, object>;
  expect(ignored).toEqual({
    [`${ann}/18446744073709/1/1/${provider}`]: {
      hostnames: [`${ann}-ip-front`, `${ann}-ip-two`],
      'last-error': expect.any(String),
      'last-error-type': expect.stringMatching(/^[A-Z_]+$/),
      'failed-at': '2026-01-10 08:00:00 +0000 UTC',
      'failure-count': 1,
      namespace: expect.any(String),
    },
  });
});

test('the hostnames of leases are told with their Services, and those of a broken declaration as ignored', async () => {
  const root = await leased({
    routes: 'clusters: [{ name: default, routes: { kind: Ingress, className: nginx } }]\n',
    hosts: '  hosts: [{ service: web, accept: [blog.example.com] }]\n',
  });
  const { poll, get, json } = await serving(root);
  const text = await (await get('/managed-hostnames')).text();
  expect(text).toContain('"dseq":18446744073709,');
  expect(JSON.parse(text)).toEqual({
    'blog.example.com': {
      LeaseID: { owner: ann, dseq: 18446744073709, gseq: 1, oseq: 1, provider, bseq: 0 },
      Namespace: expect.stringMatching(/^[0-9a-v]{45}$/),
      ExternalPort: 80,
      ServiceName: 'web',
      LastUpdate: '2026-01-02 00:00:00 +0000 UTC',
    },
  });
  expect(await json('/ignore-list')).toEqual({});
  putFile(root, 'leases/ann.yaml', 'kind: Lease\nspec: {}\n');
  await poll();
  expect(Object.keys((await json('/managed-hostnames')) as object)).toEqual(['blog.example.com']);
  expect(await json('/ignore-list')).toEqual({
    [`${ann}/18446744073709/1/1/${provider}`]: {
      hostnames: ['blog.example.com'],
      'last-error': expect.any(String),
      'last-error-type': expect.stringMatching(/^[A-Z_]+$/),
      'failed-at': '2026-01-10 08:00:00 +0000 UTC',
      'failure-count': 1,
      namespace: expect.any(String),
    },
  });
});

test('a cluster that is not declared is a refusal and not an empty answer', async () => {
  const { get } = await serving(await leased(), { cluster: 'west' });
  const answer = await get('/usage');
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({
    Error: 'leases/pools.yaml declares no cluster west',
    Code: -1,
  });
});

test('a zone without a pool is a refusal and not a full zone', async () => {
  const { get } = await serving(await leased(), { zone: 'ine' });
  const answer = await get('/usage');
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { Error: 'leases/pools.yaml has no pool in zone ine', Code: -1 },
  ]);
  expect((await get('/state')).status).toBe(200);
  expect((await get('/api/v1/inventory')).status).toBe(404);
});

test('a retained address is free on its day without a change of the tree', async () => {
  const root = await leased();
  rmSync(join(root, 'leases/bob.yaml'));
  gitRepository(root).git('rm', '-q', '--cached', 'leases/bob.yaml');
  const { status, out } = await runInProcess(
    ['synth', '--today', '2026-01-10', '--allow-release', '1'],
    root,
  );
  expect([status, out]).toEqual([0, expect.stringContaining('released')]);
  const { json, setDay, poll } = await serving(root);
  expect(await json('/usage')).toEqual({ Available: 19, InUse: 7, Free: 12 });
  setDay('2026-01-11');
  await poll();
  expect(await json('/usage')).toEqual({ Available: 19, InUse: 7, Free: 12 });
  setDay('2026-01-12');
  await poll();
  expect(await json('/usage')).toEqual({ Available: 19, InUse: 6, Free: 13 });
});
