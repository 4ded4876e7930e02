import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EnvironmentError } from '../../../../../src/core/model/problem.ts';
import { openRepository } from '../../../../../src/core/world/git/git-repository.ts';
import { putFile, tempTree } from '../../../../support/trees/temp-tree.ts';

afterEach(() => vi.unstubAllEnvs());

function git(root: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.org'];
  const { GIT_DIR, GIT_INDEX_FILE, GIT_WORK_TREE, ...env } = process.env;
  const options = { cwd: root, stdio: 'pipe', encoding: 'utf8', env } as const;
  return execFileSync('git', [...identity, ...args], options);
}

/** A repository with these files committed. */
function repository(paths: readonly string[], top = ''): string {
  const root = tempTree();
  git(root, 'init', '-q');
  for (const path of paths) putFile(root, join(top, path), path);
  git(root, 'add', '--force', '--all');
  git(root, 'commit', '-q', '-m', 'start');
  return root;
}

describe('soundState', () => {
  const commit = (root: string, path: string) => {
    putFile(root, path, path);
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '-m', path);
  };

  it('names the folders that the commit before the newest change has', async () => {
    const root = repository(['leases/allocations/a.yaml', 'dist/x.yaml']);
    commit(root, 'leases/hostnames/b.yaml');
    const state = await openRepository(root).soundState();
    expect(state?.folders).toEqual(['leases/allocations', 'dist']);
  });

  it('is unknown when that commit has none of the folders', async () => {
    const root = repository(['leases/pools.yaml']);
    commit(root, 'leases/hostnames/b.yaml');
    expect(await openRepository(root).soundState()).toBeUndefined();
  });
});

