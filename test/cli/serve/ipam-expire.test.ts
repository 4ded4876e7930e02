// @module-tag slow

import { describe, expect, test } from 'vitest';
import { ipamBody, ipamServing, said, serviceText } from '../../support/serve/ipam-server.ts';

const { registered, updated, ended, cannotRegister, cannotEnd } = said;

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
    // Without a retention, the address is free on the day on which the release has landed.
    remote.commitFiles({ [path]: days.replace(/retain: \d+/, 'retain: 0') });
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
      'leases/web.yaml': serviceText('web', 'ipv4'),
      'leases/both.yaml': serviceText('both', 'dual'),
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
        message: `${cannotEnd}the Service is declared with both families: \`leasehold release\` ends it (leases/both.yaml:3)`,
      },
    ]);
    expect(file('leases/both.yaml')).toBe(serviceText('both', 'dual'));
    expect(remote.git('ls-tree', '-r', '--name-only', 'main')).not.toContain('leases/web.yaml');
  });
});
