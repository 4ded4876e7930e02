import { expect, test } from 'vitest';
import { openRepository } from '../../../../src/core/world/git/git-repository.ts';
import { pendingOf } from '../../../../src/lib/forecast/pending.ts';
import { gitDivergedBranches } from '../../../../src/lib/forecast/world/git-diverged-branches.ts';
import { aDay } from '../../../support/allocations/tables.ts';
import { twoLeases } from '../../../support/repositories/two-leases.ts';

test('pendingOf reads the refs with the highest numbers, and counts those left out', {
  tags: 'slow',
}, async () => {
  const { root, git } = await twoLeases();
  const bob = git('rev-parse', 'bob').trim();
  const listed = [2, 10, 9, 1].map((number) => ({ ref: `refs/pull/${number}/head`, commit: bob }));
  const heads = {
    list: () => Promise.resolve(listed),
    bring: (commits: readonly string[]) => Promise.resolve(new Set(commits)),
  };
  const patterns = ['refs/pull/*/head'];
  const question = { patterns, target: 'HEAD', day: aDay('2026-01-12'), days: 30, most: 2 };
  const ports = {
    commits: openRepository(root).commits,
    log: openRepository(root).log,
    branches: gitDivergedBranches(root),
    heads,
  };
  const found = await pendingOf(ports, question);
  expect(found.refs.map(({ ref }) => ref)).toEqual(['refs/pull/9/head', 'refs/pull/10/head']);
  expect(found).toMatchObject({ skipped: [], leftOut: 2, isComplete: false });
  expect(await pendingOf(ports, { ...question, most: 4 })).toMatchObject({
    leftOut: 0,
    isComplete: true,
  });
  // The refs that are read are too old already, so those with lower numbers are too.
  const later = { ...question, day: aDay('2026-03-12') };
  expect(await pendingOf(ports, later)).toMatchObject({ refs: [], leftOut: 2, isComplete: true });
});
