import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { runProcess } from '../support/run/run-process.ts';
import { tempTree } from '../support/trees/temp-tree.ts';

test('npx --no runs no stranger where leasehold is not installed', async () => {
  const asked: string[] = [];
  const registry = createServer(({ url = '' }, answer) => {
    asked.push(url);
    const dist = { tarball: `http://127.0.0.1:${port}/stranger.tgz` };
    const version = { name: 'leasehold', version: '9.9.9', bin: { leasehold: 'x.js' }, dist };
    const document = {
      name: 'leasehold',
      'dist-tags': { latest: '9.9.9' },
      versions: { '9.9.9': version },
    };
    answer.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void registry.close());
  await new Promise((listening) => registry.once('listening', listening));
  const { port } = registry.address() as AddressInfo;
  const folder = tempTree({ 'package.json': '{ "name": "somewhere", "private": true }\n' });
  const env = {
    npm_config_registry: `http://127.0.0.1:${port}`,
    npm_config_cache: tempTree(),
    npm_config_userconfig: `${folder}/npmrc`,
    npm_config_yes: '',
    npm_config_update_notifier: 'false',
  };
  const { status, err } = await runProcess('npx', ['--no', 'leasehold', 'list'], {
    cwd: folder,
    env,
  });
  expect([status, err]).toEqual([1, expect.stringContaining('canceled')]);
  expect(asked).toEqual(['/leasehold']);
});
