import { describe, expect, test } from 'vitest';
import type { Problem } from '../../../../src/core/model/problem.ts';
import { isAddress, parseAddress } from '../../../../src/core/net/address.ts';
import { countedState, metricsOf } from '../../../../src/features/serve/metrics.ts';
import { nothingPending } from '../../../../src/lib/forecast/capacity.ts';
import type { ServedTree, ServeState } from '../../../../src/lib/service/serve-state.ts';
import { aDay } from '../../../support/allocations/tables.ts';
import { poolsText } from '../../../support/declarations/pools-text.ts';
import { tempTree } from '../../../support/trees/temp-tree.ts';
import { treeSnapshot } from '../../../support/trees/workspace-snapshot.ts';

const day = aDay('2026-01-02');
const pools = poolsText(`clusters: [{ name: west }, { name: east }]
defaultCluster: west
pools:
  - { name: p, zone: z, addresses: [203.0.113.0/28], advertise: { l2: {} } }
`);
async function servedOf(files: Readonly<Record<string, string>>): Promise<ServedTree> {
  const root = tempTree({ 'leases/pools.yaml': pools, ...files });
  const revision = { commit: undefined, isUncommitted: false, seenAt: '2026-01-02T00:00:00Z' };
  return {
    snapshot: await treeSnapshot(root),
    day,
    pending: nothingPending,
    revision,
  } as unknown as ServedTree;
}

const stateWith = (changes: Partial<ServeState>): ServeState => ({
  source: 'x',
  served: undefined,
  stale: undefined,
  branches: undefined,
  polledAt: '1970-01-01T00:01:00Z',
  day,
  polls: { all: 1, failed: 0 },
  ...changes,
});

describe('countedState', () => {
  test('has every declared cluster, sorted by name', async () => {
    const state = countedState(await servedOf({}));
    const none = [
      { cluster: 'east', count: 0 },
      { cluster: 'west', count: 0 },
    ];
    expect(state).toMatchObject({ leases: none, services: none, holders: none, waiting: none });
    expect([state.commit, state.committedAt]).toEqual([undefined, undefined]);
  });

  test('has the capacity of every cluster without the demand of open branches', async () => {
    const served = await servedOf({});
    const address = parseAddress('203.0.113.5');
    if (!isAddress(address)) throw new Error('that is an address');
    const adds = [{ address, holder: 'west/a', moved: false }];
    const refs = [{ ref: 'refs/pull/1/head', commit: 'c', day: '2026-01-01', adds }];
    const pending = { ...nothingPending, refs };
    expect(countedState({ ...served, pending }).capacity).toMatchObject([
      { cluster: 'west', zone: 'z', family: 'ipv4', pending: '1', promisable: '15' },
      { cluster: 'east', zone: 'z', family: 'ipv4', pending: '1', promisable: '15' },
    ]);
  });

  test('has the time of the commit as Unix time', async () => {
    const served = await servedOf({});
    const at = '1970-01-02T00:00:07Z';
    const commit = { id: 'c0ffee', day: aDay('1970-01-02'), at, parents: [], message: '' };
    const revision = { ...served.revision, commit };
    expect(countedState({ ...served, revision })).toMatchObject({
      commit: 'c0ffee',
      committedAt: 86_407,
    });
  });
});

describe('metricsOf', () => {
  const problem = { code: 'X' } as unknown as Problem;
  const nothing = { state: undefined, forecasts: undefined };

  test('contains the day of exhaustion of each declared pool', async () => {
    const state = countedState(await servedOf({}));
    const item = { pool: 'p', zone: 'z', family: 'ipv4', free: '1', points: [] } as const;
    const exhausts = { ...item, outlook: 'exhausts', exhausted: '1970-01-03' } as const;
    const lasts = { ...item, family: 'ipv6', outlook: 'lasts' } as const;
    const forecasts = {
      ...({ apiVersion: 'leasehold.dev/v1', kind: 'Forecasts', day } as const),
      ...{ ref: 'main', commit: 'c0ffee', shallow: false },
      items: [exhausts, lasts, { ...exhausts, pool: 'gone' }],
    };
    expect(metricsOf(stateWith({}), '1', { state, forecasts }).exhaustions).toEqual([
      { pool: 'p', zone: 'z', family: 'ipv4', at: 172_800 },
    ]);
  });

  test('has open branches only when they are counted', () => {
    const skipped = [{ ref: 'refs/pull/1/head', reason: 'it is gone' }];
    const branches = {
      pending: { ...nothingPending, skipped, isComplete: false },
      seenAt: undefined,
      reason: 'no remote',
    };
    expect(metricsOf(stateWith({}), '1', nothing).branches).toBeUndefined();
    expect(metricsOf(stateWith({ branches }), '1', nothing).branches).toEqual({
      ...{ pending: 0, skipped: 1, isIncomplete: true, isStale: true },
    });
  });

  test('is stale, without a time of freshness, before the first state', () => {
    const metrics = metricsOf(stateWith({}), '1', nothing);
    expect(metrics).toMatchObject({ isStale: true, polledAt: 60, freshAt: undefined, problems: 0 });
  });

  test('was last fresh at the first failed poll', async () => {
    const served = await servedOf({});
    const stale = { since: '1970-01-01T00:00:30Z', problems: [problem], reason: undefined };
    const metrics = metricsOf(stateWith({ served, stale }), '1', nothing);
    expect(metrics).toMatchObject({ isStale: true, polledAt: 60, freshAt: 30, problems: 1 });
    const fine = metricsOf(stateWith({ served }), '1', nothing);
    expect(fine).toMatchObject({ isStale: false, polledAt: 60, freshAt: 60, problems: 0 });
  });
});
