import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { gitRepository } from '../support/repositories/git-repository.ts';
import { runProcess } from '../support/run/run-process.ts';
import { hasOwnNetworks, runTimed, runWithoutNetwork } from '../support/run/without-network.ts';
import { example } from '../support/trees/example.ts';
import { tempTree } from '../support/trees/temp-tree.ts';

/** The tarball of a release, as people get it, on machines without a network and with a registry. */
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
let released: string;
let tarball: string;

beforeAll(async () => {
  released = mkdtempSync(join(tmpdir(), 'leasehold-installed-'));
  const argv = ['release/release.mjs', '--out', join(released, 'files')];
  expect(await runProcess(process.execPath, argv, { cwd: '.' })).toMatchObject({ status: 0 });
  tarball = join(released, 'files', `leasehold-${version}.tgz`);
  const unpack = ['-C', released, '--strip-components=1', 'package/package.json'];
  execFileSync('tar', ['-xzf', tarball, ...unpack]);
});
afterAll(() => rmSync(released, { recursive: true, force: true }));

if (!hasOwnNetworks) {
  process.stderr.write('installed.test.ts skips a test: unshare -rn gives no network here\n');
}

test.skipIf(!hasOwnNetworks)(
  'the tarball is installed in an empty folder and runs the example, without a network and with an empty cache',
  async () => {
    const folder = tempTree({ 'package.json': '{ "private": true }\n' });
    const install = ['npm', 'install', '--offline', '--cache', tempTree(), tarball];
    const installed = await runWithoutNetwork(install, folder);
    expect(installed).toMatchObject({ status: 0, err: expect.not.stringContaining('npm error') });
    const repository = gitRepository(example());
    repository.git('add', '-A');
    repository.git('commit', '-q', '-m', 'leases');
    const program = ['env', 'LEASEHOLD_TODAY=2026-11-20', 'npx', '--no', '--', 'leasehold'];
    for (const words of [['synth'], ['check'], ['plan', '--base', 'HEAD', '--head', 'HEAD']]) {
      const command = [...program, ...words, '-C', repository.root];
      const { status, err } = await runWithoutNetwork(command, folder);
      expect([words, status, err]).toEqual([words, 0, expect.not.stringContaining('error')]);
    }
    expect(repository.git('status', '--porcelain')).toBe('');

    const start = [join(folder, 'node_modules/.bin/leasehold'), '--version'];
    const { out, seconds } = await runTimed(start, { cwd: folder });
    expect(out).toBe(`${version}\n`);
    const megabytes = (statSync(tarball).size / 1e6).toFixed(2);
    process.stdout.write(`tarball: ${megabytes} MB; --version: ${seconds.toFixed(2)} s of CPU\n`);
  },
);

test('npx gets leasehold from a registry and runs it, with an empty cache', async () => {
  // Without a package.json of its own, npx takes one of a folder above.
  const cwd = tempTree({ npmrc: '', 'package.json': '{ "private": true }\n' });
  const env = {
    npm_config_registry: await registry(),
    npm_config_cache: tempTree(),
    npm_config_userconfig: join(cwd, 'npmrc'),
    npm_config_update_notifier: 'false',
  };
  const command = ['npx', '--yes', `leasehold@${version}`, 'list', '-C', example()];
  const { status, out, err, seconds } = await runTimed(command, { cwd, env });
  expect([status, out]).toEqual([0, expect.stringContaining('194.28.98.')]);
  expect(err).not.toContain('npm error');
  process.stdout.write(`npx, cold: ${seconds.toFixed(2)} s of CPU\n`);
});

/** A registry on loopback that has this version of leasehold and no other package; gives its URL. */
async function registry(): Promise<string> {
  const bytes = readFileSync(tarball);
  const manifest = JSON.parse(readFileSync(join(released, 'package.json'), 'utf8'));
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const server = createServer(({ url }, answer) => {
    if (url === '/leasehold.tgz') return void answer.end(bytes);
    if (url !== '/leasehold') return void answer.writeHead(404).end('{}');
    const dist = { tarball: `${at}/leasehold.tgz`, integrity };
    const versions = { [version]: { ...manifest, dist } };
    const document = { name: 'leasehold', 'dist-tags': { latest: version }, versions };
    answer.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((listening) => server.once('listening', listening));
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return at;
}
