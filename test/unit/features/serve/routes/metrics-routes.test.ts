import { describe, expect, test, vi } from 'vitest';
import { EnvironmentError } from '../../../../../src/core/model/problem.ts';
import { ForecastCache } from '../../../../../src/features/serve/routes/metrics-routes.ts';
import type { WorkspaceSnapshot } from '../../../../../src/lib/list/workspace-snapshot.ts';
import type { GitWork, ServedTree } from '../../../../../src/lib/service/serve-state.ts';
import { aDay, poolsWith, poolWith } from '../../../../support/allocations/tables.ts';
import { noHostnames } from '../../../../support/trees/workspace-snapshot.ts';

const commit = { id: 'c0ffee' };
const snapshot = (): WorkspaceSnapshot => ({
  ...{
    pools: poolsWith(poolWith()),
    table: new Map(),
    claims: new Map(),
    promises: new Map(),
    ...noHostnames,
    problems: [],
  },
});

/** Git work with an empty history. It counts the reads, and waits for each, or fails. */
function countingGit(answer: () => Promise<void>) {
  const walks: string[] = [];
  const git = {
    async ledger(head: string) {
      walks.push(head);
      await answer();
      const at = '2026-01-01T00:00:00Z';
      return { ref: head, commit: head, at, shallow: false, histories: new Map() };
    },
  } as unknown as GitWork;
  return { walks, git };
}

const treeWith = (git: GitWork, changes: Partial<ServedTree> = {}): ServedTree =>
  ({
    snapshot: snapshot(),
    day: aDay('2026-01-02'),
    revision: { commit },
    git,
    ...changes,
  }) as ServedTree;

describe('ForecastCache', () => {
  test('returns without waiting, and makes one forecast per state and day', async () => {
    let walked = (): void => {};
    const { walks, git } = countingGit(() => new Promise((resolve) => (walked = resolve)));
    const cache = new ForecastCache();
    const tree = treeWith(git);
    expect([cache.newest(tree), cache.newest(tree)]).toEqual([undefined, undefined]);
    await vi.waitFor(() => expect(walks).toHaveLength(1));
    walked();
    await vi.waitFor(() => expect(cache.newest(tree)).toMatchObject({ day: '2026-01-02' }));
    expect(cache.newest({ ...tree })).toMatchObject({ day: '2026-01-02' });
    expect(walks).toHaveLength(1);
    expect(cache.newest({ ...tree, day: aDay('2026-01-03') })).toMatchObject({
      day: '2026-01-02',
    });
    await vi.waitFor(() => expect(walks).toHaveLength(2));
    walked();
    await vi.waitFor(() =>
      expect(cache.newest({ ...tree, day: aDay('2026-01-03') })?.day).toBe('2026-01-03'),
    );
  });

  test('has no forecast after git failed, and tries again', async () => {
    let isThere = false;
    const { walks, git } = countingGit(async () => {
      if (!isThere) throw new EnvironmentError('git is gone');
    });
    const cache = new ForecastCache();
    const tree = treeWith(git);
    expect(cache.newest(tree)).toBeUndefined();
    await vi.waitFor(() => expect(walks).toHaveLength(1));
    isThere = true;
    await vi.waitFor(() => expect(cache.newest(tree)).toMatchObject({ kind: 'Forecasts' }));
  });

  test('has no forecast without a commit', async () => {
    const { walks, git } = countingGit(async () => {});
    const cache = new ForecastCache();
    const tree = treeWith(git, { revision: { commit: undefined } as ServedTree['revision'] });
    expect(cache.newest(tree)).toBeUndefined();
    await Promise.resolve();
    expect(cache.newest(tree)).toBeUndefined();
    expect(walks).toEqual([]);
  });
});
