import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EnvironmentError } from '../../../../../src/core/model/problem.ts';
import {
  acquireLock,
  ownIdentity,
  type ProcessIdentity,
} from '../../../../../src/core/world/disk/lock.ts';
import { putFile, tempTree } from '../../../../support/trees/temp-tree.ts';

afterEach(() => vi.unstubAllEnvs());

const me = ownIdentity();

/** A tree whose lock was last taken by this process, which did not release it. */
function treeLockedBy(holder: ProcessIdentity): string {
  const { pid, started, boot, namespace } = holder;
  const root = tempTree();
  putFile(root, '.leasehold/lock/7', `${[pid, started, boot, namespace].join('\n')}\n`);
  return root;
}

function refuseToWait(): void {
  vi.stubEnv('LEASEHOLD_LOCK_WAIT_MS', '0');
}

function turnsIn(root: string): string[] {
  return readdirSync(join(root, '.leasehold/lock'));
}

describe('acquireLock', () => {
  it('gives the lock to one, and to the next after release', async () => {
    const root = tempTree();
    const first = await acquireLock(root);
    refuseToWait();
    await expect(acquireLock(root)).rejects.toThrow(EnvironmentError);
    await expect(acquireLock(root)).rejects.toThrow(`process ${process.pid} has the lock`);
    first.release();
    first.release();
    const second = await acquireLock(root);
    first.release();
    await expect(acquireLock(root)).rejects.toThrow(EnvironmentError);
    second.release();
    expect(turnsIn(root)).toEqual(['2']);
  });

  it('waits for a live holder', async () => {
    const root = tempTree();
    const order: string[] = [];
    const first = await acquireLock(root);
    const waiting = acquireLock(root).then((lock) => {
      order.push('second');
      return lock;
    });
    setImmediate(() => {
      order.push('first');
      first.release();
    });
    (await waiting).release();
    expect(order).toEqual(['first', 'second']);
  });

  it('takes over at once from a process that is gone', async () => {
    refuseToWait();
    const { pid } = spawnSync('true');
    const root = treeLockedBy({ ...me, pid });
    (await acquireLock(root)).release();
    expect(turnsIn(root)).toEqual(['8']);
  });

  it.runIf(process.platform === 'linux')('takes over when the number names another', async () => {
    refuseToWait();
    (await acquireLock(treeLockedBy({ ...me, started: '1' }))).release();
    (await acquireLock(treeLockedBy({ ...me, boot: 'an earlier start' }))).release();
    await expect(acquireLock(treeLockedBy(me))).rejects.toThrow(EnvironmentError);
  });

  it.runIf(process.platform === 'linux')(
    'takes over when only an exit status is left',
    async () => {
      const script = 'cat <&3 & echo $!; exec tail -f /dev/null';
      const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore', 'pipe'] });
      try {
        const [output] = await once(parent.stdio[1] ?? parent, 'data');
        const pid = Number(String(output));
        const statusOf = (id: unknown) => readFileSync(`/proc/${id}/stat`, 'utf8');
        const stat = () => statusOf(pid);
        await vi.waitUntil(() => statusOf(parent.pid).includes('(tail)'));
        const input = parent.stdio[3];
        if (input instanceof Writable) input.end();
        await vi.waitUntil(() => stat().includes(' Z '));
        const started = stat().split(') ')[1]?.split(' ')[19] ?? '';
        expect(started).toMatch(/^\d+$/);
        (await acquireLock(treeLockedBy({ ...me, pid, started }))).release();
      } finally {
        parent.kill('SIGKILL');
      }
    },
  );

  it('does not take over from another container, whose processes it cannot see', async () => {
    refuseToWait();
    const { pid } = spawnSync('true');
    const root = treeLockedBy({ ...me, pid, namespace: 'pid:[1]' });
    await expect(acquireLock(root)).rejects.toThrow(/remove \.leasehold\/lock/);
  });

  it('treats a file that is not a record of a process as released', async () => {
    refuseToWait();
    for (const text of ['', 'locked', '-1\n\n\n', '0\n', '99999999999\n']) {
      const root = tempTree();
      putFile(root, '.leasehold/lock/3', text);
      putFile(root, '.leasehold/lock/draft-of-a-killed-run', '');
      (await acquireLock(root)).release();
      expect(turnsIn(root)).toEqual(['4']);
    }
  });

  it('refuses a link in place of its folder, and a wait that is not a number', async () => {
    const root = tempTree({ 'elsewhere/x': '' });
    mkdirSync(join(root, '.leasehold'));
    symlinkSync('../elsewhere', join(root, '.leasehold/lock'));
    await expect(acquireLock(root)).rejects.toThrow(/lock is a link or a file/);
    vi.stubEnv('LEASEHOLD_LOCK_WAIT_MS', 'soon');
    await expect(acquireLock(tempTree())).rejects.toThrow(/LEASEHOLD_LOCK_WAIT_MS/);
  });
});
