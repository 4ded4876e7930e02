import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TreeChanges } from '../../../../../src/core/interfaces/tree.ts';
import { EnvironmentError, InternalError } from '../../../../../src/core/model/problem.ts';
import { openForReading, unfinishedPaths } from '../../../../../src/core/world/disk/disk-tree.ts';
import { diskOperations } from '../../../../../src/core/world/disk/file-operations.ts';
import { commitChanges, recoverJournal } from '../../../../../src/core/world/disk/journal.ts';
import { faultyOperations, soundOperations } from '../../../../support/trees/faulty-operations.ts';
import { content, filesOf, snapshot, tempTree } from '../../../../support/trees/temp-tree.ts';

const before = {
  'leases/pools.yaml': 'pools',
  'leases/allocations/203.0.113/203.0.113.7.yaml': 'released',
  'leases/allocations/203.0.113/203.0.113.8.yaml': 'held by a',
  'dist/default/aa/same.yaml': 'same',
  'dist/default/aa/changed.yaml': 'old text',
  'dist/default/bb/gone.yaml': 'gone',
  'dist/other/dd/gone.yaml': 'gone',
};

const changes: TreeChanges = {
  writes: new Map([
    ['dist/default/aa/same.yaml', 'same'],
    ['dist/default/aa/changed.yaml', 'new text'],
    ['dist/default/cc/added.yaml', 'added'],
    ['leases/allocations/198.51.100/198.51.100.1.yaml', 'held by b'],
    ['.leasehold/cdk8s/index.yaml', 'index'],
  ]),
  removes: [
    'dist/default/bb/gone.yaml',
    'dist/other/dd/gone.yaml',
    'leases/allocations/203.0.113/203.0.113.7.yaml',
    'dist/default/bb/was-never-there.yaml',
  ],
};

const after = {
  'leases/pools.yaml': 'pools',
  'leases/allocations/203.0.113/203.0.113.8.yaml': 'held by a',
  'leases/allocations/198.51.100/198.51.100.1.yaml': 'held by b',
  'dist/default/aa/same.yaml': 'same',
  'dist/default/aa/changed.yaml': 'new text',
  'dist/default/cc/added.yaml': 'added',
  '.leasehold/cdk8s/index.yaml': 'index',
};

async function stepsOfACommit(): Promise<number> {
  const counted = faultyOperations('throw', Number.POSITIVE_INFINITY);
  await commitChanges(tempTree(before), changes, counted.operations);
  return counted.count();
}

function seenBy(root: string): Record<string, string> {
  const tree = openForReading(root);
  const entries = ['dist', 'leases', '.leasehold/cdk8s'].flatMap((folder) => tree.list(folder));
  expect(new Set(entries.map(({ path }) => path)).size).toBe(entries.length);
  return Object.fromEntries(
    entries.map((entry) => {
      const bytes = tree.read(entry.path);
      expect([entry.path, bytes.length]).toEqual([entry.path, entry.size]);
      return [entry.path, Buffer.from(bytes).toString()];
    }),
  );
}

describe('commitChanges', () => {
  it('writes, overwrites, removes, and leaves neither empty folders nor a journal', async () => {
    const root = tempTree(before);
    await commitChanges(root, changes, diskOperations);
    expect(filesOf(content(root))).toEqual(after);
    const names = Object.keys(snapshot(root));
    expect(names).not.toContain('dist/default/bb');
    expect(names).not.toContain('dist/other');
    expect(names).not.toContain('.leasehold/txn');
  });

  it('keeps dist and leases/allocations themselves when they become empty', async () => {
    const root = tempTree({ 'dist/a/b.yaml': '', 'leases/allocations/c/d.yaml': '' });
    const removes = ['dist/a/b.yaml', 'leases/allocations/c/d.yaml'];
    await commitChanges(root, { writes: new Map(), removes }, diskOperations);
    expect(content(root)).toEqual({
      dist: 'folder',
      leases: 'folder',
      'leases/allocations': 'folder',
    });
  });

  it('keeps a folder that has files of others', async () => {
    const root = tempTree({ 'dist/a/b.yaml': '', 'dist/a/.notes': 'mine' });
    await commitChanges(root, { writes: new Map(), removes: ['dist/a/b.yaml'] }, diskOperations);
    expect(filesOf(content(root))).toEqual({ 'dist/a/.notes': 'mine' });
  });

  it('touches nothing when the disk already has it all', async () => {
    const root = tempTree(before);
    const writes = new Map([['dist/default/aa/same.yaml', 'same']]);
    const counted = faultyOperations('throw', 0);
    await commitChanges(root, { writes, removes: ['dist/absent.yaml'] }, counted.operations);
    expect(counted.count()).toBe(0);
    expect(filesOf(snapshot(root))).toEqual(before);
  });

  it('calls changes outside the generated folders a bug', async () => {
    const root = tempTree(before);
    for (const path of ['docs/README.md', 'dist', '../dist/a', '/dist/a', 'dist/../a', '']) {
      const outside = { writes: new Map([[path, '']]), removes: [] };
      await expect(commitChanges(root, outside, soundOperations)).rejects.toThrow(InternalError);
      const removing = { writes: new Map(), removes: [path] };
      await expect(commitChanges(root, removing, soundOperations)).rejects.toThrow(InternalError);
    }
    expect(filesOf(snapshot(root))).toEqual(before);
  });
});

