import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRepository } from '../../../../../src/core/world/git/git-repository.ts';
import { gitRepository, withCommit } from '../../../../support/repositories/git-repository.ts';
import { putFile, tempTree } from '../../../../support/trees/temp-tree.ts';

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

describe('the tree of a commit', () => {
  it('has leases, dist and the state folder, with their bytes as committed', async () => {
    const { root } = withCommit({
      'leases/pools.yaml': 'pools\r\n',
      'leases/a b/ü"x.yaml': 'x',
      'dist/d.yaml': '',
      '.leasehold/commit.json': '{}',
      'other/file': 'not ours',
      'leases-not': 'not ours either',
    });
    writeFileSync(join(root, 'leases/pools.yaml'), 'changed since');
    const tree = await openRepository(root).commits.tree('HEAD');
    const all = ['leases', 'dist', '.leasehold'].flatMap((folder) => tree.list(folder));
    expect(all.map(({ path, kind, size }) => [path, kind, size])).toEqual([
      ['leases/pools.yaml', 'file', 7],
      ['leases/a b/ü"x.yaml', 'file', 1],
      ['dist/d.yaml', 'file', 0],
      ['.leasehold/commit.json', 'file', 2],
    ]);
    expect(textOf(tree.read('leases/pools.yaml'))).toBe('pools\r\n');
    expect(textOf(tree.read('dist/d.yaml'))).toBe('');
    expect(tree.list('leases/pools.yaml')).toHaveLength(1);
    expect(tree.list('lease')).toEqual([]);
  });

  it('is not changed by attributes, filters or replaced line ends', async () => {
    const { root, git } = withCommit({
      '.gitattributes': '* text eol=crlf filter=evil export-subst ident\n',
      'leases/pools.yaml': '$Format:%H$ $Id$\n',
    });
    git('config', 'filter.evil.smudge', 'touch pwned; cat');
    git('config', 'filter.evil.clean', 'touch pwned; cat');
    git('config', 'core.autocrlf', 'true');
    const tree = await openRepository(root).commits.tree('HEAD');
    const committed = execFileSync('git', ['cat-file', 'blob', 'HEAD:leases/pools.yaml'], {
      cwd: root,
    });
    expect(Buffer.from(tree.read('leases/pools.yaml'))).toEqual(committed);
    expect(() => statSync(join(root, 'pwned'))).toThrow();
  });

  it('lists links and submodules as other than files', async () => {
    const { root, git } = withCommit({ 'leases/real.yaml': 'x' });
    symlinkSync('/etc/passwd', join(root, 'leases/link.yaml'));
    git('add', '-A');
    git(
      'update-index',
      '--add',
      '--cacheinfo',
      `160000,${git('rev-parse', 'HEAD').trim()},leases/module`,
    );
    git('commit', '-q', '-m', 'Two');
    const tree = await openRepository(root).commits.tree('HEAD');
    const kinds = tree.list('leases').map(({ path, kind }) => `${kind} ${path}`);
    expect(kinds).toEqual([
      'other leases/link.yaml',
      'other leases/module',
      'file leases/real.yaml',
    ]);
  });

  it('is relative to the folder that was opened', async () => {
    const { root } = withCommit({ 'deep/leases/a.yaml': 'deep', 'leases/a.yaml': 'top' });
    const tree = await openRepository(join(root, 'deep')).commits.tree('HEAD');
    expect(tree.list('leases').map(({ path }) => path)).toEqual(['leases/a.yaml']);
    expect(textOf(tree.read('leases/a.yaml'))).toBe('deep');
  });

  it('is empty when the commit has nothing of ours', async () => {
    const { root } = withCommit({ README: 'x' });
    const tree = await openRepository(root).commits.tree('HEAD');
    expect(tree.list('leases')).toEqual([]);
    expect(tree.idOf('leases/pools.yaml')).toBeUndefined();
  });

  it('is empty when the commit lacks the folder that was opened', async () => {
    const { root } = withCommit({ 'leases/a.yaml': 'x' });
    putFile(root, 'deep/leases/a.yaml', 'x');
    const tree = await openRepository(join(root, 'deep')).commits.tree('HEAD');
    expect(tree.list('leases')).toEqual([]);
  });

  it('has only the entries of the asked folders', async () => {
    const { root } = withCommit({
      'leases/a.yaml': 'x',
      'leases/allocations/b/c.yaml': 'y',
      'leases/allocations-not/d.yaml': 'z',
    });
    const { commits } = openRepository(root);
    const tree = await commits.tree('HEAD', ['leases/allocations', 'leases/a.yaml/none', 'none']);
    expect(tree.list('leases').map(({ path }) => path)).toEqual(['leases/allocations/b/c.yaml']);
  });

  it('may be opened beside others that have the same folder, there or elsewhere', async () => {
    const { root, git } = withCommit({ 'leases/a/x.yaml': 'x', 'leases/b/x.yaml': 'x' });
    git('mv', 'leases/b', 'leases/c');
    git('commit', '-q', '-m', 'Two');
    const { commits } = openRepository(root);
    const opened = await Promise.all(['HEAD~1', 'HEAD', 'HEAD~1'].map((one) => commits.tree(one)));
    const again = await commits.tree('HEAD');
    expect(
      [...opened, again].map((tree) =>
        tree.list('leases').map(({ path }) => [path, textOf(tree.read(path))]),
      ),
    ).toEqual(
      ['b', 'c', 'b', 'c'].map((name) => [
        ['leases/a/x.yaml', 'x'],
        [`leases/${name}/x.yaml`, 'x'],
      ]),
    );
  });

  it('has the committed bytes, whatever the working tree has', async () => {
    const files = Object.fromEntries([...'abcdefgh'].map((name) => [`leases/${name}.yaml`, name]));
    const { root } = withCommit(files);
    const { commits } = openRepository(root);
    const tree = await commits.tree('HEAD');
    putFile(root, 'leases/a.yaml', 'other');
    for (const name of 'bcdef') rmSync(join(root, `leases/${name}.yaml`));
    for (const path of Object.keys(files)) {
      expect(textOf(tree.read(path))).toBe(files[path]);
      expect(tree.readUpTo?.(path, 0)).toBeUndefined();
      expect(tree.readUpTo?.(path, 1)).toHaveLength(1);
    }
    expect(tree.list('leases').map(({ size }) => size)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  });

  it('has a file that git has lost, while the working tree has its bytes', async () => {
    const { root, git } = withCommit({ 'leases/a.yaml': 'x' });
    const id = git('rev-parse', 'HEAD:leases/a.yaml').trim();
    rmSync(join(root, '.git/objects', id.slice(0, 2), id.slice(2)));
    const tree = await openRepository(root).commits.tree('HEAD');
    expect(textOf(tree.read('leases/a.yaml'))).toBe('x');
    putFile(root, 'leases/a.yaml', 'y');
    expect(() => tree.read('leases/a.yaml')).toThrow(/^git cannot read leases\/a.yaml/);
  });

  it.each(['HEAD^{tree}', 'HEAD:deep', 'HEAD:deep/leases'])(
    'is an error without the object %s, and not empty',
    async (name) => {
      const { root, git } = withCommit({ 'deep/leases/a.yaml': 'x' });
      const id = git('rev-parse', name).trim();
      rmSync(join(root, '.git/objects', id.slice(0, 2), id.slice(2)));
      const { commits } = openRepository(join(root, 'deep'));
      await expect(commits.tree('HEAD')).rejects.toThrow(/^git cannot read/);
    },
  );

  it('tells which files of the working tree have the bytes of a commit, once they are read', async () => {
    const files = Object.fromEntries([...'abcdefgh'].map((name) => [`leases/${name}.yaml`, name]));
    const { root } = withCommit(files);
    putFile(root, 'leases/a.yaml', 'other');
    const { commits, files: shared } = openRepository(root);
    const tree = await commits.tree('HEAD');
    expect(Object.keys(files).filter((path) => shared.idOf(path))).toEqual([]);
    for (const path of Object.keys(files)) tree.read(path);
    expect(shared.idOf('leases/a.yaml')).toBeUndefined();
    expect(shared.idOf('leases/b.yaml')).toBe(tree.idOf('leases/b.yaml'));
    expect(shared.parsed).toBe(tree.parsed);
  });

  it('names the content of a file, and equal bytes alike', async () => {
    const { root } = withCommit({
      'leases/a.yaml': 'x',
      'leases/b.yaml': 'x',
      'leases/c.yaml': 'y',
    });
    const tree = await openRepository(root).commits.tree('HEAD');
    expect(tree.idOf('leases/a.yaml')).toBe(tree.idOf('leases/b.yaml'));
    expect(tree.idOf('leases/a.yaml')).not.toBe(tree.idOf('leases/c.yaml'));
  });
});

describe('a commit', () => {
  it('is resolved from a branch, a tag, a short name or an expression', async () => {
    const { root, git } = withCommit({ 'leases/a.yaml': 'x' });
    git('tag', '-a', '-m', 'Annotated', 'v1');
    const id = git('rev-parse', 'HEAD').trim();
    for (const ref of ['HEAD', 'main', 'v1', id.slice(0, 8), 'main@{0}', 'HEAD^0']) {
      expect(await openRepository(root).commits.resolve(ref)).toEqual({
        id,
        day: '2026-01-10',
        at: '2026-01-10T12:00:00Z',
        parents: [],
        message: 'One\n',
      });
    }
  });

  it.each(['no-such', '-h', '--upload-pack=x', 'HEAD:leases', 'a b', '$(touch pwned)', '', 'v9~1'])(
    'the ref %j is refused',
    async (ref) => {
      const { root } = withCommit({ 'leases/a.yaml': 'x' });
      await expect(openRepository(root).commits.resolve(ref)).rejects.toThrow(
        `git knows no commit '${ref}': fetch it, or name another`,
      );
    },
  );

  it.each(['mian', 'Main'])('the ref %j is told the branch that is meant', async (ref) => {
    const { root } = withCommit({ 'leases/a.yaml': 'x' });
    await expect(openRepository(root).commits.resolve(ref)).rejects.toThrow(
      `git knows no commit '${ref}': did you mean 'main'?`,
    );
  });

  it('has its message as text, whatever its encoding is', async () => {
    const { root, git } = withCommit({ 'leases/a.yaml': 'x' });
    git('-c', 'i18n.commitEncoding=ISO-8859-1', 'commit', '-q', '--allow-empty', '-m', 'caf\u00e9');
    const raw = execFileSync('git', ['cat-file', 'commit', 'HEAD'], { cwd: root });
    const unknown = Buffer.from(raw.toString('latin1').replace('ISO-8859-1', 'no-such'), 'latin1');
    const id = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
      cwd: root,
      input: unknown,
    });
    const commits = openRepository(root).commits;
    for (const ref of ['HEAD', `${id}`.trim()]) {
      const command = ['log', '--no-walk', '--format=%B', '--encoding=UTF-8', ref];
      const said = execFileSync('git', command, { cwd: root }).toString('utf8').slice(0, -1);
      expect((await commits.resolve(ref)).message).toBe(said);
    }
  });

  it('is asked for with others at once, in their order', async () => {
    const { root, git } = withCommit({ 'leases/a.yaml': 'x' });
    git('commit', '-q', '--allow-empty', '-m', 'Two');
    const commits = openRepository(root).commits;
    const [two, one, again] = await commits.resolveEach(['main', 'HEAD~1', 'HEAD']);
    expect([two, one, again].map(({ message }) => message)).toEqual(['Two\n', 'One\n', 'Two\n']);
    expect(await commits.resolveEach([one.id])).toEqual([one]);
    await expect(commits.resolveEach(['main', 'nowhere', 'neither'])).rejects.toThrow("'nowhere'");
  });

  it('has the UTC day of its committer, its parents and its message', async () => {
    const { root, git, on } = withCommit({ 'leases/a.yaml': 'x' });
    git('checkout', '-q', '-b', 'side');
    on('2026-02-03').git('commit', '-q', '--allow-empty', '-m', 'Side\n\nBody: yes');
    git('checkout', '-q', 'main');
    git('commit', '-q', '--allow-empty', '-m', 'Main');
    on('2026-02-05').git('merge', '-q', '--no-ff', '-m', 'Merged', 'side');
    const commits = openRepository(root).commits;
    const merge = await commits.resolve('HEAD');
    expect([merge.day, merge.parents.length, merge.message]).toEqual(['2026-02-05', 2, 'Merged\n']);
    const between = await commits.between('main~1', 'HEAD');
    expect(between.map(({ day, message }) => `${day} ${message}`)).toEqual([
      '2026-02-05 Merged\n',
      '2026-02-03 Side\n\nBody: yes\n',
    ]);
    expect((await commits.mergeBase('side', 'main~1')).message).toBe('One\n');
  });
});

