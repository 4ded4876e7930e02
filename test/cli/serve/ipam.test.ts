// @module-tag slow

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { remadeTwoLeases } from '../../support/repositories/cached-repository.ts';
import { ipamBody, ipamServing, password, west } from '../../support/serve/ipam-server.ts';
import { serving } from '../../support/serve/server.ts';

const shopWeb = 'leases/default/shop/web.yaml';
const registered = 'Address registered successfully';
const updated = 'Address updated successfully';
const ended = 'Service expiration set successfully';
const service = (name: string, families: string) => `apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: shop, annotations: { ipam.vitistack.io/ip-family: ${families} } }
spec: { type: LoadBalancer, ports: [{ port: 80 }], selector: { app: ${name} } }
`;
const cannotRegister = 'Could not register address: ';
const cannotEnd = 'Could not deregister service: ';

describe('POST /v2/address', () => {
  test('commits a Reservation with its address, and the same request commits nothing', async () => {
    const { post, file, remote, assertSound } = await ipamServing();
    const body = ipamBody({}, { retention_period_days: 3, deny_external_cleanup: true });
    const [status, { message, address = '' }] = await post(body);
    expect([status, message]).toEqual([200, registered]);
    expect(address).toMatch(/^203\.0\.113\.\d\/32$/);
    expect(file(shopWeb)).toBe(`apiVersion: leasehold.dev/v1
kind: Reservation
spec:
  namespace: shop
  service: web
  ports:
    - { port: 1 }
  zone: inet
  retentionPeriodDays: 3
  denyExternalCleanup: true
`);
    const bare = address.replace('/32', '');
    expect(remote.git('log', '-1', '--format=%s%n%(trailers)', 'main')).toBe(
      `Lease ${bare} for default/service/shop/web\nLeasehold-Holder: default/service/shop/web\nLeasehold-Address: ${bare}\n\n`,
    );
    const head = remote.head();
    expect(await post(body)).toEqual([200, { message: updated, address }]);
    expect(await post({ ...body, address })).toEqual([200, { message: updated, address }]);
    expect(remote.head()).toBe(head);
    await assertSound();
  });

  test('gives the address that is named, and none that another Service has', async () => {
    const { post, assertSound } = await ipamServing();
    const address = '203.0.113.2/32';
    expect(await post(ipamBody({ address }))).toEqual([200, { message: registered, address }]);
    const other = { service_name: 'api' };
    expect(await post(ipamBody({ address }, other))).toEqual([
      500,
      {
        message: `${cannotRegister}no matching address found with the provided secret, zone and address`,
      },
    ]);
    expect(await post(ipamBody({ address: '192.0.2.1/32' }, other))).toEqual([
      500,
      { message: `${cannotRegister}the requested address is not valid for the provided zone` },
    ]);
    await assertSound();
  });

  test('keeps the address of a Service: another one, or another zone, is refused', async () => {
    const { post, remote } = await ipamServing();
    const address = '203.0.113.2/32';
    await post(ipamBody({ address }));
    const head = remote.head();
    expect(await post(ipamBody({ address: '203.0.113.1/32' }))).toEqual([
      500,
      { message: `${cannotRegister}the Service has 203.0.113.2, and leasehold move changes it` },
    ]);
    expect(await post(ipamBody({ zone: 'hnet-private' }))).toEqual([
      500,
      {
        message: `${cannotRegister}the Service has 203.0.113.2 in zone 'inet', and leasehold move changes it`,
      },
    ]);
    expect(remote.head()).toBe(head);
  });

  test('sets the retention and the denial of a Reservation that differ', async () => {
    const { post, file, remote, assertSound } = await ipamServing();
    const [, { address }] = await post();
    const terms = { retention_period_days: 7, deny_external_cleanup: true };
    expect(await post(ipamBody({}, terms))).toEqual([200, { message: updated, address }]);
    expect(file(shopWeb)).toMatch(/retentionPeriodDays: 7\n {2}denyExternalCleanup: true\n$/);
    const head = remote.head();
    await post(ipamBody({ address }, terms));
    expect(remote.head()).toBe(head);
    await post(ipamBody({}, { ...terms, deny_external_cleanup: false }));
    expect(file(shopWeb)).toContain('denyExternalCleanup: false\n');
    await assertSound();
  });

  test('keeps the address when a person declares the Service instead', async () => {
    const { post, file, remote } = await ipamServing();
    const [, { address }] = await post();
    const head = remote.commitFiles({ [shopWeb]: service('web', 'ipv4') });
    const terms = { retention_period_days: 5 };
    expect(await post(ipamBody({}, terms))).toEqual([200, { message: updated, address }]);
    expect([file(shopWeb), remote.head()]).toEqual([service('web', 'ipv4'), head]);
  });

  test('adds the second family, and either ends alone', async () => {
    const { post, end, file, remote, assertSound } = await ipamServing();
    const [, v4] = await post();
    const [status, v6] = await post(ipamBody({ ip_family: 'ipv6', address: '2001:db8::2/128' }));
    expect([status, v6]).toEqual([200, { message: registered, address: '2001:db8::2/128' }]);
    expect(file(shopWeb)).toContain("  ipFamily: dual\n  addresses: ['2001:db8::2']\n");
    expect(await post()).toEqual([200, { ...v4, message: updated }]);
    await assertSound();
    expect(await end(ipamBody({ ip_family: 'ipv6', address: v6.address }))).toEqual([
      200,
      { message: ended, address: v6.address },
    ]);
    expect(file(shopWeb)).toMatch(/ipFamily: ipv4\n$/);
    expect(await post()).toEqual([200, { ...v4, message: updated }]);
    expect((await end(ipamBody({ address: v4.address })))[0]).toBe(200);
    expect(remote.git('ls-tree', '-r', '--name-only', 'main').split('\n')).not.toContain(shopWeb);
    await assertSound();
  });

  test('takes the families in either order', async () => {
    const { post, end, file, assertSound } = await ipamServing();
    const [, v6] = await post(ipamBody({ ip_family: 'ipv6' }));
    const [status, v4] = await post();
    expect([status, v4.message]).toEqual([200, registered]);
    await assertSound();
    expect((await end(ipamBody({ address: v4.address })))[0]).toBe(200);
    expect(file(shopWeb)).toContain('ipFamily: ipv6\n');
    expect(await post(ipamBody({ ip_family: 'ipv6' }))).toEqual([200, { ...v6, message: updated }]);
    await assertSound();
  });

  test('answers requests at the same time one after the other, each with its own address', async () => {
    const { post, assertSound } = await ipamServing();
    const names = ['a', 'b', 'c', 'd'];
    const all = await Promise.all(names.map((name) => post(ipamBody({}, { service_name: name }))));
    expect(all.map(([status]) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(all.map(([, { address }]) => address)).size).toBe(4);
    const [status, { message }] = await post(ipamBody({}, { service_name: 'e' }));
    expect([status, message]).toEqual([500, expect.stringContaining('POOL_EXHAUSTED')]);
    await assertSound();
  });

  test('starts again when another commit is pushed first', async () => {
    const { post, file, remote, assertSound } = await ipamServing();
    const [first] = await Promise.all([
      post(),
      (async () => remote.commitFiles({ 'notes.md': 'pushed at the same time\n' }))(),
    ]);
    expect(first[0]).toBe(200);
    expect(file('notes.md')).toBe('pushed at the same time\n');
    expect(file(shopWeb)).toContain('service: web');
    await assertSound();
  });

  test('reports a repository with problems, and a remote that is not there', async () => {
    const { post, end, remote } = await ipamServing();
    remote.commitFiles({ 'leases/broken.yaml': 'kind: Nothing\n' });
    expect(await post()).toEqual([
      500,
      {
        message: expect.stringMatching(
          /^Could not register address: .* \(FIELD_MISSING, leases\/broken\.yaml:1\)$/,
        ),
      },
    ]);
    remote.git('update-ref', '-d', 'refs/heads/main');
    const gone = 'branch main of origin does not exist: push it first';
    expect(await post()).toEqual([500, { message: `${cannotRegister}${gone}` }]);
    expect(await end(ipamBody())).toEqual([404, { message: `${cannotEnd}${gone}` }]);
  });

  test('reports a branch that refuses the commit', async () => {
    const { post, remote } = await ipamServing();
    mkdirSync(join(remote.folder, 'hooks'), { recursive: true });
    const hook = join(remote.folder, 'hooks', 'pre-receive');
    writeFileSync(hook, '#!/bin/sh\necho main is protected\nexit 1\n', { mode: 0o755 });
    const head = remote.head();
    expect(await post()).toEqual([
      500,
      { message: expect.stringMatching(/refuses the commit: .*main is protected/) },
    ]);
    expect(remote.head()).toBe(head);
  });
});

describe('DELETE /v2/service', () => {
  test('keeps the address for its Service, which gets it back', async () => {
    const { post, end, send, remote, assertSound } = await ipamServing();
    const [, { address }] = await post();
    expect(await end(ipamBody({ address }))).toEqual([200, { message: ended, address }]);
    const head = remote.head();
    const again = await send('DELETE', '/v2/address', ipamBody({ address }));
    expect([again, remote.head()]).toEqual([[200, { message: ended, address }], head]);
    await assertSound();
    const other = ipamBody({ address }, { service_name: 'api' });
    expect((await post(other))[0]).toBe(500);
    expect(await post(ipamBody({ address }))).toEqual([200, { message: updated, address }]);
    await end(ipamBody({ address }));
    expect(await post()).toEqual([200, { message: updated, address }]);
    await assertSound();
  });

  test('keeps the address for the days of the request, if they are more than before', async () => {
    const { post, end, remote, assertSound } = await ipamServing();
    const [, { address = '' }] = await post();
    const record = `leases/allocations/203.0.113/${address.replace('/32', '.yaml')}`;
    const body = ipamBody({ address }, { retention_period_days: 9 });
    expect(await end(body)).toEqual([200, { message: ended, address }]);
    const text = remote.git('show', `main:${record}`);
    expect(text).toMatch(/retain: 9\nreleased:\n/);
    const head = remote.head();
    expect(await end(body)).toEqual([200, { message: ended, address }]);
    expect(remote.head()).toBe(head);
    await assertSound();
  });

  test('ends no address that went to another Service', async () => {
    const { post, end, remote } = await ipamServing();
    const [, { address = '' }] = await post();
    await end(ipamBody({ address }));
    const bare = address.replace('/32', '');
    const path = `leases/allocations/203.0.113/${bare}.yaml`;
    const text = remote.git('show', `main:${path}`);
    const days = text.replaceAll(/\d{4}-\d\d-\d\d/g, '2026-01-01');
    remote.commitFiles({
      [path]: days.replace(
        'on: 2026-01-01\n  freeFrom: 2026-01-01',
        'on: 2026-01-01\n  freeFrom: 2026-01-02',
      ),
    });
    const other = ipamBody({ address }, { service_name: 'api' });
    expect(await post(other)).toEqual([200, { message: registered, address }]);
    const head = remote.head();
    expect(await end(ipamBody({ address }))).toEqual([
      404,
      { message: `${cannotEnd}service does not exist for this address` },
    ]);
    expect(remote.head()).toBe(head);
  });

  test('ends no address of another Service, and none that nobody has', async () => {
    const { post, end, remote } = await ipamServing();
    const [, { address }] = await post();
    // It has an address of its own.
    await post(ipamBody({}, { service_name: 'mail' }));
    const head = remote.head();
    const none = `${cannotEnd}no matching address found with the provivded secret, zone and address`;
    for (const name of ['api', 'mail']) {
      expect(await end(ipamBody({ address }, { service_name: name }))).toEqual([
        404,
        { message: `${cannotEnd}service does not exist for this address` },
      ]);
    }
    const used = remote.git('ls-tree', '-r', '--name-only', 'main', 'leases/allocations/');
    const all = ['0', '1', '2', '3'].map((last) => `203.0.113.${last}`);
    const free = `${all.find((one) => !used.includes(`${one}.yaml`))}/32`;
    for (const body of [{ address: free }, { address: '' }, { address, zone: 'hnet-private' }]) {
      expect(await end(ipamBody(body))).toEqual([404, { message: none }]);
    }
    expect(remote.head()).toBe(head);
  });

  test('ends a Service that a person declared, with its families at once or not at all', async () => {
    const { post, end, file, remote } = await ipamServing({
      'leases/web.yaml': service('web', 'ipv4'),
      'leases/both.yaml': service('both', 'dual'),
    });
    const both = { service_name: 'both' };
    const [, { address }] = await post();
    const [, { address: second }] = await post(ipamBody({}, both));
    expect((await post(ipamBody({ ip_family: 'ipv6' })))[1].message).toBe(
      `${cannotRegister}the Service is declared without an ipv6 address (leases/web.yaml:3)`,
    );
    expect((await end(ipamBody({ address }, { retention_period_days: 9 })))[0]).toBe(200);
    const record = `leases/allocations/203.0.113/${address?.replace('/32', '.yaml')}`;
    expect(file(record)).toContain('retain: 1\nreleased:');
    expect(await end(ipamBody({ address: second }, both))).toEqual([
      404,
      {
        message: `${cannotEnd}the Service is declared with both families: leasehold release ends it (leases/both.yaml:3)`,
      },
    ]);
    expect(file('leases/both.yaml')).toBe(service('both', 'dual'));
    expect(remote.git('ls-tree', '-r', '--name-only', 'main')).not.toContain('leases/web.yaml');
  });
});

describe('a request of the operator', () => {
  const field = (name: string, rule: string) =>
    `Key: 'IpamAPIRequest.${name}' Error:Field validation for '${name.split('.').at(-1)}' failed on the '${rule}' tag`;

  test.each([
    ['no JSON', '{', 'Could not parse incomming request'],
    ['a list', [], 'Could not parse incomming request'],
    ['a trailing comma', '{"secret":"12345678",}', 'Could not parse incomming request'],
    ['an unknown field', { ...ipamBody(), tenant: 'x' }, 'Could not parse incomming request'],
    ['a number', ipamBody({ zone: 7 }), 'Could not parse incomming request'],
    ['a short secret', ipamBody({ secret: '1234567' }), field('Secret', 'min')],
    ['a long secret', ipamBody({ secret: 'x'.repeat(65) }), field('Secret', 'max')],
    ['both families', ipamBody({ ip_family: 'dual' }), field('IPFamily', 'oneof')],
    [
      'nothing',
      {},
      [
        'Secret',
        'Zone',
        'IPFamily',
        'Service.ServiceName',
        'Service.NamespaceID',
        'Service.ClusterID',
      ]
        .map((name) => field(name, 'required'))
        .join('\n'),
    ],
    [
      'a long retention',
      ipamBody({}, { retention_period_days: 31 }),
      'retention period cannot be more than 30 days',
    ],
    [
      'a negative retention',
      ipamBody({}, { retention_period_days: -1 }),
      'retention period cannot be less than 0 days',
    ],
    [
      'another zone',
      ipamBody({ zone: 'x' }),
      "invalid zone 'x', must be one of: 'inet', 'hnet-private'",
    ],
    ['a block', ipamBody({ address: '203.0.113.0/30' }), 'invalid ip prefix: 203.0.113.0/30'],
    ['no length', ipamBody({ address: '203.0.113.1' }), 'invalid ip prefix: 203.0.113.1'],
    [
      'an address of the other family',
      ipamBody({ address: '2001:db8::1/128' }),
      'invalid ip familiy for the provided address',
    ],
    [
      'a family that the zone lacks',
      ipamBody({ zone: 'hnet-private', ip_family: 'ipv6' }),
      'no prefixes found for zone hnet-private with IP family ipv6',
    ],
  ])('is refused with 400 for %s', async (_, body, message) => {
    const { send, remote } = await ipamServing();
    const head = remote.head();
    expect(await send('POST', '/v2/address', body)).toEqual([400, { message }]);
    expect(await send('DELETE', '/v2/service', body)).toEqual([400, { message }]);
    expect(remote.head()).toBe(head);
  });

  test.each([
    [
      'a cluster that is not declared',
      { cluster_id: 'x' },
      'no cluster in the pool file has the id x',
    ],
    ['an unknown namespace', { namespace_id: 'y' }, 'no namespace of cluster default has the id y'],
    ['a name that is a path', { service_name: '../../main' }, 'spec.service'],
    ['a name that is YAML', { service_name: 'a\n  zone: x' }, 'spec.service'],
    ['a namespace that is a path', { namespace_id: 'odd' }, 'spec.namespace'],
  ])('writes nothing for %s', async (_, service, reason) => {
    const { post, remote } = await ipamServing();
    const head = remote.head();
    expect(await post(ipamBody({}, service))).toEqual([
      500,
      { message: expect.stringContaining(reason) },
    ]);
    expect(remote.head()).toBe(head);
  });

  test('is about a namespace of its own cluster', async () => {
    const { post, file, remote } = await ipamServing();
    expect((await post(ipamBody({}, west)))[0]).toBe(200);
    expect(file('leases/west/shop/web.yaml')).toContain('cluster: west\n');
    expect((await post())[0]).toBe(200);
    expect(file(shopWeb)).not.toContain('cluster:');
    const head = remote.head();
    expect(await post(ipamBody({}, { cluster_id: west.cluster_id }))).toEqual([
      500,
      { message: expect.stringMatching(/: no namespace of cluster west has the id \S+$/) },
    ]);
    expect(remote.head()).toBe(head);
  });

  test.each([
    ['no token', { authorization: '' }, 401],
    ['another token', { authorization: 'Bearer another' }, 401],
    ['another password', { authorization: `Basic ${btoa('leasehold:another')}` }, 401],
    ['the token as the user', { authorization: `Basic ${btoa('a-token-of-ours:')}` }, 401],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['a plain text', { 'content-type': 'text/plain' }, 415],
  ])('is refused with %s', async (_, headers, status) => {
    const { url, remote } = await ipamServing();
    const head = remote.head();
    const response = await fetch(`${url}/v2/address`, {
      method: 'POST',
      headers: { authorization: password, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(ipamBody()),
    });
    expect([response.status, Object.keys((await response.json()) as object)]).toEqual([
      status,
      ['message'],
    ]);
    expect(remote.head()).toBe(head);
  });

  test('may carry the token as a bearer', async () => {
    const { url } = await ipamServing();
    const headers = { authorization: 'Bearer a-token-of-ours', 'content-type': 'application/json' };
    const body = JSON.stringify(ipamBody());
    const response = await fetch(`${url}/v2/address`, { method: 'POST', headers, body });
    expect(response.status).toBe(200);
  });

  test('is not read without the token', async () => {
    const { raw } = await ipamServing();
    const head = ['POST /v2/address HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked'];
    // The body does not end, so neither does the answer, unless the connection is closed.
    const answer = await raw([...head, '', '4\r\nmore\r\n'].join('\r\n'));
    expect(answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*connection: close/i);
  });

  test('is refused when it is too large, with its length or in chunks, or cut off', async () => {
    const { send, raw, post } = await ipamServing();
    const large = 'x'.repeat(9_000);
    expect((await send('POST', '/v2/address', large))[0]).toBe(413);
    const head = [
      'POST /v2/address HTTP/1.1',
      'Host: localhost',
      `Authorization: ${password}`,
      'Content-Type: application/json',
    ];
    const chunk = `2328\r\n${large}\r\n`;
    const chunked = [...head, 'Transfer-Encoding: chunked', '', `${chunk}${chunk}0\r\n\r\n`];
    expect(await raw(chunked.join('\r\n'), /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 413 /);
    const invalid = [...head, 'Content-Length: 2', 'Connection: close', '', '\xff\xfe'];
    expect(await raw(invalid.join('\r\n'))).toMatch(/^HTTP\/1\.1 400 /);
    expect((await post())[0]).toBe(200);
  });

  test('is described in the OpenAPI document, which is else read-only', async () => {
    const { get } = await ipamServing();
    const headers = { authorization: 'Bearer a-token-of-ours' };
    const described = (await (await get('/api/v1/openapi.json', headers)).json()) as {
      readonly info: { readonly description: string };
      readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
      readonly components: { readonly schemas: object; readonly securitySchemes: object };
    };
    const { paths, components, info } = described;
    const written = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(written.filter((one) => !one.startsWith('get '))).toEqual([
      'post /v2/address',
      'delete /v2/address',
      'delete /v2/service',
    ]);
    expect(paths['/v2/address']?.post).toMatchObject({
      security: [{ token: [] }, { password: [] }],
      responses: { 200: {}, 400: {}, 401: {}, 500: {} },
    });
    const names = [...JSON.stringify(paths).matchAll(/#\/components\/schemas\/(\w+)/g)];
    expect(new Set(names.map(([, name]) => name))).toEqual(
      new Set(Object.keys(components.schemas)),
    );
    expect(info.description).toContain('Only /v2 writes.');
  });

  test('has no other methods and paths', async () => {
    const { send, get } = await ipamServing();
    const response = await get('/v2/address', { authorization: password });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, DELETE']);
    expect((await send('POST', '/v2/service', ipamBody()))[0]).toBe(405);
    expect((await get('/api/v1/status', { authorization: password })).status).toBe(401);
    expect((await get('/v2/cluster', { authorization: password })).status).toBe(404);
  });

  test('is not answered without the option', async () => {
    const { url } = await serving((await remadeTwoLeases()).root);
    expect((await fetch(`${url}/v2/address`, { method: 'POST' })).status).toBe(404);
  });
});
