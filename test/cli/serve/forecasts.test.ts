import { describe, expect, test } from 'vitest';
import { openRepository } from '../../../src/core/world/git/git-repository.ts';
import { workDeskOf } from '../../../src/features/serve/cli/serve-work.ts';
import { longWork } from '../../../src/features/serve/long-work.ts';
import { forecastRoutes } from '../../../src/features/serve/routes/pool-routes.ts';
import { nothingPending } from '../../../src/lib/forecast/capacity.ts';
import type { ServedTree } from '../../../src/lib/service/serve-state.ts';
import { aDay } from '../../support/allocations/tables.ts';
import { remadeTwoLeases } from '../../support/repositories/cached-repository.ts';
import { treeSnapshot } from '../../support/trees/workspace-snapshot.ts';

/** What is served of a repository with one lease of 16 addresses. */
async function served(): Promise<ServedTree> {
  const { root } = await remadeTwoLeases();
  const snapshot = await treeSnapshot(root);
  const commits = openRepository(root).commits;
  const source = { root, remote: 'origin', branch: undefined };
  const git = longWork(
    workDeskOf({ ...source, patterns: [], days: 30, ipam: undefined, environment: {} }),
  );
  const revision = {
    commit: await commits.resolve('HEAD'),
    isUncommitted: false,
    seenAt: '2026-01-12T10:00:00Z',
  };
  const pending = nothingPending;
  const day = aDay('2026-01-12');
  return {
    revision,
    snapshot,
    capacity: undefined,
    day,
    changes: undefined,
    pending,
    git,
    memory: new Map(),
  };
}

async function answer(
  path: string,
  state: ServedTree,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly [number, unknown]> {
  const route = forecastRoutes.find((one) => one.path === path);
  if (route?.of !== 'tree') throw new Error(`there is no ${path}`);
  const { status, body } = await route.answer(state, { params: {}, query });
  return [status, JSON.parse(body)];
}

describe('serve', () => {
  test('answers how many addresses may still be promised', async () => {
    const state = await served();
    expect(await answer('/api/v1/capacity', state, { zone: 'inet', family: 'ipv4' })).toEqual([
      200,
      expect.objectContaining({
        kind: 'Capacity',
        items: [expect.objectContaining({ zone: 'inet', family: 'ipv4', promisable: '15' })],
      }),
    ]);
  });

  test.each([
    [{ zone: 'edge' }, 404],
    [{ cluster: 'west' }, 404],
    [{ family: 'ipv5' }, 400],
  ])('refuses to count %j', async (query, status) => {
    expect(await answer('/api/v1/capacity', await served(), query)).toEqual([
      status,
      expect.objectContaining({ kind: 'Failure', status }),
    ]);
  });

  test('answers with the past usage of the pools, without uncommitted changes', async () => {
    const state = await served();
    expect(await answer('/api/v1/forecasts', state)).toEqual([
      200,
      expect.objectContaining({
        kind: 'Forecasts',
        commit: state.revision.commit?.id,
        items: [
          expect.objectContaining({
            points: [{ day: '2026-01-10', held: '1', retained: '0' }],
            outlook: 'unknown',
          }),
        ],
      }),
    ]);
    const uncommitted = { ...state, revision: { ...state.revision, commit: undefined } };
    expect((await answer('/api/v1/forecasts', uncommitted))[0]).toBe(404);
  });
});
