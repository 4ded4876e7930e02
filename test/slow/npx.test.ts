import { chmodSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { l2PoolText } from '../support/declarations/pools-text.ts';
import { gitRepository } from '../support/repositories/git-repository.ts';
import { runProcess } from '../support/run/run-process.ts';
import { putFile, tempTree } from '../support/trees/temp-tree.ts';

const repository = resolve(import.meta.dirname, '../..');

/** The npx of this machine; CI names that of npm 10 too. */
const programs = ['npx', ...(process.env.TEST_NPX?.split(':') ?? [])];

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
  const { status, err } = await runProcess('npx', ['--no', '--', 'leasehold', 'list'], {
    cwd: folder,
    env,
  });
  expect([status, err]).toEqual([1, expect.stringContaining('canceled')]);
  expect(asked).toEqual(['/leasehold']);
});

/** The commands of the README, and those that one `init` prints or writes. */
function printedCommands(): readonly string[] {
  const found = ['README.md', 'test/golden/init/platform-flux-gitlab.txt'].flatMap((path) =>
    [
      ...readFileSync(join(repository, path), 'utf8').matchAll(
        /npx --no -- leasehold(?: [\w@/.:=-]+)+(?=[`\n:]|(?: \|)|$)/g,
      ),
    ].map(([command]) => command),
  );
  return [...new Set(found)];
}

/** A folder where npx finds a `leasehold` that prints its arguments as JSON. */
function echoing(): string {
  const folder = tempTree({ 'package.json': '{ "private": true }\n' });
  putProgram(folder, `node -p 'JSON.stringify(process.argv.slice(1))' -- "$@"`);
  return folder;
}

/** Makes `line` the program `leasehold` of a folder, as npm links it. */
function putProgram(folder: string, line: string): void {
  putFile(folder, 'node_modules/.bin/leasehold', `#!/bin/sh\n${line}\n`);
  putFile(folder, 'node_modules/leasehold/package.json', '{ "name": "leasehold", "bin": "x" }\n');
  chmodSync(join(folder, 'node_modules/.bin/leasehold'), 0o755);
}

/** Runs a line of a shell, where `npx` is that of one npm. */
function inShell(npx: string, line: string, cwd: string) {
  const own = npx === 'npx' ? line : line.replace(/^npx\b/, npx);
  return runProcess('sh', ['-c', own], { cwd, env: { npm_config_update_notifier: 'false' } });
}

describe.each(programs)('%s', (npx) => {
  test('gives all words of a printed command to leasehold', async () => {
    const folder = echoing();
    const commands = [
      ...printedCommands(),
      'npx --no -- leasehold --version',
      'npx --no -- leasehold -C other list',
      'npx --no -- leasehold -q list --json',
    ];
    expect(commands.length).toBeGreaterThan(15);
    for (const command of commands) {
      const { out, err } = await inShell(npx, command, folder);
      expect([command, out, err]).toEqual([
        command,
        `${JSON.stringify(command.split(' ').slice(4))}\n`,
        '',
      ]);
    }
  });

  test('without --, an option for another workspace is refused and not lost', async () => {
    const top = tempTree();
    const program = `exec node ${join(repository, 'build/src/cli/main.js')} "$@"`;
    for (const name of ['own', 'other']) {
      const folder = join(top, name);
      putFile(folder, 'package.json', '{ "private": true }\n');
      putFile(folder, 'leases/pools.yaml', l2PoolText);
      putProgram(folder, program);
      gitRepository(folder);
    }
    const own = join(top, 'own');
    const taken = await inShell(npx, 'npx --no leasehold -C ../other synth', own);
    expect(taken).toMatchObject({
      status: 64,
      err: expect.stringContaining('write `npx --no -- leasehold -C ../other'),
    });
    const given = await inShell(npx, 'npx --no -- leasehold -C ../other list', own);
    expect(given).toMatchObject({ status: 0, err: '' });
    const usual = await inShell(npx, 'npx --no leasehold list', own);
    expect(usual).toMatchObject({ status: 0, err: '' });
    // The program of another folder, which is no workspace.
    putFile(top, 'tool/package.json', '{ "private": true }\n');
    putProgram(join(top, 'tool'), program);
    const tool = await inShell(npx, 'npx --prefix ../tool --no -- leasehold list', own);
    expect(tool).toMatchObject({ status: 0, err: '' });
  });
});
