import { chmodSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { botRemote } from '../support/repositories/bot-remote.ts';
import { declarationOf, twoLeases } from '../support/repositories/two-leases.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { runProcess } from '../support/run/run-process.ts';
import { type ServedProgram, startServe } from '../support/serve/served-program.ts';
import { putFile, tempTree } from '../support/trees/temp-tree.ts';

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
}, 120_000);
afterAll(() => program.remove());

function start(root: string, ...options: readonly string[]): Promise<ServedProgram> {
  return startServe(program.cli, root, ...options);
}

const patient = { timeout: 30_000, interval: 200 };

async function jsonOf(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}

test('a checkout is served, broken and mended, and SIGTERM ends it with 0', async () => {
  const { root, git } = await twoLeases();
  const { url, err, ready, stop } = await start(root);
  await ready();
  expect(err()).toContain('serving the checkout at ');
  putFile(root, 'leases/pools.yaml', 'kind: Pools\n');
  const staleOf = async () =>
    (await fetch(`${url}/api/v1/leases`)).headers.get('leasehold-stale') !== null;
  await expect.poll(staleOf, patient).toBe(true);
  expect(await jsonOf(`${url}/api/v1/leases`)).toMatchObject({ items: [{ state: 'held' }] });
  expect(err()).toContain('the last good state is served until they are fixed');
  git('checkout', '-q', '--', 'leases/pools.yaml');
  await expect.poll(staleOf, patient).toBe(false);
  expect(await stop()).toBe(0);
});

test('a branch of a remote is followed without a working tree, and served while the remote is away', async () => {
  const remote = await botRemote(tempTree());
  const clone = remote.clone('served');
  const { url, err, stop } = await start(clone.root, '--branch', 'main');
  const status = () => jsonOf(`${url}/api/v1/status`);
  const first = remote.head();
  await expect.poll(status, patient).toMatchObject({ revision: { commit: first } });
  putFile(clone.root, 'leases/pools.yaml', 'not what is served\n');
  const next = remote.commitFiles({ 'leases/ann.yaml': declarationOf('ann') });
  await expect
    .poll(status, patient)
    .toMatchObject({ revision: { commit: next }, source: 'main of origin' });
  clone.git('remote', 'set-url', 'origin', '../absent.git');
  await expect.poll(status, patient).toMatchObject({
    revision: { commit: next },
    stale: { reason: expect.stringContaining("the remote 'origin' cannot be reached") },
  });
  clone.git('remote', 'set-url', 'origin', '../origin.git');
  await expect
    .poll(async () => Object.hasOwn((await status()) as object, 'stale'), patient)
    .toBe(false);
  expect(err()).toContain('main of origin is reachable again');
  expect(await stop()).toBe(0);
});

test('a branch whose remote is away at the start is served as it was fetched last, marked stale', async () => {
  const remote = await botRemote(tempTree());
  const clone = remote.clone('served');
  clone.git('remote', 'set-url', 'origin', '../absent.git');
  const { url, stop } = await start(clone.root, '--branch', 'main');
  await expect
    .poll(async () => jsonOf(`${url}/api/v1/status`), patient)
    .toMatchObject({
      ready: true,
      revision: { commit: remote.head() },
      stale: { reason: expect.stringContaining("the remote 'origin' cannot be reached") },
    });
  expect(await stop()).toBe(0);
});

describe('SIGTERM', () => {
  test('ends a git that waits for a remote, and reports the remote as unreachable', async () => {
    const remote = await botRemote(tempTree());
    const clone = remote.clone('served');
    const over = join(tempTree(), 'over');
    clone.git('remote', 'set-url', 'origin', 'ssh://nobody@localhost/absent');
    // In place of ssh: never answers, and ends when the git that asks does.
    clone.git('config', 'ssh.variant', 'ssh');
    clone.git('config', 'core.sshCommand', `sh -c 'cat >/dev/null; echo over >${over}' ssh`);
    const { url, err, stop } = await start(clone.root, '--branch', 'main');
    await expect
      .poll(() => jsonOf(`${url}/api/v1/status`), patient)
      .toMatchObject({
        revision: { commit: remote.head() },
        stale: { reason: 'main of origin has not answered yet' },
      });
    expect(err()).toContain('main of origin has not answered yet');
    expect(existsSync(over)).toBe(false);
    const began = performance.now();
    expect(await stop()).toBe(0);
    expect(performance.now() - began).toBeLessThan(5_000);
    await expect.poll(() => existsSync(over), patient).toBe(true);
  });

  test('ends streams of events, and refuses new connections', async () => {
    const { root } = await twoLeases();
    const { url, ready, stop } = await start(root);
    await ready();
    const stream = await fetch(`${url}/api/v1/events`);
    const text = stream.text();
    expect(await stop()).toBe(0);
    expect(await text).toContain('event: revision');
    await expect(fetch(`${url}/health`)).rejects.toThrow();
  });
});

describe('the command line', () => {
  const run = (root: string, ...argv: readonly string[]) =>
    runProcess(process.execPath, [program.cli, '-C', root, 'serve', ...argv], { cwd: root });

  test('ends in 74 for a port that another process has, and for a remote that is not there', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await new Promise((listening) => taken.once('listening', listening));
    const { port } = taken.address() as { readonly port: number };
    const { root } = await twoLeases();
    const busy = await run(root, '--listen', `127.0.0.1:${port}`);
    expect([busy.status, busy.err]).toEqual([
      74,
      `leasehold: cannot listen on 127.0.0.1:${port}: another process uses it\n`,
    ]);
    const absent = await run(root, '--branch', 'main', '--listen', '127.0.0.1:0');
    expect([absent.status, absent.err]).toEqual([
      74,
      expect.stringContaining("the clone has no remote 'origin'"),
    ]);
  });

  test('takes a token from a file, and warns when others can read it or the server', async () => {
    const { root } = await twoLeases();
    const folder = tempTree();
    writeFileSync(join(folder, 'token'), 'a-secret-of-ours\n', { mode: 0o600 });
    symlinkSync('token', join(folder, 'link'));
    const guarded = await start(root, '--token-file', join(folder, 'link'));
    expect((await fetch(`${guarded.url}/api/v1/status`)).status).toBe(401);
    const headers = { authorization: 'Bearer a-secret-of-ours' };
    expect((await fetch(`${guarded.url}/api/v1/status`, { headers })).status).toBe(200);
    expect(guarded.err()).not.toContain('caution');
    expect(guarded.err()).not.toContain('a-secret');
    expect(await guarded.stop()).toBe(0);
    chmodSync(join(folder, 'token'), 0o644);
    const shown = await start(root, '--token-file', join(folder, 'token'));
    expect(shown.err()).toContain('caution: every user of this machine can read');
    expect(await shown.stop()).toBe(0);
    const open = await start(root, '--listen', '0.0.0.0:0');
    expect(open.err()).toContain('caution: everyone who can reach 0.0.0.0 can read');
    expect(await open.stop()).toBe(0);
  });
});
