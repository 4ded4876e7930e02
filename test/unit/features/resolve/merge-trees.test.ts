import { describe, expect, it } from 'vitest';
import type { Commit, Commits, CommittedTree } from '../../../../src/core/interfaces/commits.ts';
import { allocationPath, printAllocation } from '../../../../src/core/records/allocation-file.ts';
import { MergeTrees } from '../../../../src/features/resolve/merge-trees.ts';
import type { MergeWay } from '../../../../src/features/resolve/merge-ways.ts';
import { aDay, aRecord } from '../../../support/allocations/tables.ts';
import { poolsText } from '../../../support/declarations/pools-text.ts';
import { serviceText } from '../../../support/declarations/service-text.ts';
import { treeOf } from '../../../support/trees/memory-tree.ts';

type Files = Readonly<Record<string, string>>;

function commitOf(id: string): Commit {
  return { id, day: aDay('2026-01-10'), at: '2026-01-10T10:00:00Z', parents: [], message: '' };
}

/** The trees of commits, by their ids, and a working tree without a file. */
function treesOf(trees: Readonly<Record<string, Files>>): MergeTrees {
  const tree = async (id: string): Promise<CommittedTree> => {
    return { ...treeOf(trees[id] ?? {}), idOf: () => undefined };
  };
  const commits: Pick<Commits, 'tree'> = { tree };
  return new MergeTrees(commits as Commits, treeOf({}));
}

function recordAt(address: string, holder = 'default/service/shop/web'): Files {
  const record = { ...aRecord(address), holder };
  return { [allocationPath(record.address)]: printAllocation(record) };
}

const web = {
  'leases/pools.yaml': poolsText(`pools: [{ name: default, zone: inet, addresses: [10.0.0.0/28] }]
`),
  'leases/web.yaml': serviceText('web'),
};

describe('the addresses of a commit', () => {
  const api = { 'leases/api.yaml': serviceText('api') };
  const twice = { ...recordAt('10.0.0.1'), ...recordAt('10.0.0.2') };
  const torn = { [allocationPath(aRecord('10.0.0.1').address)]: 'x: [' };

  it.each<[string, boolean, Files]>([
    ['none has been given', true, web],
    ['each holder has one', true, { ...web, ...recordAt('10.0.0.1') }],
    ['a holder has two', false, { ...web, ...twice }],
    ['a holder has two, and another has none yet', false, { ...web, ...api, ...twice }],
    ['an allocation file cannot be read', false, { ...web, ...torn }],
    ['there is no pool file', true, recordAt('10.0.0.1')],
  ])('are sound if %s: %j', async (_, expected, files) => {
    expect(await treesOf({ head: files }).isSound(commitOf('head'))).toBe(expected);
  });

  it('come from all commits of a merge', async () => {
    const names = ['head', 'kept', 'floor', 'other', 'base'];
    const trees = treesOf(
      Object.fromEntries(names.map((name, index) => [name, recordAt(`10.0.0.${index + 1}`)])),
    );
    const [head, kept, floor, other, base] = names.map(commitOf);
    const way = { keeps: 'ours', kept, floor, other, base } as MergeWay;
    const paths = await trees.writtenPaths(head ?? commitOf('head'), way);
    expect([...paths].sort()).toEqual(
      names.map((_, index) => allocationPath(aRecord(`10.0.0.${index + 1}`).address)),
    );
  });

  it('must be readable on a side that keeps them', async () => {
    const trees = treesOf({ floor: torn });
    const way = { keeps: 'ours', floor: commitOf('floor') } as MergeWay;
    await expect(trees.floorTable(way)).rejects.toThrow(/commit floor, which .* --onto$/);
  });
});
