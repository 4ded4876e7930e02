import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { botEnvironment, botRemote } from '../support/repositories/bot-remote.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { runProcess } from '../support/run/run-process.ts';
import { ipamBody, ipamPools, putNamespaces, sender } from '../support/serve/ipam-server.ts';
import { startServe } from '../support/serve/served-program.ts';
import { putFile, tempTree } from '../support/trees/temp-tree.ts';

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
}, 120_000);
afterAll(() => program.remove());

/** A service over a clone of a branch, and what `leasehold` says of the branch. */
async function ipamProgram() {
  const root = tempTree();
  const remote = await botRemote(root, { 'leases/pools.yaml': ipamPools });
  const clone = remote.clone('serve');
  putFile(root, 'token', 'a-token-of-ours\n');
  const files = putNamespaces(root).flatMap((name) => ['--ipam-namespaces', name]);
  const token = ['--token-file', join(root, 'token')];
  const start = () =>
    startServe(program.cli, clone.root, '--ipam-branch', 'main', ...files, ...token);
  const leasehold = (...argv: readonly string[]) => {
    remote.person.git('pull', '-q', '--ff-only', 'origin', 'main');
    const cwd = remote.person.root;
    return runProcess(process.execPath, [program.cli, ...argv], { cwd, env: botEnvironment });
  };
  /** The addresses of the branch. */
  const items = async () => JSON.parse((await leasehold('list', '-o', 'json')).out).items;
  return { remote, start, leasehold, items };
}

const ended = 'Service expiration set successfully';

test('a Service of ipam-operator gets its addresses, keeps them, and gives them back', async () => {
  const { remote, start, leasehold, items } = await ipamProgram();
  const first = remote.head();
  const { url, stop } = await start();
  const send = sender(url);
  const register = (body: object) => send('POST', '/v2/address', body);
  const end = (path: string, body: object) => send('DELETE', path, body);

  // The mutating webhook asks for any address of each family, the validating one for both by name.
  const [, { address: v4 = '' }] = await register(ipamBody());
  const six = { ip_family: 'ipv6' };
  const [, { address: v6 = '' }] = await register(ipamBody(six));
  expect([v4, v6]).toEqual([
    expect.stringMatching(/^203\.0\.113\.\d\/32$/),
    expect.stringMatching(/^2001:db8::\d?\/128$/),
  ]);
  const message = 'Address updated successfully';
  const named4 = ipamBody({ address: v4 });
  const named6 = ipamBody({ ...six, address: v6 });
  expect(await register(named6)).toEqual([200, { message, address: v6 }]);
  expect(await register(named4)).toEqual([200, { message, address: v4 }]);
  // It sends a request again when it changes the secret.
  const changed = { ...named4, new_secret: 'another-secret-of-its-owner' };
  expect(await register(changed)).toEqual([200, { message, address: v4 }]);
  // Another Service names an address that is taken.
  const api = { service_name: 'api' };
  expect((await register(ipamBody({ address: v4 }, api)))[0]).toBe(500);
  expect(await items()).toMatchObject([
    {
      holder: 'default/service/shop/web',
      addresses: [v4.replace('/32', ''), v6.replace('/128', '')],
    },
  ]);
  expect(await leasehold('check')).toMatchObject({ status: 0 });

  // The Service is deleted: its annotation has IPv6 first.
  expect(await end('/v2/service', named6)).toEqual([200, { message: ended, address: v6 }]);
  expect(await end('/v2/address', named4)).toEqual([200, { message: ended, address: v4 }]);
  expect(await end('/v2/service', named4)).toEqual([200, { message: ended, address: v4 }]);
  expect(await items()).toMatchObject([{ state: 'released', claims: [] }]);
  expect(await leasehold('check', '--base', first)).toMatchObject({ status: 0 });
  expect(await leasehold('check')).toMatchObject({ status: 0 });

  expect(remote.git('log', '--format=%s', `${first}..main`).split('\n').length - 1).toBe(4);
  expect(remote.git('log', '-p', 'main')).not.toMatch(/secret/);
  expect(await stop()).toBe(0);
});

test('a request whose service is killed while it pushes is sent again, and gets one address', async () => {
  const { remote, start, leasehold, items } = await ipamProgram();
  const hooks = join(remote.folder, 'hooks');
  mkdirSync(hooks, { recursive: true });
  writeFileSync(join(hooks, 'pre-receive'), '#!/bin/sh\n: > pushing\n', { mode: 0o755 });
  const killed = await start();
  const lost = sender(killed.url)('POST', '/v2/address', ipamBody()).catch(() => undefined);
  const isPushing = () => existsSync(join(remote.folder, 'pushing'));
  await expect.poll(isPushing, { timeout: 30_000, interval: 5 }).toBe(true);
  killed.process.kill('SIGKILL');
  await lost;
  const { url, stop } = await start();
  const send = sender(url);
  const [status, { address }] = await send('POST', '/v2/address', ipamBody());
  expect([status, address]).toEqual([200, expect.stringMatching(/\/32$/)]);
  expect((await send('POST', '/v2/address', ipamBody()))[1].address).toBe(address);
  expect(await items()).toHaveLength(1);
  expect(await leasehold('check')).toMatchObject({ status: 0 });
  expect(remote.git('fsck', '--no-dangling')).toBe('');
  expect(await stop()).toBe(0);
});