describe('tracked', () => {
  it('lists the files of the index below a folder, in the tree or not', async () => {
    const root = repository(['leases/a/b.yaml', 'leases/pools.yaml', 'dist/x.yaml']);
    putFile(root, 'leases/untracked.yaml', '');
    rmSync(join(root, 'leases/a'), { recursive: true });
    expect(await openRepository(root).history.tracked(['leases'])).toEqual([
      'leases/a/b.yaml',
      'leases/pools.yaml',
    ]);
    git(root, 'rm', '-q', 'leases/a/b.yaml');
    expect(await openRepository(root).history.tracked(['leases'])).toEqual(['leases/pools.yaml']);
    expect(await openRepository(root).history.tracked(['absent'])).toEqual([]);
  });

  it('gives paths relative to a root inside the work tree', async () => {
    const root = repository(['leases/pools.yaml'], 'sites/ä b');
    putFile(root, 'leases/other.yaml', '');
    git(root, 'add', '.');
    expect(await openRepository(join(root, 'sites/ä b')).history.tracked(['leases'])).toEqual([
      'leases/pools.yaml',
    ]);
  });

  it('reads names of any characters', async () => {
    const names = ['ä ö.yaml', '*.yaml', 'new\nline', '"quoted"', 'tab\t', '-x', ' ', '日本'];
    const paths = names.map((name) => `leases/${name}`);
    expect(await openRepository(repository(paths)).history.tracked(['leases'])).toEqual(
      [...paths].sort(),
    );
  });

  it('takes the folder by its letters, not as a pattern', async () => {
    const root = repository(['leases/a.yaml', 'l*/b.yaml', ':x/c.yaml']);
    expect(await openRepository(root).history.tracked(['l*'])).toEqual(['l*/b.yaml']);
    expect(await openRepository(root).history.tracked([':x'])).toEqual([':x/c.yaml']);
  });

  it('includes files outside a sparse checkout', async () => {
    const root = repository(['leases/a/b.yaml', 'leases/c/d.yaml', 'dist/x.yaml']);
    git(root, 'sparse-checkout', 'set', '--cone', '--sparse-index', 'dist');
    expect(existsSync(join(root, 'leases'))).toBe(false);
    const tracked = ['leases/a/b.yaml', 'leases/c/d.yaml'];
    expect(await openRepository(root).history.tracked(['leases'])).toEqual(tracked);
  });

  it('names a file in conflict once', async () => {
    const root = repository(['leases/a.yaml']);
    git(root, 'checkout', '-q', '-b', 'other');
    putFile(root, 'leases/a.yaml', 'theirs');
    git(root, 'commit', '-q', '-a', '-m', 'theirs');
    git(root, 'checkout', '-q', '-');
    putFile(root, 'leases/a.yaml', 'ours');
    git(root, 'commit', '-q', '-a', '-m', 'ours');
    expect(() => git(root, 'merge', 'other')).toThrow();
    expect(await openRepository(root).history.tracked(['leases'])).toEqual(['leases/a.yaml']);
  });

  it('is undefined outside a git repository and without the root, and fails without git', async () => {
    const outside = tempTree({ 'leases/a.yaml': '' });
    expect(await openRepository(outside).history.tracked(['leases'])).toBeUndefined();
    expect(
      await openRepository(join(outside, 'absent')).history.tracked(['leases']),
    ).toBeUndefined();
    const root = repository(['leases/a.yaml']);
    vi.stubEnv('PATH', tempTree());
    await expect(openRepository(root).history.tracked(['leases'])).rejects.toThrow('git is needed');
  });

  it('fails where there is a repository that git cannot read', async () => {
    const root = tempTree({ 'leases/a.yaml': '' });
    mkdirSync(join(root, '.git'));
    await expect(openRepository(root).history.tracked(['leases'])).rejects.toThrow(
      EnvironmentError,
    );
  });

  it('starts no program that the repository’s settings name', async () => {
    const root = repository(['leases/a.yaml']);
    git(root, 'config', 'core.fsmonitor', 'touch started; false');
    git(root, 'update-index', '--refresh');
    expect(existsSync(join(root, 'started'))).toBe(true);
    rmSync(join(root, 'started'));
    expect(await openRepository(root).history.tracked(['leases'])).toEqual(['leases/a.yaml']);
    expect(existsSync(join(root, 'started'))).toBe(false);
  });

  it('is not led elsewhere by the variables that git gives its hooks', async () => {
    const root = repository(['leases/a.yaml']);
    vi.stubEnv('GIT_DIR', join(repository(['leases/b.yaml']), '.git'));
    expect(await openRepository(root).history.tracked(['leases'])).toEqual(['leases/a.yaml']);
  });

  it('takes removed files out of the index, whatever was staged of them, and no others', async () => {
    const root = repository(['leases/a.yaml', 'leases/[a].yaml', 'leases/b.yaml']);
    putFile(root, 'leases/a.yaml', 'staged');
    git(root, 'add', '-A');
    rmSync(join(root, 'leases/a.yaml'));
    rmSync(join(root, 'leases/[a].yaml'));
    await openRepository(root).addToIndex([
      'leases/[a].yaml',
      'leases/a.yaml',
      'leases/never.yaml',
    ]);
    expect(await openRepository(root).history.tracked(['leases'])).toEqual(['leases/b.yaml']);
    expect(existsSync(join(root, 'leases/b.yaml'))).toBe(true);
  });

  it('brings files into the index as they are, new ones and ignored ones too', async () => {
    const root = repository(['leases/a.yaml', 'leases/b.yaml']);
    for (const path of ['leases/a.yaml', 'leases/b.yaml', 'dist/new.yaml'])
      putFile(root, path, 'x');
    putFile(root, '.gitignore', 'dist/\n');
    await openRepository(root).addToIndex(['leases/a.yaml', 'dist/new.yaml']);
    expect(git(root, 'diff', '--cached', '--name-only')).toBe('dist/new.yaml\nleases/a.yaml\n');
  });

  it('takes more files than a command line holds', { tags: 'slow' }, async () => {
    const names = Array.from({ length: 1200 }, (_, index) => `leases/${index}.yaml`);
    const root = repository(names);
    for (const name of names.slice(1)) rmSync(join(root, name));
    await openRepository(root).addToIndex(names.slice(1));
    expect(await openRepository(root).history.tracked(['leases'])).toEqual(['leases/0.yaml']);
  });

  it('has nothing to do outside a git repository', async () => {
    const outside = tempTree({ 'leases/a.yaml': '' });
    await expect(openRepository(outside).addToIndex(['leases/a.yaml'])).resolves.toBeUndefined();
  });
});
