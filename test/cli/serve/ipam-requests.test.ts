// @module-tag slow

import { describe, expect, test } from 'vitest';
import { remadeTwoLeases } from '../../support/repositories/cached-repository.ts';
import { ipamBody, ipamServing, password, shopWeb, west } from '../../support/serve/ipam-server.ts';
import { serving } from '../../support/serve/server.ts';

describe('a request of the operator', () => {
  const field = (name: string, rule: string) =>
    `Key: 'IpamAPIRequest.${name}' Error:Field validation for '${name.split('.').at(-1)}' failed on the '${rule}' tag`;

  const malformed: readonly (readonly [what: string, body: unknown, message: string])[] = [
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
  ];

  test('is refused with 400 for what is malformed', async () => {
    const { send, remote } = await ipamServing();
    const head = remote.head();
    for (const [what, body, message] of malformed) {
      const refusal = [what, 400, { message }];
      expect([what, ...(await send('POST', '/v2/address', body))]).toEqual(refusal);
      expect([what, ...(await send('DELETE', '/v2/service', body))]).toEqual(refusal);
    }
    expect(remote.head()).toBe(head);
  });

  test('writes nothing for names that are unknown or no names', async () => {
    const { post, remote } = await ipamServing();
    const head = remote.head();
    for (const [service, reason] of [
      [{ cluster_id: 'x' }, 'no cluster in the pool file has the id x'],
      [{ namespace_id: 'y' }, 'no namespace of cluster default has the id y'],
      [{ service_name: '../../main' }, 'spec.service'],
      [{ service_name: 'a\n  zone: x' }, 'spec.service'],
      [{ namespace_id: 'odd' }, 'spec.namespace'],
    ] as const) {
      const refusal = [500, { message: expect.stringContaining(reason) }];
      expect(await post(ipamBody({}, service))).toEqual(refusal);
    }
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

  test('is refused with another token, and with a body of another type', async () => {
    const { url, remote } = await ipamServing();
    const head = remote.head();
    for (const [what, headers, status] of [
      ['no token', { authorization: '' }, 401],
      ['another token', { authorization: 'Bearer another' }, 401],
      ['another password', { authorization: `Basic ${btoa('leasehold:another')}` }, 401],
      ['the token as the user', { authorization: `Basic ${btoa('a-token-of-ours:')}` }, 401],
      ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
      ['a plain text', { 'content-type': 'text/plain' }, 415],
    ] as const) {
      const response = await fetch(`${url}/v2/address`, {
        method: 'POST',
        headers: { authorization: password, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(ipamBody()),
      });
      const fields = Object.keys((await response.json()) as object);
      expect([what, response.status, fields]).toEqual([what, status, ['message']]);
    }
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
