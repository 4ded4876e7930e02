import { describe, expect, it } from 'vitest';
import type { SourceTree } from '../../../../src/core/interfaces/tree.ts';
import { changedTree } from '../../../../src/core/tree/changed-tree.ts';
import { treeOf } from '../../../support/trees/memory-tree.ts';

const base = treeOf({
  'leases/a.yaml': 'a\n',
  'leases/b.yaml': 'b\n',
  'dist/x.yaml': 'x\n',
});

const textOf = (tree: SourceTree, path: string) => new TextDecoder().decode(tree.read(path));

describe('a changed tree', () => {
  it('lists written files, and omits removed ones', async () => {
    const tree = changedTree(base);
    const writes = new Map([
      ['leases/c.yaml', 'ć\n'],
      ['leases/a.yaml', 'other\n'],
    ]);
    await tree.commit({ writes, removes: ['leases/b.yaml'] });
    expect(
      [...tree.list('leases')].sort((left, right) => (left.path < right.path ? -1 : 1)),
    ).toEqual([
      { path: 'leases/a.yaml', kind: 'file', size: 6 },
      { path: 'leases/c.yaml', kind: 'file', size: 3 },
    ]);
    expect(textOf(tree, 'leases/a.yaml')).toBe('other\n');
    expect(textOf(tree, 'dist/x.yaml')).toBe('x\n');
    expect(tree.changes()).toEqual({
      writes: new Map([
        ['leases/a.yaml', 'other\n'],
        ['leases/c.yaml', 'ć\n'],
      ]),
      removes: ['leases/b.yaml'],
    });
  });

  it('has no changes when the original contents are restored', async () => {
    const tree = changedTree(base);
    await tree.commit({
      writes: new Map([['leases/a.yaml', 'other\n']]),
      removes: ['dist/x.yaml'],
    });
    await tree.commit({
      writes: new Map([
        ['leases/a.yaml', 'a\n'],
        ['dist/x.yaml', 'x\n'],
        ['leases/new.yaml', 'new\n'],
      ]),
      removes: [],
    });
    await tree.commit({ writes: new Map(), removes: ['leases/new.yaml'] });
    expect(tree.changes()).toEqual({ writes: new Map(), removes: [] });
  });

  it.each([
    ['is longer', 'a\nmore\n'],
    ['is shorter', 'a'],
    ['starts with a byte order mark', '\uFEFFa\n'],
  ])('has a change for a text that %s', async (_, text) => {
    const tree = changedTree(base);
    await tree.commit({ writes: new Map([['leases/a.yaml', text]]), removes: [] });
    expect(tree.changes().writes).toEqual(new Map([['leases/a.yaml', text]]));
  });

  it('replaces a link by a file without reading the link', async () => {
    const linked: SourceTree = {
      list: () => [{ path: 'leases/a.yaml', kind: 'other', size: 0 }],
      read: (path) => {
        throw new Error(`${path} is not a file`);
      },
    };
    const tree = changedTree(linked);
    await tree.commit({ writes: new Map([['leases/a.yaml', 'a\n']]), removes: [] });
    expect([...tree.changes().writes.keys()]).toEqual(['leases/a.yaml']);
  });
});
