import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRepository } from '../../../../../src/core/world/git/git-repository.ts';
import { gitRepository } from '../../../../support/repositories/git-repository.ts';
import { putFile, tempTree } from '../../../../support/trees/temp-tree.ts';

describe('the files that commits change themselves', () => {
  test('is named as the folder that is opened has it, also where that is a part of the repository', async () => {
    const root = tempTree();
    const { git } = gitRepository(root);
    const part = join(root, 'part');
    mkdirSync(part);
    putFile(root, 'leases/other.yaml', '1');
    putFile(part, 'leases/a/b.yaml', '1');
    putFile(part, 'dist/a.yaml', '1');
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    const id = git('rev-parse', 'HEAD').trim();
    const log = openRepository(part).log;
    const commit = { id, at: '', parents: [], author: '', message: '' };
    expect([...(await log.ownFiles([commit]))]).toEqual([[id, ['leases/a/b.yaml']]]);
    const [bytes, none] = await log.contents([id, id], 'leases/a/b.yaml');
    expect([Buffer.from(bytes ?? []).toString(), none === undefined]).toEqual(['1', false]);
    expect(await log.contents([id], 'leases/c.yaml')).toEqual([undefined]);
  });

  test('of more than two parents is all that differs from one of them', {
    tags: 'slow',
  }, async () => {
    const root = tempTree();
    const { git } = gitRepository(root);
    const change = (path: string): string => {
      putFile(root, path, path);
      git('add', '-A');
      git('commit', '-q', '-m', path);
      return git('rev-parse', 'HEAD').trim();
    };
    const start = change('leases/a.yaml');
    const tips = ['leases/b.yaml', 'leases/c.yaml', 'leases/d.yaml'].map((path) => {
      git('checkout', '-q', start);
      return change(path);
    });
    git('merge', '-q', '-m', 'octopus', ...tips.slice(0, 2));
    const id = git('rev-parse', 'HEAD').trim();
    const parents = git('log', '-1', '--format=%P').trim().split(' ');
    expect(parents).toHaveLength(3);
    const commit = { id, at: '', parents, author: '', message: '' };
    const own = (await openRepository(root).log.ownFiles([commit])).get(id) ?? [];
    expect([...own].sort()).toEqual(['leases/b.yaml', 'leases/c.yaml', 'leases/d.yaml']);
  });
});
