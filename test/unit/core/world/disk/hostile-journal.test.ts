import {
  cpSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EnvironmentError } from '../../../../../src/core/model/problem.ts';
import { openForReading, openForWriting } from '../../../../../src/core/world/disk/disk-tree.ts';
import { commitChanges, recoverJournal } from '../../../../../src/core/world/disk/journal.ts';
import {
  type JournalRecord,
  printJournal,
} from '../../../../../src/core/world/disk/journal-record.ts';
import { digestOf } from '../../../../../src/core/world/disk/regular-file.ts';
import { soundOperations } from '../../../../support/trees/faulty-operations.ts';
import { content, putFile, snapshot, tempTree } from '../../../../support/trees/temp-tree.ts';

const evil = 'evil';
const recorded = { start: 0, size: evil.length, sha256: digestOf(evil) };
const sound: JournalRecord = {
  writes: [{ path: 'dist/a/x.yaml', ...recorded }],
  removes: ['dist/a/y.yaml'],
  staged: [],
};

function write(path: string, section: { start?: number; size?: number } = {}): JournalRecord {
  return { writes: [{ path, ...recorded, ...section }], removes: [], staged: [] };
}

/** A repository with a journal that was written here, of the record. */
function repositoryWith(record: JournalRecord): string {
  const root = tempTree({ 'leases/pools.yaml': 'pools', 'dist/a/y.yaml': 'y' });
  putFile(root, '.leasehold/txn/bytes', `${evil}${evil}`);
  writeFileSync(join(root, '.leasehold/txn/commit.json'), printJournal(root, record));
  return root;
}

async function expectRefused(root: string, reason: RegExp): Promise<void> {
  const left = snapshot(root);
  expect(() => openForReading(root)).toThrow(EnvironmentError);
  expect(() => openForReading(root)).toThrow(reason);
  await expect(recoverJournal(root, soundOperations)).rejects.toThrow(reason);
  expect(snapshot(root)).toEqual(left);
  const changes = { writes: new Map([['dist/z.yaml', 'z']]), removes: [] };
  await expect(commitChanges(root, changes, soundOperations)).rejects.toThrow(EnvironmentError);
  expect(snapshot(root)).toEqual(left);
}