describe('an obstacle to reading commits', () => {
  it('is a sentence of an EnvironmentError', async () => {
    const { root } = withCommit({ 'leases/a.yaml': 'x' });
    const bare = tempTree();
    execFileSync('git', ['clone', '-q', '--bare', root, bare], { stdio: 'ignore' });
    const shallow = tempTree();
    putFile(root, 'leases/a.yaml', 'y');
    gitRepository(root).git('commit', '-q', '-a', '-m', 'Two');
    execFileSync('git', ['clone', '-q', '--depth', '1', `file://${root}`, shallow], {
      stdio: 'ignore',
    });
    const unborn = gitRepository(tempTree()).root;
    const sentence = async (folder: string, ref = 'HEAD') =>
      openRepository(folder)
        .commits.resolve(ref)
        .then(
          () => 'fine',
          (failure: Error) => `${failure.name}: ${failure.message}`,
        );
    expect(await sentence(tempTree())).toBe(
      'EnvironmentError: this folder is not in a git repository: run leasehold in a clone, or name one with -C',
    );
    expect(await sentence(bare)).toBe(
      'EnvironmentError: this is a bare repository: clone it, and run leasehold in the clone',
    );
    expect(await sentence(unborn)).toBe(
      'EnvironmentError: the repository has no commit yet: commit what there is first',
    );
    expect(await sentence(shallow, 'HEAD~1')).toMatch(
      /^EnvironmentError: git knows no commit 'HEAD~1', and the clone is shallow: fetch its history/,
    );
  });

  it('is also that two commits have nothing in common', async () => {
    const { root, git } = withCommit({ 'leases/a.yaml': 'x' });
    git('checkout', '-q', '--orphan', 'other');
    git('commit', '-q', '-m', 'Orphan');
    await expect(openRepository(root).commits.mergeBase('main', 'other')).rejects.toThrow(
      'base and head have no common commit: name a base that the head descends from',
    );
  });
});

