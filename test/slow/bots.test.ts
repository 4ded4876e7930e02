import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { botEnvironment, botRemote } from '../support/bot-remote.ts';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { checkHere, listHere } from '../support/in-process.ts';
import { accountOf } from '../support/lease-text.ts';
import { runProcess } from '../support/run-process.ts';

const bots = 8;
const leasesEach = 25;

let program: BuiltProgram;

beforeAll(() => {
  program = buildProgram();
  return () => program.remove();
});

function emptyFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'leasehold-bots-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

it(`gives ${bots} processes that declare ${leasesEach} leases each an address for every one`, async () => {
  const remote = await botRemote(emptyFolder());
  remote.git('config', 'core.logAllRefUpdates', 'always');
  const first = remote.head();
  const clones = Array.from({ length: bots }, (_, bot) => remote.clone(`bot-${bot}`));
  const started = performance.now();
  const answers = await Promise.all(
    clones.map(async ({ root: cwd }, bot) => {
      const found: string[] = [];
      for (let count = 0; count < leasesEach; count += 1) {
        const lease = `${accountOf(`bot ${bot}`)}/${1000 + count}/1/1`;
        const args = ['declare', lease, 'web', '8080', '--external-port', '80'];
        const { status, out, err } = await runProcess(
          process.execPath,
          [program.cli, ...args, '--endpoint', `site-${count}`],
          { cwd, env: botEnvironment },
        );
        if (status !== 0) throw new Error(`${lease}: ${status}: ${err}`);
        found.push(out.trim());
      }
      return found;
    }),
  );
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`${bots} bots declared ${bots * leasesEach} leases in ${seconds} s`);

  const addresses = answers.flat();
  expect(addresses).toHaveLength(200);
  expect(new Set(addresses).size).toBe(200);

  // Every commit comes from the one before: nothing was forced, lost or merged.
  expect(remote.git('rev-list', '--count', `${first}..main`).trim()).toBe('200');
  expect(remote.git('rev-list', '--min-parents=2', 'main')).toBe('');
  const moves = remote.git('reflog', 'show', '--format=%H', 'main').trim().split('\n');
  const history = remote.git('rev-list', 'main').trim().split('\n');
  expect([...moves, first]).toEqual(history);

  const { person } = remote;
  person.git('pull', '-q', '--ff-only', 'origin', 'main');
  expect(await checkHere(person.root)).toEqual([]);
  const { items } = JSON.parse(await listHere(person.root)) as {
    items: { addresses: string[]; claims: unknown[] }[];
  };
  expect(items.flatMap((item) => item.addresses).sort()).toEqual(addresses.sort());
  expect(items.flatMap((item) => item.claims)).toHaveLength(200);
  for (const { git, root } of clones) {
    expect(git('status', '--porcelain')).toBe('');
    expect(git('rev-parse', 'HEAD').trim()).toBe(first);
    expect(readdirSync(root).sort()).toEqual(['.git', '.gitignore', 'dist', 'leases']);
  }
});
