import { describe, expect, test } from 'vitest';
import { declarationsFolder } from '../../../../src/core/model/repository-paths.ts';
import { classifyLeaseFiles } from '../../../../src/core/tree/lease-files.ts';

const file = (path: string) => ({ path, kind: 'file', size: 1 }) as const;

describe('the files of leases/', () => {
  test('are classified by path', () => {
    const files = classifyLeaseFiles(
      [
        'leases/a/1.yaml',
        'leases/a/1.sdl.yaml',
        'leases/allocations/10.0.0/10.0.0.1.yaml',
        'leases/keys/repository.yaml',
        'leases/keys/shop/web.tls.yaml',
        'leases/policy.yaml',
        'leases/pools.yaml',
      ].map(file),
    );
    expect(files.pools?.path).toBe('leases/pools.yaml');
    expect(files.policy?.path).toBe('leases/policy.yaml');
    expect(files.declarations.map(({ path }) => path)).toEqual(['leases/a/1.yaml']);
    expect(files.allocations.map(({ path }) => path)).toEqual([
      'leases/allocations/10.0.0/10.0.0.1.yaml',
    ]);
    expect(files.keys.map(({ path }) => path)).toEqual(['leases/keys/shop/web.tls.yaml']);
    expect(files.repositoryId?.path).toBe('leases/keys/repository.yaml');
    expect([...files.sdls.keys()]).toEqual(['leases/a/1.sdl.yaml']);
    expect(files.problems).toEqual([]);
  });

  test.each([
    ['leases/a.yml', 'FILE_UNEXPECTED'],
    ['leases/README.md', 'FILE_UNEXPECTED'],
    ['leases/.hidden.yaml', 'FILE_UNEXPECTED'],
    ['leases/-C.yaml', 'FILE_UNEXPECTED'],
    ['leases/a b.yaml', 'FILE_UNEXPECTED'],
    ['leases/a\nb.yaml', 'FILE_UNEXPECTED'],
    ['leases/ü.yaml', 'FILE_UNEXPECTED'],
    ['leases/allocations/notes.txt', 'FILE_UNEXPECTED'],
    ['leases/keys/a.yaml', 'FILE_UNEXPECTED'],
    ['leases/keys/Shop/a.yaml', 'FILE_UNEXPECTED'],
    ['leases/keys/shop/_a.yaml', 'FILE_UNEXPECTED'],
    ['leases/keys/shop/a.yml', 'FILE_UNEXPECTED'],
    ['leases/keys/shop/web/a.yaml', 'FILE_UNEXPECTED'],
    ['leases/keys/shop.a/a.yaml', 'FILE_UNEXPECTED'],
  ])('%j is %s', (path, code) => {
    const { problems, ...sorted } = classifyLeaseFiles([file(path)]);
    expect(problems.map((problem) => problem.code)).toEqual([code]);
    expect([...sorted.declarations, ...sorted.allocations, ...sorted.keys, ...sorted.sdls]).toEqual(
      [],
    );
  });

  test.each(['allocations', 'hostnames', 'keys', 'proofs'])(
    'are declarations beside %s, for a namespace and a cluster of its name',
    (name) => {
      const paths = [declarationsFolder(undefined, name), declarationsFolder(name, 'shop')].map(
        (home) => `${home}/web.yaml`,
      );
      const { declarations, misplaced, problems } = classifyLeaseFiles(paths.map(file));
      expect(declarations.map(({ path }) => path)).toEqual(paths);
      expect([...misplaced, ...problems]).toEqual([]);
    },
  );

  test.each([
    'leases/shop/.web.yaml.swp',
    'leases/shop/web.yaml~',
    'leases/shop/.#web.yaml',
    'leases/shop/#web.yaml#',
    'leases/.DS_Store',
  ])('%s is of an editor, and left out', (path) => {
    const { problems, declarations } = classifyLeaseFiles([
      file(path),
      { path, kind: 'other', size: 0 },
    ]);
    expect([...problems, ...declarations]).toEqual([]);
  });

  test.each([
    ['leases/A.YAML', 'not a declaration: their names end in .yaml; rename it to .yaml'],
    ['leases', 'this is a file, expected a folder'],
    ['leases/allocations', 'this is a file, expected a folder'],
    ['leases/keys', 'this is a file, expected a folder'],
    ['leases/a.yml', 'not a declaration: their names end in .yaml; rename it to .yaml'],
    ['leases/keys/app/default.yaml', 'a key cannot be named default: secret: default means no key'],
    ['leases/keys/App/key.yaml', 'with a-z, 0-9 and - in both names, and . in the second'],
    ['leases/keys/app/web/default.yaml', 'not a key: expected leases/keys/<namespace>/<name>.yaml'],
    ['leases/a.txt', 'not a declaration: their names end in .yaml; move it out of leases/'],
  ])('%s is refused: %s', (path, expected) => {
    const [problem] = classifyLeaseFiles([file(path)]).problems;
    expect(`${problem?.message}; ${problem?.hint}`).toContain(expected);
  });

  test('a file that is not regular is refused, whatever its name', () => {
    const { problems } = classifyLeaseFiles([{ path: 'leases/a.yaml', kind: 'other', size: 0 }]);
    expect(problems.map(({ code, at }) => [code, at.file])).toEqual([
      ['FILE_NOT_REGULAR', 'leases/a.yaml'],
    ]);
  });
});