describe('the files that git takes over', () => {
  const staged = ['dist/default/cc/added.yaml', 'leases/allocations/203.0.113/203.0.113.7.yaml'];
  const withStaged = { ...changes, staged };
  const refusal = new EnvironmentError('git cannot add them');
  const refuses = async (): Promise<void> => {
    throw refusal;
  };
  const hasJournal = (root: string): boolean =>
    existsSync(join(root, '.leasehold/txn/commit.json'));

  it('are added once they are written, and before the journal goes', async () => {
    const root = tempTree(before);
    const added: (readonly string[])[] = [];
    await commitChanges(root, withStaged, soundOperations, async (paths) => {
      expect(filesOf(content(root))).toMatchObject(after);
      expect(hasJournal(root)).toBe(true);
      added.push(paths);
    });
    expect(added).toEqual([staged]);
    expect(hasJournal(root)).toBe(false);
    await commitChanges(root, withStaged, soundOperations, async (paths) => {
      added.push(paths);
    });
    expect(added).toEqual([staged, staged]);
  });

  it('are written also when git cannot add them, and the error is the one of git', async () => {
    const root = tempTree(before);
    await expect(commitChanges(root, withStaged, soundOperations, refuses)).rejects.toBe(refusal);
    expect(filesOf(content(root))).toEqual(after);
    expect(hasJournal(root)).toBe(false);
  });

  it('of a killed run are added by the next one, and stay in the journal until git can', async () => {
    const root = tempTree(before);
    const killed = commitChanges(root, withStaged, soundOperations, () => new Promise(() => {}));
    await expect(Promise.race([killed, pause()])).resolves.toBe('killed');
    expect(hasJournal(root)).toBe(true);
    await expect(recoverJournal(root, soundOperations, refuses)).rejects.toBe(refusal);
    expect(hasJournal(root)).toBe(true);
    const added: (readonly string[])[] = [];
    await recoverJournal(root, soundOperations, async (paths) => {
      added.push(paths);
    });
    expect(added).toEqual([staged]);
    expect(hasJournal(root)).toBe(false);
    expect(filesOf(content(root))).toEqual(after);
  });
});

/** Waits until everything that can be done now is done. */
async function pause(): Promise<string> {
  for (let turn = 0; turn < 100; turn += 1) await new Promise((next) => setImmediate(next));
  return 'killed';
}

describe.each(['throw', 'kill', 'tear'] as const)('a commit with the fault "%s"', (fault) => {
  it('is wholly old or wholly new after recovery, and to a reader before it, at every step', {
    tags: 'slow',
  }, async () => {
    const steps = await stepsOfACommit();
    const outcomes: string[] = [];
    for (let at = 0; at < steps; at++) {
      const root = tempTree(before);
      const commit = commitChanges(root, changes, faultyOperations(fault, at).operations);
      const error: unknown = await commit.catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(EnvironmentError);
      expect(String(error)).toMatch(/: EIO: i\/o error$/);

      const left = snapshot(root);
      const isCommitted = String(error).includes('is recorded');
      const seen = seenBy(root);
      expect(snapshot(root)).toEqual(left);
      expect(seen).toEqual(isCommitted ? after : before);
      const isTakenBack = fault === 'throw' && !isCommitted;
      if (isTakenBack) expect(left).not.toHaveProperty('.leasehold/txn');

      await recoverJournal(root, soundOperations);
      expect(filesOf(content(root))).toEqual(seen);
      expect(Object.keys(content(root)).includes('dist/other')).toBe(!isCommitted);
      expect(existsSync(join(root, '.leasehold/txn'))).toBe(false);
      outcomes.push(isCommitted ? 'new' : 'old');
    }
    const turn = outcomes.indexOf('new');
    expect(turn).toBeGreaterThan(5);
    expect(outcomes.slice(turn)).toEqual(new Array(steps - turn).fill('new'));
  });

  it('is finished by the next commit first', { tags: 'slow' }, async () => {
    const steps = await stepsOfACommit();
    for (let at = 0; at < steps; at++) {
      const root = tempTree(before);
      await commitChanges(root, changes, faultyOperations(fault, at).operations).catch(() => null);
      const next = { writes: new Map([['dist/next.yaml', 'next']]), removes: [] };
      const expected = { ...seenBy(root), 'dist/next.yaml': 'next' };
      await commitChanges(root, next, soundOperations);
      expect(filesOf(content(root))).toEqual(expected);
    }
  });
});

