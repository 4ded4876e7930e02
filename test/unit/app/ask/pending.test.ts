import { expect, test } from 'vitest';
import { pendingOf } from '../../../../src/app/ask/pending.ts';
import { gitCommits } from '../../../../src/io/git/git-commits.ts';
import { gitLog } from '../../../../src/io/git/git-log.ts';
import { aDay } from '../../../support/allocation-builders.ts';
import { twoLeases } from '../../../support/two-leases.ts';

test('of more refs than are looked at those with the highest numbers count, and the others are told in one line', async () => {
  const { root, git } = await twoLeases();
  const bob = git('rev-parse', 'bob').trim();
  const listed = [2, 10, 9, 1].map((number) => ({ ref: `refs/pull/${number}/head`, commit: bob }));
  const heads = {
    list: () => Promise.resolve(listed),
    bring: (commits: readonly string[]) => Promise.resolve(new Set(commits)),
  };
  const patterns = ['refs/pull/*/head'];
  const question = { patterns, target: 'HEAD', day: aDay('2026-01-12'), days: 30, most: 2 };
  const ports = { commits: gitCommits(root), log: gitLog(root), heads };
  const { refs, skipped } = await pendingOf(ports, question);
  expect(refs.map(({ ref }) => ref)).toEqual(['refs/pull/10/head', 'refs/pull/9/head']);
  expect(skipped).toEqual([
    {
      ref: 'refs/pull/*/head',
      reason: '2 older refs are left out: only the newest 2 are looked at',
    },
  ]);
  expect((await pendingOf(ports, { ...question, most: 4 })).skipped).toEqual([]);
});
