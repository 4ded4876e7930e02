import { describe, expect, it } from 'vitest';
import { readDeclared } from '../../../../src/core/tree/declared.ts';
import { leaseText } from '../../../support/declarations/lease-text.ts';
import { poolsText } from '../../../support/declarations/pools-text.ts';
import { serviceText } from '../../../support/declarations/service-text.ts';
import { treeOf } from '../../../support/trees/memory-tree.ts';

const pools = poolsText(`pools: [{ name: default, zone: inet, addresses: [203.0.113.0/28] }]
`);

const codesIn = (files: Readonly<Record<string, string>>) =>
  readDeclared(treeOf(files)).problems.map(({ code, at }) => `${code} ${at.file}`);

describe('readDeclared', () => {
  it('accepts a tree without keys, leases and a policy', () => {
    const { problems, keys, claims, policy } = readDeclared(treeOf({ 'leases/pools.yaml': pools }));
    expect([problems, keys.repository, claims, policy]).toEqual([[], undefined, [], undefined]);
  });

  it('reports a Service that is declared twice, without problems of its ports', () => {
    const web = serviceText('web');
    const files = { 'leases/pools.yaml': pools, 'leases/a.yaml': web, 'leases/b.yaml': web };
    expect(codesIn(files)).toEqual(['SERVICE_DUPLICATE leases/b.yaml']);
    expect(readDeclared(treeOf(files)).claims.map(({ at }) => at.file)).toEqual(['leases/a.yaml']);
  });

  it.each(['leases', 'leases/pools.yaml'])('reports only the link when %s is one', (path) => {
    const tree = { ...treeOf({}), list: () => [{ path, kind: 'other' as const, size: 0 }] };
    expect(readDeclared(tree).problems.map(({ code }) => code)).toEqual(['FILE_NOT_REGULAR']);
  });

  it('does not read an SDL that is too large', () => {
    const [head = ''] = leaseText('ann', 1, []).split('  endpoints:');
    const tree = treeOf({
      'leases/pools.yaml': `${pools}provider: akash1nxq8gmsw2vlz3m68qvyvcf3kh6q269ajvqw6y0\n`,
      'leases/a.yaml': `${head}  sdl: a.sdl.yaml\n`,
      'leases/a.sdl.yaml': '',
    });
    const size = 2 ** 24;
    const large = tree.list('leases').map((entry) => {
      return entry.path.endsWith('.sdl.yaml') ? { ...entry, size } : entry;
    });
    const read = (path: string) => {
      if (path.endsWith('.sdl.yaml')) throw new Error('it was read');
      return tree.read(path);
    };
    expect(readDeclared({ list: () => large, read }).problems).toMatchObject([
      { code: 'FILE_TOO_LARGE', at: { file: 'leases/a.sdl.yaml' } },
    ]);
  });
});