describe('a recovery', () => {
  it('reaches the new tree however often it is killed itself', { tags: 'slow' }, async () => {
    const steps = await stepsOfACommit();
    for (let at = 3; at < steps; at += 5) {
      const root = tempTree(before);
      await commitChanges(root, changes, faultyOperations('kill', at).operations).catch(() => null);
      const seen = seenBy(root);
      for (let later = 0; ; later++) {
        const faulty = faultyOperations('kill', later);
        await recoverJournal(root, faulty.operations).catch(() => null);
        expect(seenBy(root)).toEqual(seen);
        if (faulty.count() <= later) break;
      }
      expect(filesOf(content(root))).toEqual(seen);
    }
  });
});

it('keeps the journal when a file vanishes before it becomes its target', async () => {
  const root = tempTree(before);
  const rename = (from: string, to: string) => {
    if (to.endsWith('added.yaml')) soundOperations.removeFile(from);
    soundOperations.rename(from, to);
  };
  const vanishing = commitChanges(root, changes, { ...soundOperations, rename });
  await expect(vanishing).rejects.toThrow('is recorded, and the next run finishes it: ENOENT');
  await recoverJournal(root, soundOperations);
  expect(filesOf(content(root))).toEqual(after);
});

it('lists the pending changes of a killed run without reading removed files', async () => {
  const root = tempTree(before);
  const remaining: (readonly string[])[] = [];
  const change = (run: () => void) => {
    if (existsSync(join(root, '.leasehold/txn/commit.json'))) {
      remaining.push(unfinishedPaths(root));
      expect(() => openForReading(root).read('dist/other/dd/gone.yaml')).toThrow(EnvironmentError);
    }
    run();
  };
  await commitChanges(root, changes, {
    ...soundOperations,
    rename: (from, to) => change(() => soundOperations.rename(from, to)),
    removeFile: (path) => change(() => soundOperations.removeFile(path)),
  });
  const all = [
    'dist/default/aa/changed.yaml',
    'dist/default/bb/gone.yaml',
    'dist/default/cc/added.yaml',
    'dist/other/dd/gone.yaml',
    'leases/allocations/198.51.100/198.51.100.1.yaml',
    'leases/allocations/203.0.113/203.0.113.7.yaml',
  ];
  expect(remaining[0]).toEqual(all);
  expect(remaining.map(({ length }) => length)).toEqual([6, 6, 5, 4, 3, 2, 1, 0]);
  expect(unfinishedPaths(root)).toEqual([]);
});

describe('a reader that opened before a recovery', () => {
  it('keeps seeing the same files while another run goes on', async () => {
    const root = tempTree(before);
    const steps = await stepsOfACommit();
    const late = faultyOperations('kill', steps - 4);
    await commitChanges(root, changes, late.operations).catch(() => null);
    const tree = openForReading(root);
    const read = () => Buffer.from(tree.read('.leasehold/cdk8s/index.yaml')).toString();
    expect(read()).toBe('index');
    await recoverJournal(root, soundOperations);
    expect(read()).toBe('index');
    const next = { writes: new Map([['dist/next.yaml', 'next']]), removes: [] };
    await commitChanges(root, next, faultyOperations('kill', 3).operations).catch(() => null);
    expect(snapshot(root)).toMatchObject({ '.leasehold/txn/bytes': 'next' });
    expect(read()).toBe('index');
    await commitChanges(
      root,
      { writes: new Map([['.leasehold/cdk8s/index.yaml', 'other']]), removes: [] },
      soundOperations,
    );
    expect(read).toThrow(EnvironmentError);
  });
});
