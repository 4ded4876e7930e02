import { describe, expect, test } from 'vitest';
import { readKnown } from '../../../../src/app/ask/known.ts';
import { countedState } from '../../../../src/app/serve/counted-state.ts';
import { metricsOf } from '../../../../src/app/serve/metrics-routes.ts';
import type { Served, Standing } from '../../../../src/app/serve/served.ts';
import { committedHistory } from '../../../../src/app/workspace/committed-history.ts';
import { openForReading } from '../../../../src/io/disk/disk-tree.ts';
import type { Problem } from '../../../../src/model/problem.ts';
import { aDay } from '../../../support/allocation-builders.ts';
import { tempTree } from '../../../support/temp-tree.ts';

const day = aDay('2026-01-02');
const pools = `apiVersion: leasehold.dev/v1
kind: Pools
clusters: [{ name: west }, { name: east }]
defaultCluster: west
pools:
  - { name: p, zone: z, addresses: [203.0.113.0/28], advertise: { l2: {} } }
`;
async function servedOf(files: Readonly<Record<string, string>>): Promise<Served> {
  const root = tempTree({ 'leases/pools.yaml': pools, ...files });
  const tree = openForReading(root);
  const known = await readKnown(tree, committedHistory(tree));
  if (!known.ok) throw new Error(JSON.stringify(known.problems));
  const revision = { commit: undefined, isUncommitted: false, seenAt: '2026-01-02T00:00:00Z' };
  return { known: known.value, day, revision } as unknown as Served;
}

const standing = (changes: Partial<Standing>): Standing => ({
  source: 'x',
  served: undefined,
  stale: undefined,
  branches: undefined,
  lookedAt: '1970-01-01T00:01:00Z',
  day,
  looks: { all: 1, failed: 0 },
  ...changes,
});

describe('what is counted', () => {
  test('is there for every declared cluster, in the order of their names', async () => {
    const state = countedState(await servedOf({}));
    const none = [
      { cluster: 'east', count: 0 },
      { cluster: 'west', count: 0 },
    ];
    expect(state).toMatchObject({ leases: none, services: none, holders: none, waiting: none });
    expect([state.commit, state.committedAt]).toEqual([undefined, undefined]);
  });

  test('takes the seconds of the day of the commit', async () => {
    const served = await servedOf({});
    const commit = { id: 'c0ffee', day: aDay('1970-01-02'), parents: [], message: '' };
    const revision = { ...served.revision, commit };
    expect(countedState({ ...served, revision })).toMatchObject({
      commit: 'c0ffee',
      committedAt: 86_400,
    });
  });
});

describe('what is measured', () => {
  const problem = { code: 'X' } as unknown as Problem;

  test('is stale, and nowhere fresh, before there is a state', () => {
    const metrics = metricsOf(standing({}), '1', undefined);
    expect(metrics).toMatchObject({ isStale: true, lookedAt: 60, freshAt: undefined, problems: 0 });
  });

  test('is fresh until the first of the looks that failed', async () => {
    const served = await servedOf({});
    const stale = { since: '1970-01-01T00:00:30Z', problems: [problem], reason: undefined };
    const metrics = metricsOf(standing({ served, stale }), '1', undefined);
    expect(metrics).toMatchObject({ isStale: true, lookedAt: 60, freshAt: 30, problems: 1 });
    const fine = metricsOf(standing({ served }), '1', undefined);
    expect(fine).toMatchObject({ isStale: false, lookedAt: 60, freshAt: 60, problems: 0 });
  });
});
