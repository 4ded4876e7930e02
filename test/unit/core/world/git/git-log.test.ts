import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRepository } from '../../../../../src/core/world/git/git-repository.ts';
import { type DatedCommit, datedHistory } from '../../../../support/repositories/dated-history.ts';
import { gitRepository } from '../../../../support/repositories/git-repository.ts';
import { tempTree } from '../../../../support/trees/temp-tree.ts';

const path = 'leases/allocations/203.0.113/203.0.113.7.yaml';

async function versionsIn(root: string, of = path): Promise<readonly string[]> {
  const head = gitRepository(root).git('rev-parse', 'HEAD').trim();
  const versions = await openRepository(root).log.versions(head, of);
  return versions.map(({ commit, content }) => {
    const text = content === undefined ? 'absent' : new TextDecoder().decode(content);
    return `${commit.at} ${commit.author}: ${commit.message.trim()}: ${text}`;
  });
}

const day = (date: number): string => `2026-01-${String(date).padStart(2, '0')}T10:00:00Z`;

test.each([
  ['https://me:word@git.example.com/infra/ips.git', 'ips'],
  ['git@git.example.com:ips.git/', 'ips'],
  ['/srv/git/infra/ips/', 'ips'],
])('the name of the repository with the origin %s', async (url, name) => {
  const root = tempTree({ 'edge/leases/README.md': 'a' });
  const { git } = gitRepository(root);
  expect(await openRepository(root).log.repositoryName()).toBeUndefined();
  git('remote', 'add', 'origin', url);
  expect(await openRepository(root).log.repositoryName()).toBe(name);
  expect(await openRepository(join(root, 'edge')).log.repositoryName()).toBe(`${name}/edge`);
});

test('an origin that may end in credentials gives the repository no name', async () => {
  const root = tempTree({ 'leases/README.md': 'a' });
  gitRepository(root).git('remote', 'add', 'origin', 'https://me:word@git.example.com');
  expect(await openRepository(root).log.repositoryName()).toBeUndefined();
});

describe('the versions of a file', () => {
  test('are those of the first parents, the oldest first, with the time they took effect', async () => {
    const commits: DatedCommit[] = [
      { at: day(1), message: 'root', files: { 'README.md': 'a' } },
      { at: day(2), message: 'on a branch', author: 'Alice', files: { [path]: 'draft' } },
      { at: day(3), message: 'again', author: 'Alice', files: { [path]: 'held' } },
      { at: day(4), message: 'on main', files: { 'README.md': 'b' }, parents: [0] },
      { at: day(5), message: 'Merge', author: 'Bob', files: { [path]: 'held' }, parents: [3, 2] },
      { at: day(6), message: 'Prune', files: { [path]: undefined } },
    ];
    const root = tempTree();
    datedHistory(root, commits);
    expect(await versionsIn(root)).toEqual([
      '2026-01-05T10:00:00Z Bob: Merge: held',
      '2026-01-06T10:00:00Z Test: Prune: absent',
    ]);
  });

  test('do not follow a rename, even where the settings say so', async () => {
    const root = tempTree();
    const other = 'leases/allocations/203.0.113/203.0.113.8.yaml';
    const long = 'the same long text\n'.repeat(20);
    const repository = datedHistory(root, [
      { at: day(1), message: 'one', files: { [other]: long } },
      { at: day(2), message: 'renamed', files: { [other]: undefined, [path]: long } },
    ]);
    repository.git('config', 'log.follow', 'true');
    repository.git('config', 'log.showSignature', 'true');
    repository.git('config', 'diff.renames', 'copies');
    expect(await versionsIn(root)).toEqual([`2026-01-02T10:00:00Z Test: renamed: ${long}`]);
  });

  test('are found below a folder of the repository, and with hostile messages', async () => {
    const root = tempTree();
    const message = 'subject\u001b[31m\n\nbody --all\n$(id)';
    const author = 'Eve`id`';
    datedHistory(root, [{ at: day(1), message, author, files: { [`sub/${path}`]: 'x\0y\nz' } }]);
    const repository = gitRepository(root);
    const head = repository.git('rev-parse', 'HEAD').trim();
    const [version, ...others] = await openRepository(join(root, 'sub')).log.versions(head, path);
    expect(others).toEqual([]);
    expect(version?.commit).toMatchObject({ author, message: `${message}\n`.slice(0, -1) });
    expect(new TextDecoder().decode(version?.content)).toBe('x\0y\nz');
  });

  test('are empty for a file that never existed', async () => {
    const root = tempTree();
    datedHistory(root, [{ at: day(1), message: 'root', files: { a: 'a' } }]);
    expect(await versionsIn(root)).toEqual([]);
  });
});

describe('the default ref', () => {
  test('is the default branch of the remote, else main, else HEAD', async () => {
    const root = tempTree();
    const repository = datedHistory(root, [{ at: day(1), message: 'root', files: { a: 'a' } }]);
    expect(await openRepository(root).log.defaultRef()).toBe('main');
    const clone = join(tempTree(), 'clone');
    repository.git('clone', '-q', root, clone);
    expect(await openRepository(clone).log.defaultRef()).toBe('origin/main');
    repository.git('branch', '-q', '-m', 'trunk');
    expect(await openRepository(root).log.defaultRef()).toBe('HEAD');
  });

  test('is that of the only remote, whatever its name is', async () => {
    const root = tempTree();
    const repository = datedHistory(root, [{ at: day(1), message: 'root', files: { a: 'a' } }]);
    repository.git('branch', '-q', '-m', 'trunk');
    const clone = join(tempTree(), 'clone');
    repository.git('clone', '-q', '-o', 'company/upstream', root, clone);
    expect(await openRepository(clone).log.defaultRef()).toBe('company/upstream/trunk');
    repository.git('-C', clone, 'remote', 'add', 'fork', root);
    expect(await openRepository(clone).log.defaultRef()).toBe('HEAD');
  });

  test('is given in full where a branch here has the short name', async () => {
    const root = tempTree();
    const repository = datedHistory(root, [{ at: day(1), message: 'root', files: { a: 'a' } }]);
    const clone = join(tempTree(), 'clone');
    repository.git('clone', '-q', root, clone);
    repository.git('-C', clone, 'branch', 'origin/main');
    expect(await openRepository(clone).log.defaultRef()).toBe('refs/remotes/origin/main');
    repository.git('-C', clone, 'symbolic-ref', '-d', 'refs/remotes/origin/HEAD');
    expect(await openRepository(clone).log.defaultRef()).toBe('refs/remotes/origin/main');
  });

  test('is HEAD outside of git', async () => {
    expect(await openRepository(tempTree()).log.defaultRef()).toBe('HEAD');
  });
});

test('a clone without its older commits is shallow', async () => {
  const root = tempTree();
  const repository = datedHistory(root, [
    { at: day(1), message: 'one', files: { [path]: 'one' } },
    { at: day(2), message: 'two', files: { 'README.md': 'two' } },
  ]);
  const clone = join(tempTree(), 'clone');
  repository.git('clone', '-q', '--depth', '1', `file://${root}`, clone);
  expect(await openRepository(root).log.isShallow()).toBe(false);
  expect(await openRepository(clone).log.isShallow()).toBe(true);
  expect(await versionsIn(clone)).toEqual(['2026-01-02T10:00:00Z Test: two: one']);
});