describe('a journal found in the repository', () => {
  it('is carried out when it is sound', async () => {
    const root = repositoryWith(sound);
    await recoverJournal(root, soundOperations);
    expect(content(root)).toMatchObject({ 'dist/a/x.yaml': evil });
    expect(content(root)).not.toHaveProperty('dist/a/y.yaml');
  });

  it.each([
    '../evil.yaml',
    '/tmp/evil.yaml',
    'dist/../leases/pools.yaml',
    'dist/./a.yaml',
    'dist//a.yaml',
    'dist/',
    'dist',
    'dist\\..\\a.yaml',
    'dist/a\0.yaml',
    'distant/a.yaml',
    'leases/README.md',
    'gitops/other.yaml',
    'gitops/flux-../../x.yaml',
    '.github/workflows/other.yml',
    'docs/README.md',
    'src/package.json',
    'leases/allocations',
    '.git/hooks/pre-commit',
    '.leasehold/lock/1',
    '.leasehold/txn/commit.json',
    '',
  ])('is refused when it would write or remove %j', async (path) => {
    await expectRefused(repositoryWith(write(path)), /leasehold does not write/);
    await expectRefused(
      repositoryWith({ writes: [], removes: [path], staged: [] }),
      /leasehold does not write/,
    );
  });

  it.each([
    'leases/pools.yaml',
    'leases/policy.yaml',
    'README.md',
    'package.json',
    '.github/CODEOWNERS',
    'gitops/flux-east.yaml',
  ])('is carried out when it writes %s, and refused when it would remove it', async (path) => {
    const root = repositoryWith(write(path));
    await recoverJournal(root, soundOperations);
    expect(content(root)).toMatchObject({ [path]: evil });
    await expectRefused(
      repositoryWith({ writes: [], removes: [path], staged: [] }),
      /leasehold does not write/,
    );
  });

  it.each([{ start: -1 }, { start: 0.5 }, { size: -1 }, { size: Number.MAX_VALUE }])(
    'is refused when the bytes are those of %j',
    async (section) => {
      await expectRefused(repositoryWith(write('dist/a/x.yaml', section)), /not a journal/);
    },
  );

  it.each([{ start: 1 }, { size: 3 }, { size: 99 }, { size: Number.MAX_SAFE_INTEGER }])(
    'is refused when the bytes of %j are others or missing',
    async (section) => {
      await expectRefused(repositoryWith(write('dist/a/x.yaml', section)), /not what it wrote/);
    },
  );

  it.each(['../a', 'README.md', 'leases/../b', '/etc/passwd', ''])(
    'is refused when it would add %j to the index',
    async (path) => {
      await expectRefused(repositoryWith({ ...sound, staged: [path] }), /does not stage/);
    },
  );

  it('is refused when targets overlap', async () => {
    const twice = { writes: sound.writes, removes: ['dist/a/x.yaml'], staged: [] };
    await expectRefused(repositoryWith(twice), /twice/);
    const inside = { writes: sound.writes, removes: ['dist/a'], staged: [] };
    await expectRefused(repositoryWith(inside), /as a file and as a folder/);
  });

  it.each(['', '{', 'null', '[]', '{"version":1}', '{"version":3,"writes":[],"removes":"x"}'])(
    'is refused when it is %j',
    async (text) => {
      const root = repositoryWith(sound);
      writeFileSync(join(root, '.leasehold/txn/commit.json'), text);
      await expectRefused(root, /not a journal/);
    },
  );

  it('is refused when it came with a checkout or a copy', async () => {
    const root = tempTree({ 'dist/a/y.yaml': 'y' });
    cpSync(join(repositoryWith(sound), '.leasehold'), join(root, '.leasehold'), {
      recursive: true,
    });
    await expectRefused(root, /not written in this folder/);
  });

  it.each(['inode', 'made'] as const)(
    'is refused when its folder has another %s',
    async (field) => {
      const root = repositoryWith(sound);
      const { birthtimeNs, ctimeNs } = lstatSync(join(root, '.leasehold/txn'), { bigint: true });
      if (field === 'made' && birthtimeNs === ctimeNs) return;
      const file = join(root, '.leasehold/txn/commit.json');
      const written = JSON.parse(readFileSync(file, 'utf8'));
      const folder = { ...written.folder, [field]: '1' };
      writeFileSync(file, JSON.stringify({ ...written, folder }));
      await expectRefused(root, /not written in this folder/);
    },
  );

  it('is refused when a folder on the way is a link', async () => {
    const elsewhere = tempTree({ 'y.yaml': 'y' });
    const root = repositoryWith(sound);
    rmSync(join(root, 'dist/a'), { recursive: true });
    symlinkSync(elsewhere, join(root, 'dist/a'));
    await expectRefused(root, /dist\/a is a link or a file/);
    rmSync(join(root, 'dist'), { recursive: true });
    symlinkSync(elsewhere, join(root, 'dist'));
    await expectRefused(root, /dist is a link or a file/);
    expect(snapshot(elsewhere)).toEqual({ 'y.yaml': 'y' });
  });

  it.each(['.leasehold', '.leasehold/txn'])('is refused when %s is a link', async (folder) => {
    const other = repositoryWith(sound);
    const root = tempTree({ 'dist/a/y.yaml': 'y', '.leasehold/keep': '' });
    rmSync(join(root, folder), { recursive: true, force: true });
    symlinkSync(join(other, folder), join(root, folder));
    await expectRefused(root, /is a link or a file/);
    await expect(openForWriting(root)).rejects.toThrow(EnvironmentError);
    expect(content(root)).toHaveProperty('dist/a/y.yaml');
  });

  it('is refused when a target or the file of the bytes is a link', async () => {
    const root = repositoryWith(sound);
    symlinkSync('../../leases/pools.yaml', join(root, 'dist/a/x.yaml'));
    await expectRefused(root, /dist\/a\/x.yaml is not a regular file/);
    const other = repositoryWith(sound);
    rmSync(join(other, '.leasehold/txn/bytes'));
    symlinkSync('../../leases/pools.yaml', join(other, '.leasehold/txn/bytes'));
    await expectRefused(other, /bytes is not a regular file/);
  });

  it('is refused when a target is a folder', async () => {
    const root = repositoryWith(sound);
    mkdirSync(join(root, 'dist/a/x.yaml'));
    await expectRefused(root, /dist\/a\/x.yaml is not a regular file/);
  });

  it('is refused with a hint when the bytes are missing or changed', async () => {
    const root = repositoryWith(sound);
    writeFileSync(join(root, '.leasehold/txn/bytes'), 'changed');
    await expectRefused(root, /dist\/a\/x.yaml is not what it wrote; .*git checkout/);
    rmSync(join(root, '.leasehold/txn/bytes'));
    await expectRefused(root, /dist\/a\/x.yaml is not what it wrote/);
    putFile(root, 'dist/a/x.yaml', evil);
    await recoverJournal(root, soundOperations);
    expect(content(root)).toMatchObject({ 'dist/a/x.yaml': evil });
  });
});
