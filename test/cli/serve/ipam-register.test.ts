// @module-tag slow

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  ipamBody,
  ipamServing,
  said,
  serviceText,
  shopWeb,
} from '../../support/serve/ipam-server.ts';

const { registered, updated, ended, cannotRegister, cannotEnd } = said;

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
  retentionDays: 3
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
      {
        message: `${cannotRegister}the Service has 203.0.113.2, and \`leasehold move\` changes it`,
      },
    ]);
    expect(await post(ipamBody({ zone: 'hnet-private' }))).toEqual([
      500,
      {
        message: `${cannotRegister}the Service has 203.0.113.2 in zone 'inet', and \`leasehold move\` changes it`,
      },
    ]);
    expect(remote.head()).toBe(head);
  });

  test('sets the retention and the denial of a Reservation that differ', async () => {
    const { post, file, remote, assertSound } = await ipamServing();
    const [, { address }] = await post();
    const terms = { retention_period_days: 7, deny_external_cleanup: true };
    expect(await post(ipamBody({}, terms))).toEqual([200, { message: updated, address }]);
    expect(file(shopWeb)).toMatch(/retentionDays: 7\n {2}denyExternalCleanup: true\n$/);
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
    const head = remote.commitFiles({ [shopWeb]: serviceText('web', 'ipv4') });
    const terms = { retention_period_days: 5 };
    expect(await post(ipamBody({}, terms))).toEqual([200, { message: updated, address }]);
    expect([file(shopWeb), remote.head()]).toEqual([serviceText('web', 'ipv4'), head]);
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
