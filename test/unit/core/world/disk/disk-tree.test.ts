import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SourceTree, TreeEntry } from '../../../../../src/core/interfaces/tree.ts';
import { EnvironmentError } from '../../../../../src/core/model/problem.ts';
import { openForReading, openForWriting } from '../../../../../src/core/world/disk/disk-tree.ts';
import { diskOperations } from '../../../../../src/core/world/disk/file-operations.ts';
import { commitChanges } from '../../../../../src/core/world/disk/journal.ts';
import { soundOperations } from '../../../../support/trees/faulty-operations.ts';
import { content, snapshot, tempTree } from '../../../../support/trees/temp-tree.ts';

/** The entries below a folder with their sizes, which a tree looks at when they are asked for. */
function listed(tree: SourceTree, folder: string): readonly TreeEntry[] {
  return tree.list(folder).map(({ path, kind, size }) => ({ path, kind, size }));
}

describe('openForReading', () => {
  it('lists all files below a folder in code unit order, dot files too', () => {
    const root = tempTree({
      'leases/b.yaml': 'bb',
      'leases/a/z.yaml': '',
      'leases/a.yaml': 'ä',
      'leases/B.yaml': '',
      'leases/.hidden/x': 'x',
      'other/x': '',
    });
    expect(listed(openForReading(root), 'leases')).toEqual([
      { path: 'leases/.hidden/x', kind: 'file', size: 1 },
      { path: 'leases/B.yaml', kind: 'file', size: 0 },
      { path: 'leases/a.yaml', kind: 'file', size: 2 },
      { path: 'leases/a/z.yaml', kind: 'file', size: 0 },
      { path: 'leases/b.yaml', kind: 'file', size: 2 },
    ]);
  });

  it('knows the names of contents until it is written, and not over a pending transaction', async () => {
    const root = tempTree({ 'leases/a.yaml': 'x' });
    const known = { parsed: new Map(), idOf: () => 'name' };
    expect(openForReading(root, known).idOf?.('leases/a.yaml')).toBe('name');
    const writes = new Map([['leases/a.yaml', 'y']]);
    const tree = await openForWriting(root, diskOperations, known);
    expect(tree.idOf?.('leases/a.yaml')).toBe('name');
    await tree.commit({ writes, removes: [] });
    expect(tree.idOf?.('leases/a.yaml')).toBeUndefined();
    tree.close();
    const names: unknown[] = [];
    const rename = (from: string, to: string): void => {
      if (existsSync(join(root, '.leasehold/txn/commit.json'))) {
        names.push(openForReading(root, known).idOf?.('leases/a.yaml'));
      }
      soundOperations.rename(from, to);
    };
    const again = { writes: new Map([['leases/a.yaml', 'z']]), removes: [] };
    await commitChanges(root, again, { ...soundOperations, rename });
    expect(names).toEqual([undefined]);
  });

  it('lists nothing for a folder that is not there', () => {
    const tree = openForReading(tempTree({ 'leases/a.yaml': '' }));
    expect(tree.list('dist')).toEqual([]);
    expect(tree.list('leases/allocations')).toEqual([]);
    expect(tree.list('leases/a.yaml/b')).toMatchObject([{ path: 'leases/a.yaml', kind: 'file' }]);
  });

  it('lists links and pipes as other and does not follow them', () => {
    const root = tempTree({ 'elsewhere/x.yaml': '', 'leases/a.yaml': '' });
    symlinkSync('../elsewhere', join(root, 'leases/folder'));
    symlinkSync('../elsewhere/x.yaml', join(root, 'leases/file.yaml'));
    symlinkSync('nowhere', join(root, 'leases/broken'));
    execFileSync('mkfifo', [join(root, 'leases/pipe')]);
    const tree = openForReading(root);
    expect(tree.list('leases').map((entry) => [entry.path, entry.kind])).toEqual([
      ['leases/a.yaml', 'file'],
      ['leases/broken', 'other'],
      ['leases/file.yaml', 'other'],
      ['leases/folder', 'other'],
      ['leases/pipe', 'other'],
    ]);
    expect(() => tree.read('leases/file.yaml')).toThrow(/leases\/file.yaml is not a regular file/);
    expect(() => tree.read('leases/pipe')).toThrow(/leases\/pipe is not a regular file/);
    expect(() => tree.read('leases/folder/x.yaml')).toThrow(/leases\/folder is a link or a file/);
  });

  it('lists a link in place of the folder or of one around it', () => {
    const root = tempTree({ 'elsewhere/allocations/x.yaml': '' });
    symlinkSync('elsewhere', join(root, 'leases'));
    const tree = openForReading(root);
    expect(tree.list('leases')).toMatchObject([{ path: 'leases', kind: 'other' }]);
    expect(tree.list('leases/allocations')).toMatchObject([{ path: 'leases', kind: 'other' }]);
    expect(() => tree.read('leases/allocations/x.yaml')).toThrow(EnvironmentError);
  });

  it.runIf(process.platform === 'linux')('lists a name that is not UTF-8 as other', () => {
    const root = tempTree({ 'leases/a.yaml': '' });
    const name = Buffer.concat([Buffer.from(`${root}/leases/`), Buffer.from([0xff, 0x2e])]);
    writeFileSync(name, '');
    expect(listed(openForReading(root), 'leases')).toEqual([
      { path: 'leases/a.yaml', kind: 'file', size: 0 },
      { path: 'leases/\ufffd.', kind: 'other', size: 0 },
    ]);
  });

  it('names a missing file without the folders of the machine', () => {
    const root = tempTree({ 'leases/a.yaml': '' });
    const tree = openForReading(root);
    expect(() => tree.read('leases/b.yaml')).toThrow(EnvironmentError);
    expect(() => tree.read('leases/b.yaml')).toThrow(/^leases\/b.yaml no longer exists$/);
    const missing = () => openForReading(join(root, 'absent'));
    expect(missing).toThrow(EnvironmentError);
    expect(missing).not.toThrow(root);
  });

  it('reads a file up to a number of bytes, and no larger one', () => {
    const tree = openForReading(tempTree({ 'leases/a.yaml': 'four' }));
    expect(tree.readUpTo?.('leases/a.yaml', 4)).toEqual(Buffer.from('four'));
    expect(tree.readUpTo?.('leases/a.yaml', 3)).toBeUndefined();
  });

  it('changes nothing, not even leasehold’s own folder', () => {
    const root = tempTree({ 'leases/a.yaml': 'a' });
    const tree = openForReading(root);
    expect(Buffer.from(tree.read('leases/a.yaml')).toString()).toBe('a');
    expect(snapshot(root)).toEqual({ leases: 'folder', 'leases/a.yaml': 'a' });
  });

  it('sees a tree through a root that is a link', () => {
    const root = tempTree({ 'repo/leases/a.yaml': '' });
    symlinkSync('repo', join(root, 'link'));
    expect(openForReading(join(root, 'link')).list('leases')).toHaveLength(1);
  });
});

