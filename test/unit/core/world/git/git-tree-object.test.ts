import { describe, expect, it } from 'vitest';
import { parseTree } from '../../../../../src/core/world/git/git-tree-object.ts';

const id = '1'.repeat(40);

/** A tree object of entries `<mode> <name>`. */
function treeOf(...entries: readonly string[]) {
  const parts = entries.map((entry) =>
    Buffer.concat([Buffer.from(`${entry}\0`), Buffer.from(id, 'hex')]),
  );
  const bytes = Buffer.concat(parts);
  return { id, type: 'tree', size: bytes.length, bytes };
}

describe('a tree object', () => {
  it('is read as git reads it: by the first bits of the mode', () => {
    const modes = [
      '100644 a',
      '100755 b',
      '100664 c',
      '120000 d',
      '160000 e',
      '40000 f',
      '40755 g',
    ];
    const kinds = parseTree(treeOf(...modes, '100644 ü'))?.entries.map(
      ({ name, kind }) => `${kind} ${name}`,
    );
    expect(kinds).toEqual([
      'file a',
      'file b',
      'file c',
      'other d',
      'other e',
      'folder f',
      'folder g',
      'file ü',
    ]);
  });

  it('is in order when a folder comes where its name with a slash belongs', () => {
    const sorted = treeOf('100644 a-b', '40000 a', '100644 a0');
    expect(parseTree(sorted)?.refused).toBeUndefined();
  });

  it.each<[string, string, ...string[]]>([
    ['git refuses its name', 'dist/default/evil.yaml', '100644 dist/default/evil.yaml'],
    ['git refuses its name', '', '100644 '],
    ['git refuses its name', '.', '40000 .'],
    ['git refuses its name', '..', '40000 ..'],
    ['git refuses its name', '.GIT', '40000 .GIT'],
    ['git refuses its name', 'GIT~1', '100644 GIT~1'],
    ['it is there twice', 'a', '100644 a', '100644 a'],
    ['it is there twice', 'a', '40000 a', '40000 a'],
    ['it is there twice', 'a', '100644 a', '100644 a.b', '40000 a'],
    ['it is out of order', 'a', '100644 b', '100644 a'],
    ['it is out of order', 'a0', '100644 a00', '100644 a0'],
  ])('refuses an entry: %s, %j', (why, name, ...entries) => {
    const parsed = parseTree(treeOf(...entries));
    expect(parsed?.refused).toEqual({ name, why });
    expect(parsed?.entries).toHaveLength(entries.length - 1);
  });

  it.each([
    ['a blob', { ...treeOf('100644 a'), type: 'blob' }],
    ['cut short', { ...treeOf('100644 a'), bytes: treeOf('100644 a').bytes.subarray(0, 20) }],
    ['without a mode', { ...treeOf(), bytes: Buffer.from('100644') }],
    ['too large to be read', { ...treeOf('100644 a'), bytes: undefined }],
  ])('is not read when it is %s', (_, object) => {
    expect(parseTree(object)).toBeUndefined();
  });
});
