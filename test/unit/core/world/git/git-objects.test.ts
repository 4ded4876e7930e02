import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GitObjects } from '../../../../../src/core/world/git/git-objects.ts';
import { withCommit } from '../../../../support/repositories/git-repository.ts';
import { putFile, tempTree } from '../../../../support/trees/temp-tree.ts';

/** Reads the objects of a folder, and counts the processes. */
function reading(root: string) {
  const started: ReturnType<typeof batchIn>[] = [];
  const objects = new GitObjects(() => {
    const process = batchIn(root);
    started.push(process);
    return process;
  });
  const textsOf = async (...names: readonly string[]) =>
    (await objects.read(names)).map((object) => object?.bytes?.toString());
  return { objects, started, textsOf };
}

function batchIn(root: string) {
  return spawn('git', ['cat-file', '--batch'], { cwd: root });
}

describe('the objects of a repository', () => {
  it('are read by one process, in the order of their names', async () => {
    const { root } = withCommit({ a: 'one\n', b: '', 'c d': 'line\n\nline without end' });
    const { objects, started, textsOf } = reading(root);
    expect(await textsOf('HEAD:./c d', 'HEAD:./none', 'HEAD:./a')).toEqual([
      'line\n\nline without end',
      undefined,
      'one\n',
    ]);
    expect(await textsOf('HEAD:./b')).toEqual(['']);
    expect(await objects.read([])).toEqual([]);
    expect(started).toHaveLength(1);
    objects.close();
  });

  it('of questions that are asked together are not mixed', async () => {
    const { root } = withCommit({ a: 'a'.repeat(100_000), b: 'b'.repeat(100_000) });
    const { objects, textsOf } = reading(root);
    const answers = await Promise.all(
      ['a', 'b', 'a', 'none'].map((name) => textsOf(`HEAD:./${name}`)),
    );
    expect(answers.flat().map((text) => text?.slice(0, 2))).toEqual(['aa', 'bb', 'aa', undefined]);
    objects.close();
  });

  it('may be more than a pipe holds', async () => {
    const { root } = withCommit({ a: 'a'.repeat(1_000) });
    const { objects, textsOf } = reading(root);
    const names = Array.from({ length: 3_000 }, (_, index) => `HEAD:./${index % 2 ? 'a' : 'b'}`);
    const texts = await textsOf(...names);
    expect(texts.filter((text) => text?.length === 1_000)).toHaveLength(1_500);
    expect(texts.filter((text) => text === undefined)).toHaveLength(1_500);
    objects.close();
  });

  it('of more than 16 MiB are skipped', { tags: 'slow' }, async () => {
    const most = 16 * 1024 * 1024;
    const { root } = withCommit({ most: 'm'.repeat(most), more: 'n'.repeat(most + 1), next: 'x' });
    const { objects } = reading(root);
    const found = await objects.read(['HEAD:./most', 'HEAD:./more', 'HEAD:./next']);
    expect(found.map((object) => [object?.size, object?.bytes?.length])).toEqual([
      [most, most],
      [most + 1, undefined],
      [1, 1],
    ]);
    objects.close();
  });

  it('are those of a commit that was made after the first question', async () => {
    const { root, git } = withCommit({ a: 'one' });
    const { objects, started, textsOf } = reading(root);
    expect(await textsOf('HEAD:./a')).toEqual(['one']);
    putFile(root, 'a', 'two');
    git('commit', '-q', '-a', '-m', 'Two');
    git('gc', '-q', '--prune=now');
    expect(await textsOf('HEAD:./a')).toEqual(['two']);
    expect(started).toHaveLength(1);
    objects.close();
  });
});

describe('a process that ends', () => {
  it('is an error for the question, and the next question starts another', async () => {
    const { root } = withCommit({ a: 'one' });
    const { objects, started, textsOf } = reading(root);
    expect(await textsOf('HEAD:./a')).toEqual(['one']);
    started[0]?.kill();
    await expect(textsOf('HEAD:./a')).rejects.toThrow('git cannot read committed files');
    expect(await textsOf('HEAD:./a')).toEqual(['one']);
    expect(started).toHaveLength(2);
    objects.close();
  });

  it('gives the reason of git', async () => {
    const { textsOf } = reading(tempTree());
    await expect(textsOf('HEAD')).rejects.toThrow(
      'git cannot read committed files: fatal: not a git repository',
    );
  });

  it('gives the reason why git does not start', async () => {
    const objects = new GitObjects(() => spawn(join(tempTree(), 'git'), []));
    await expect(objects.read(['HEAD'])).rejects.toThrow(/ENOENT/);
  });
});

it('closing ends the process', async () => {
  const { root } = withCommit({ a: 'one' });
  const { objects, started, textsOf } = reading(root);
  await textsOf('HEAD:./a');
  const [process] = started;
  const ended = new Promise((resolve) => process?.once('exit', resolve));
  objects.close();
  process?.ref();
  expect(await ended).toBe(0);
});
