import { expect, test } from 'vitest';
import type { Commits } from '../../../../../src/core/interfaces/commits.ts';
import { blendedOf, mixedUp } from '../../../../../src/core/run/review/merge-mixups.ts';
import { aClaim } from '../../../../support/declarations/pools-and-claims.ts';
import { treeOf } from '../../../../support/trees/memory-tree.ts';

function named(endpoint: string, name: string, line = 1) {
  return aClaim({ endpoint, dns: [{ name, at: { file: 'leases/web.yaml', line, column: 1 } }] });
}

test('a claim with the DNS name of another one is declared by no side of a merge', () => {
  const sides = [
    { items: [named('one', 'one.example.com')] },
    { items: [named('two', 'two.example.com')] },
  ];
  const blended = named('two', 'one.example.com');

  expect(mixedUp([named('one', 'one.example.com'), blended], sides)).toEqual([blended]);
});

test('a claim with its DNS name on another line is declared by a side of a merge', () => {
  expect(
    mixedUp([named('one', 'a.example.com', 2)], [{ items: [named('one', 'a.example.com')] }]),
  ).toEqual([]);
});

test('two edits of one claim in one file are no mix-up, and a field of another claim is one', () => {
  const claim = (port: number, retentionDays: number, endpoint = 'one') =>
    aClaim({ endpoint, port, retentionDays });
  const sides = [
    { items: [claim(9000, 3), claim(7000, 7, 'two')] },
    { items: [claim(8080, 30), claim(7000, 7, 'two')] },
  ];
  expect(mixedUp([claim(9000, 30)], sides)).toEqual([]);
  expect(mixedUp([claim(9000, 7)], sides)).toEqual([claim(9000, 7)]);
  expect(mixedUp([claim(7000, 30)], sides)).toEqual([claim(7000, 30)]);
  const elsewhere = aClaim({ ...claim(9000, 30), at: { file: 'b.yaml', line: 1, column: 1 } });
  expect(mixedUp([elsewhere], sides)).toEqual([elsewhere]);
});

test('an item is blended when its file is what git makes of the merge, or when git cannot tell', async () => {
  const item = named('one', 'one.example.com');
  const blended = async (made: Uint8Array | 'conflict' | 'missing' | undefined) => {
    const answer = made === undefined ? undefined : new Map([[item.at.file, made]]);
    const commits = { automerge: async () => answer } as unknown as Commits;
    const tree = treeOf({ [item.at.file]: 'a: 1\n' });
    return (await blendedOf(commits, sides, { items: [item], tree })).length > 0;
  };
  const sides = { ours: 'ours', theirs: 'theirs' };
  expect(await blended(Buffer.from('a: 1\n'))).toBe(true);
  expect(await blended(Buffer.from('a: 1\r\n'))).toBe(true);
  expect(await blended(Buffer.from('a: 2\n'))).toBe(false);
  expect(await blended('conflict')).toBe(false);
  expect(await blended('missing')).toBe(false);
  expect(await blended(undefined)).toBe(true);
});
