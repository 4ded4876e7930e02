import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../support/branches/killed-run.ts';
import { accountOf, leaseText } from '../support/declarations/lease-text.ts';
import { botEnvironment, botRemote } from '../support/repositories/bot-remote.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { checkHere, listHere } from '../support/run/direct-commands.ts';
import { runProcess } from '../support/run/run-process.ts';
import { repeats } from '../support/run/scope.ts';
import { seeded } from '../support/run/seeded.ts';

const bots = 8;
const leasesEach = repeats(4, 25);
/** Times that a bot is killed. */
const blows = repeats(10, 40);

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

/**
 * The other end of a push dies with the bot here, as no server does, and may leave its locks: that of the branch, of HEAD, which
 * names the branch, or of all packed refs.
 */
function removeLocks(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.lock')) rmSync(join(folder, name), { force: true });
  }
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
  expect(addresses).toHaveLength(bots * leasesEach);
  expect(new Set(addresses).size).toBe(bots * leasesEach);

  // Every commit comes from the one before: nothing was forced, lost or merged.
  expect(remote.git('rev-list', '--count', `${first}..main`).trim()).toBe(
    String(bots * leasesEach),
  );
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
  expect(items.flatMap((item) => item.claims)).toHaveLength(bots * leasesEach);
  for (const { git, root } of clones) {
    expect(git('status', '--porcelain')).toBe('');
    expect(git('rev-parse', 'HEAD').trim()).toBe(first);
    expect(readdirSync(root).sort()).toEqual(['.git', '.gitignore', 'dist', 'leases']);
  }
});

it('leaves nothing behind when it is killed at any moment, and then goes on', async () => {
  const remote = await botRemote(emptyFolder());
  const { root, git } = remote.clone('bot');
  const first = git('rev-parse', 'HEAD');
  const random = seeded(1);
  const declareNext = (dseq: number) => ({
    program: program.cli,
    args: ['declare', `${accountOf('ann')}/${dseq}/1/1`, 'web', '80', '--endpoint', `s-${dseq}`],
    cwd: root,
    env: botEnvironment,
  });
  const { lifeMs } = await runCommand(declareNext(1));
  const found = { pushed: 0, lost: 0 };
  for (let dseq = 2; dseq < 2 + blows; dseq += 1) {
    const before = remote.head();
    const moment = { after: 'start', delayMs: random.fraction() * lifeMs * 1.2 } as const;
    await runCommand(declareNext(dseq), { moment, blow: { signal: 'SIGKILL', at: 'group' } });
    removeLocks(remote.folder);
    const after = remote.head();
    found[after === before ? 'lost' : 'pushed'] += 1;
    if (after !== before) expect(remote.git('rev-parse', `${after}~1`).trim()).toBe(before);
    expect(git('status', '--porcelain')).toBe('');
    expect(git('rev-parse', 'HEAD')).toBe(first);
    expect(readdirSync(root).sort()).toEqual(['.git', '.gitignore', 'dist', 'leases']);
  }
  console.log(`found after ${blows} blows: ${JSON.stringify(found)}`);
  expect(found.lost).toBeGreaterThan(blows / 8);
  // A killed git may leave the lock of the clone's remote-tracking branch. A bot goes on without that branch; a person's pull does
  // not, and git tells them to remove the lock.
  const folder = join(root, '.git');
  writeFileSync(join(folder, 'refs/remotes/origin/main.lock'), '');
  const { status, stderr } = await runCommand(declareNext(99));
  expect(status, stderr).toBe(0);
  removeLocks(folder);
  git('pull', '-q', '--ff-only', 'origin', 'main');
  expect(await checkHere(root)).toEqual([]);
  expect(git('fsck', '--no-dangling', '--no-progress')).toBe('');
});

it.each(['SIGTERM', 'SIGINT'] as const)(
  'follows a branch through a remote that goes and comes back, until %s',
  async (signal) => {
    const remote = await botRemote(emptyFolder());
    const { root: cwd } = remote.clone('bot');
    const args = [program.cli, 'reconcile', '--interval', '1s'];
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...process.env, ...botEnvironment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let err = '';
    let seen = 0;
    /** Waits for a text after the one that was waited for last. */
    const heard = async (text: string): Promise<void> => {
      while (!err.includes(text, seen)) {
        const [chunk] = await once(child.stderr, 'data');
        err += String(chunk);
      }
      seen = err.indexOf(text, seen) + text.length;
    };
    await heard('all files up to date');
    renameSync(remote.folder, `${remote.folder}.away`);
    await heard('cannot be reached');
    renameSync(`${remote.folder}.away`, remote.folder);
    await heard('is reachable again');
    const web = { name: 'shop', service: 'web', port: 80 };
    remote.commitFiles({ 'leases/ann.yaml': leaseText('ann', 1, [web]) });
    await heard('pushed ');
    const ended = once(child, 'exit');
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
    expect(remote.git('log', '-1', '--format=%s', 'main')).toMatch(/^Synthesize /);
  },
);
