import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { headMark } from '../../../../src/world/disk/git-head.ts';
import { type GitRepository, gitRepository } from '../../../support/repositories/git-repository.ts';
import { tempTree } from '../../../support/trees/temp-tree.ts';

function repository(): GitRepository {
  const made = gitRepository(tempTree({ 'a.txt': 'one' }));
  made.git('add', '-A');
  made.git('commit', '-q', '-m', 'one');
  return made;
}

describe('headMark', () => {
  it.each<[string, (git: GitRepository['git']) => void]>([
    ['a commit', (git) => git('commit', '-q', '--allow-empty', '-m', 'two')],
    ['an amended commit', (git) => git('commit', '-q', '--amend', '-m', 'other')],
    ['a checkout of another branch', (git) => git('checkout', '-q', '-b', 'other')],
    ['a checkout of the same branch', (git) => git('checkout', '-q', '-f', 'main')],
    ['a reset to the same commit', (git) => git('reset', '-q', '--hard')],
    ['a stash', (git) => git('stash', '-q')],
  ])('is another after %s', (_, act) => {
    const { git, root } = repository();
    writeFileSync(join(root, 'a.txt'), 'two');
    const before = headMark(root);
    act(git);
    expect(headMark(root)).not.toBe(before);
  });

  it('is the same after what leaves HEAD and the tree alone', () => {
    const { git, root } = repository();
    writeFileSync(join(root, 'a.txt'), 'two');
    const before = headMark(root);
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    git('add', '-A');
    git('status');
    git('branch', 'other');
    git('tag', 'one');
    expect(headMark(root)).toBe(before);
  });

  it('is that of the repository for a folder in it, and of its own for a linked work tree', () => {
    const { git, root } = repository();
    const leases = tempTree();
    rmSync(leases, { recursive: true });
    git('worktree', 'add', '-q', '-b', 'linked', leases);
    const before = headMark(leases);
    expect(headMark(join(root, '.git'))).toBe(headMark(root));
    git('commit', '-q', '--allow-empty', '-m', 'two');
    expect(headMark(leases)).toBe(before);
    gitRepository(leases).git('commit', '-q', '--allow-empty', '-m', 'three');
    expect(headMark(leases)).not.toBe(before);
  });

  it('is that of HEAD alone where git keeps no log', () => {
    const { git, root } = repository();
    git('config', 'core.logAllRefUpdates', 'false');
    rmSync(join(root, '.git/logs'), { recursive: true });
    const before = headMark(root);
    git('checkout', '-q', '-b', 'other');
    expect(headMark(root)).not.toBe(before);
  });

  it('is undefined outside a repository', () => {
    expect(headMark(tempTree())).toBeUndefined();
  });
});