describe('openForWriting', () => {
  it('commits changes and reads them back', async () => {
    const root = tempTree({ 'dist/old.yaml': 'old' });
    const tree = await openForWriting(root);
    await tree.commit({ writes: new Map([['dist/a/ä.yaml', 'ü']]), removes: ['dist/old.yaml'] });
    expect(listed(tree, 'dist')).toEqual([{ path: 'dist/a/ä.yaml', kind: 'file', size: 2 }]);
    tree.close();
    expect(content(root)).toEqual({ dist: 'folder', 'dist/a': 'folder', 'dist/a/ä.yaml': 'ü' });
  });

  it('releases the lock when the transaction of a killed run cannot be finished', async () => {
    vi.stubEnv('LEASEHOLD_LOCK_WAIT_MS', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const root = tempTree({ '.leasehold/txn/commit.json': '{' });
    await expect(openForWriting(root)).rejects.toThrow(/not a journal/);
    rmSync(join(root, '.leasehold/txn'), { recursive: true });
    (await openForWriting(root)).close();
  });

  it.each([
    ['new', {}],
    ['left by a run that was killed as it made it', { '.leasehold/lock/1': '' }],
  ])('hides its own folder from git: %s', async (_, files) => {
    const root = tempTree(files);
    (await openForWriting(root)).close();
    execFileSync('git', ['init', '-q', root]);
    const status = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
    expect(status).toBe('');
  });

  it('refuses a target that is in the way before anything is written', async () => {
    const root = tempTree({ 'dist/a': 'a file where a folder belongs' });
    mkdirSync(join(root, 'dist/b.yaml'));
    const tree = await openForWriting(root);
    const under = { writes: new Map([['dist/a/x.yaml', '']]), removes: [] };
    await expect(tree.commit(under)).rejects.toThrow(/dist\/a is a link or a file/);
    const over = { writes: new Map([['dist/b.yaml', '']]), removes: [] };
    await expect(tree.commit(over)).rejects.toThrow(/dist\/b.yaml is not a regular file/);
    tree.close();
    expect(Object.keys(content(root))).toEqual(['dist', 'dist/a', 'dist/b.yaml']);
  });

  it.runIf(process.getuid?.() !== 0)('refuses a folder that it may not change', async () => {
    const root = tempTree({ 'dist/a/x.yaml': 'old' });
    execFileSync('chmod', ['555', join(root, 'dist/a')]);
    const tree = await openForWriting(root);
    const changes = { writes: new Map([['dist/a/x.yaml', 'new']]), removes: [] };
    await expect(tree.commit(changes)).rejects.toThrow(/dist\/a may not be changed/);
    tree.close();
    execFileSync('chmod', ['755', join(root, 'dist/a')]);
    expect(content(root)).toMatchObject({ 'dist/a/x.yaml': 'old' });
  });
});
