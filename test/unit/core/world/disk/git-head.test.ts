import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasMoved, headMark } from '../../../../../src/core/world/disk/git-head.ts';
import {
  type GitRepository,
  gitRepository,
} from '../../../../support/repositories/git-repository.ts';
import { tempTree } from '../../../../support/trees/temp-tree.ts';

function repository(): GitRepository {
  const made = gitRepository(tempTree({ 'a.txt': 'one' }));
  made.git('add', '-A');
  made.git('commit', '-q', '-m', 'one');
  return made;
}

describe('hasMoved', () => {
  it.each<[string, (git: GitRepository['git']) => void]>([
    ['a checkout of another branch', (git) => git('checkout', '-q', '-b', 'other')],
    ['a checkout of the same branch', (git) => git('checkout', '-q', '-f', 'main')],
    ['a reset to the same commit', (git) => git('reset', '-q', '--hard')],
    ['a stash', (git) => git('stash', '-q')],
    [
      'a commit and a checkout',
      (git) => {
        git('commit', '-q', '-a', '-m', 'two');
        git('checkout', '-q', 'HEAD~1');
      },
    ],
  ])('is true after %s, also after a second one', (_, act) => {
    const { git, root } = repository();
    for (const text of ['two', 'three']) {
      writeFileSync(join(root, 'a.txt'), text);
      const mark = headMark(root);
      act(git);
      expect(hasMoved(root, mark)).toBe(true);
      git('checkout', '-q', '-f', 'main');
      if (git('branch', '--list', 'other') !== '') git('branch', '-q', '-D', 'other');
    }
  });

  it.each<[string, (git: GitRepository['git']) => void]>([
    ['a commit', (git) => git('commit', '-q', '-a', '-m', 'two')],
    ['an amended commit', (git) => git('commit', '-q', '--amend', '-m', 'other')],
    ['an edit that is staged', (git) => git('add', '-A')],
    ['a look at the status', (git) => git('status')],
    ['another branch and a tag', (git) => git('branch', 'other')],
  ])('is false after %s', (_, act) => {
    const { git, root } = repository();
    writeFileSync(join(root, 'a.txt'), 'two');
    const mark = headMark(root);
    act(git);
    expect(hasMoved(root, mark)).toBe(false);
  });

  it('is false after git dropped old lines from the log, and true after more than that', () => {
    const { git, root } = repository();
    git('checkout', '-q', '-b', 'other');
    const mark = headMark(root);
    const log = join(root, '.git/logs/HEAD');
    const lines = readFileSync(log, 'utf8').split('\n');
    writeFileSync(log, lines.slice(1).join('\n'));
    expect(hasMoved(root, mark)).toBe(false);
    git('checkout', '-q', 'main');
    expect(hasMoved(root, mark)).toBe(true);
    writeFileSync(log, '');
    expect(hasMoved(root, mark)).toBe(true);
  });

  it('goes by the repository around a folder, also by a link, and by a linked work tree itself', () => {
    const { git, root } = repository();
    mkdirSync(join(root, 'sub'));
    const link = join(tempTree(), 'link');
    symlinkSync(join(root, 'sub'), link);
    expect(headMark(link)).toEqual(headMark(root));
    const linked = tempTree();
    rmSync(linked, { recursive: true });
    git('worktree', 'add', '-q', '-b', 'linked', linked);
    const mark = headMark(linked);
    git('checkout', '-q', '-b', 'other');
    expect(hasMoved(linked, mark)).toBe(false);
    gitRepository(linked).git('checkout', '-q', '-b', 'third');
    expect(hasMoved(linked, mark)).toBe(true);
  });

  it('goes by the branch alone where git keeps no log', () => {
    const { git, root } = repository();
    git('config', 'core.logAllRefUpdates', 'false');
    rmSync(join(root, '.git/logs'), { recursive: true });
    const mark = headMark(root);
    git('reset', '-q', '--hard');
    expect(hasMoved(root, mark)).toBe(false);
    git('checkout', '-q', '-b', 'other');
    expect(hasMoved(root, mark)).toBe(true);
  });

  it('is false where it cannot be told: outside a repository, and in one that cannot be read', () => {
    const outside = tempTree();
    expect(headMark(outside)).toBeUndefined();
    const { git, root } = repository();
    const mark = headMark(root);
    git('checkout', '-q', '-b', 'other');
    expect(hasMoved(root, undefined)).toBe(false);
    expect(hasMoved(outside, mark)).toBe(false);
    const lost = tempTree({ '.git': 'gitdir: /a/folder/that/is/not/here\n' });
    expect(hasMoved(lost, mark)).toBe(false);
  });
});