describe('the merge base in a shallow clone', () => {
  /** Both branches have `main` and `side`; `change` has the way to main only below two commits. */
  function shallowClone(depth: number) {
    const { root, git } = withCommit({ 'leases/a.yaml': 'x' });
    const commit = (message: string) => git('commit', '-q', '--allow-empty', '-m', message);
    git('checkout', '-q', '-b', 'side');
    commit('Side');
    git('checkout', '-q', 'main');
    commit('Main');
    git('checkout', '-q', '-b', 'change');
    for (const message of ['One', 'Two', 'Three']) commit(message);
    git('merge', '-q', '--no-edit', 'side');
    git('checkout', '-q', 'main');
    git('merge', '-q', '--no-edit', 'side');
    const shallow = tempTree();
    const options = ['-q', '--no-single-branch', '--depth', String(depth)];
    execFileSync('git', ['clone', ...options, `file://${root}`, shallow]);
    return openRepository(shallow).commits;
  }

  it('is not taken for the only one where the clone hides another', async () => {
    const all = await shallowClone(5).mergeBases('origin/main', 'origin/change');
    expect(all.map(({ message }) => message).sort()).toEqual(['Main\n', 'Side\n']);
    await expect(shallowClone(3).mergeBases('origin/main', 'origin/change')).rejects.toThrow(
      'the clone is too shallow to find the merge base of base and head',
    );
  });

  it('is a commit that the other one descends from, however shallow the clone is', async () => {
    const commits = shallowClone(2);
    const ids = (await commits.resolveEach(['origin/change~1', 'origin/change'])).map(
      ({ id }) => id,
    );
    const [before = '', head = ''] = ids;
    expect((await commits.mergeBases(before, head)).map(({ id }) => id)).toEqual([before]);
  });
});

describe('a dirty tree', () => {
  it.each([
    ['an edit', (root: string) => writeFileSync(join(root, 'leases/a.yaml'), 'y'), true],
    ['a new file', (root: string) => writeFileSync(join(root, 'dist/new.yaml'), 'y'), true],
    ['a foreign file', (root: string) => writeFileSync(join(root, 'NOTES'), 'y'), false],
    ['nothing', () => {}, false],
  ])('has %s: the index is not touched', async (_, change, isDirty) => {
    const { root } = withCommit({ 'leases/a.yaml': 'x', 'dist/d.yaml': 'd' });
    change(root);
    mkdirSync(join(root, 'leases/empty'));
    const before = readFileSync(join(root, '.git/index'));
    const { mtimeMs } = statSync(join(root, '.git/index'));
    expect(await openRepository(root).commits.isDirty()).toBe(isDirty);
    expect(readFileSync(join(root, '.git/index')).equals(before)).toBe(true);
    expect(statSync(join(root, '.git/index')).mtimeMs).toBe(mtimeMs);
  });
});
