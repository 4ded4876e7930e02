import { describe, expect, test } from 'vitest';
import { allocate } from '../../../../src/core/allocate/allocate.ts';
import type { Claim } from '../../../../src/core/model/claim.ts';
import type { PendingAddress } from '../../../../src/lib/forecast/branch-adds.ts';
import {
  type CapacityQuery,
  capacityOf,
  nothingPending,
} from '../../../../src/lib/forecast/capacity.ts';
import type { Capacity } from '../../../../src/lib/forecast/capacity-answer.ts';
import type { WorkspaceSnapshot } from '../../../../src/lib/list/workspace-snapshot.ts';
import {
  aDay,
  aTable,
  type ClaimWords,
  claimWith,
  holderId,
  poolsWith,
  poolWith,
  theHolders,
} from '../../../support/allocations/tables.ts';
import { alice, anAddress, bob } from '../../../support/declarations/pools-and-claims.ts';
import { noHostnames } from '../../../support/trees/workspace-snapshot.ts';

const day = aDay('2026-03-10');
const kept = ['2026-03-01', '2026-03-11'] as const;
const over = ['2026-03-01', '2026-03-10'] as const;

const dual = poolWith({
  addresses: ['203.0.113.0/29', '2001:db8::/126'],
  reserved: ['203.0.113.0'],
});
const more = poolWith({ name: 'more', addresses: ['198.51.100.0/30'] });
const going = poolWith({
  name: 'going',
  addresses: ['192.0.2.0/28', '2001:db8:1::/126'],
  state: 'draining',
});
const edge = {
  ...poolWith({ name: 'edge', zone: 'edge', addresses: ['192.0.2.64/30'] }),
  clusters: ['west'],
};

/** Alice has two of the first pool, one of them kept; a third is free again. */
const table = aTable(
  ['203.0.113.1', { name: `${alice}-ip-web` }],
  ['203.0.113.2', { name: `${alice}-ip-old`, released: kept }],
  ['203.0.113.3', { name: `${alice}-ip-older`, released: over }],
);

function snapshotWith(claims: readonly ClaimWords[] = [], quota?: number): WorkspaceSnapshot {
  const pools = poolsWith(dual, more, going, edge);
  const byHolder = new Map(claims.map((words) => [holderId(words.name ?? ''), [claimWith(words)]]));
  return {
    pools: { ...pools, quotas: { default: quota, owners: new Map() } },
    table,
    claims: byHolder,
    promises: new Map(),
    ...noHostnames,
    problems: [],
  };
}

/** An open branch for each list of `address holder`; `-` for a record that cannot be read. */
function branches(...lists: readonly (readonly string[])[]): typeof nothingPending {
  const refs = lists.map((adds, index) => ({
    ref: `refs/pull/${index}/head`,
    commit: 'a',
    day: '2026-03-09',
    adds: adds.map((words): PendingAddress => {
      const [address = '', name = '', moved] = words.split(' ');
      const holder = name === '-' ? undefined : holderId(name);
      return { address: anAddress(address), holder, moved: moved !== undefined };
    }),
  }));
  return { ...nothingPending, refs };
}

/** Each row as `zone family free-pending=promisable`. */
function rows({ items }: Capacity): readonly string[] {
  return items.map(
    ({ zone, family, free, pending, promisable }) =>
      `${zone} ${family} ${free}-${pending}=${promisable}`,
  );
}

function counted(
  pending = nothingPending,
  question: Partial<CapacityQuery> = {},
  snapshot = snapshotWith(),
): readonly string[] {
  return rows(capacityOf(snapshot, { day, ...question }, pending));
}

describe('capacityOf', () => {
  test('counts free addresses of active pools by zone, and pairs within one pool', () => {
    expect(counted()).toEqual(['inet ipv4 9-0=9', 'inet ipv6 4-0=4', 'inet dual 4-0=4']);
  });

  test('counts only the requested zones and families, including empty ones', () => {
    expect(counted(nothingPending, { family: 'ipv6' })).toEqual(['inet ipv6 4-0=4']);
    expect(counted(nothingPending, { zones: ['edge'] })).toEqual(['edge ipv4 0-0=0']);
    expect(counted(nothingPending, { zones: ['edge'], family: 'dual' })).toEqual([
      'edge dual 0-0=0',
    ]);
  });

  test('subtracts open branches: an address of two holders twice, a holder in two branches once', () => {
    const two = branches(
      ['203.0.113.4 ann', '2001:db8::1 ann'],
      ['203.0.113.4 bob', '203.0.113.3 cat', '203.0.113.5 ann'],
    );
    expect(counted(two)).toEqual(['inet ipv4 9-3=6', 'inet ipv6 4-1=3', 'inet dual 4-2=2']);
    const { pending } = capacityOf(snapshotWith(), { day }, two);
    expect(pending.map(({ ref, addresses }) => [ref, addresses])).toEqual([
      ['refs/pull/0/head', ['203.0.113.4', '2001:db8::1']],
      ['refs/pull/1/head', ['203.0.113.3', '203.0.113.4']],
    ]);
  });

  test('subtracts an address when another holder got that of the branch meanwhile', () => {
    expect(counted(branches(['203.0.113.1 bob'], ['203.0.113.2 bob']))[0]).toBe('inet ipv4 9-1=8');
  });

  test.each([
    ['the address itself', '203.0.113.1'],
    ['another one', '203.0.113.5'],
  ])('does not subtract an address when the holder already has %s', (_, address) => {
    expect(counted(branches([`${address} ${alice}-ip-web`]))[0]).toBe('inet ipv4 9-0=9');
  });

  test('does not subtract an address retained for the holder, but subtracts the target of a move', () => {
    expect(counted(branches([`203.0.113.2 ${alice}-ip-old`]))[0]).toBe('inet ipv4 9-0=9');
    expect(counted(branches([`203.0.113.5 ${alice}-ip-web moved`]))[0]).toBe('inet ipv4 9-1=8');
  });

  test('subtracts from another pool of the zone when the pool of the branch is draining or full', () => {
    expect(counted(branches(['192.0.2.1 bob']))[0]).toBe('inet ipv4 9-1=8');
    expect(counted(branches(['2001:db8:1::1 bob']))[1]).toBe('inet ipv6 4-1=3');
    const five = ['198.51.100.0 a', '198.51.100.1 b', '198.51.100.2 c', '198.51.100.3 d'];
    expect(counted(branches([...five, '198.51.100.3 e']))[0]).toBe('inet ipv4 9-5=4');
  });

  test('ignores an address that no pool contains', () => {
    expect(counted(branches(['10.0.0.1 cat']))[0]).toBe('inet ipv4 9-0=9');
  });

  test('subtracts the address of an unreadable record unless it is taken', () => {
    const broken = branches(
      ['203.0.113.4 -', '203.0.113.5 -', '203.0.113.1 -'],
      ['203.0.113.4 ann'],
    );
    const capacity = capacityOf(snapshotWith(), { day }, broken);
    expect(rows(capacity)[0]).toBe('inet ipv4 9-3=6');
    expect(capacity.pending[0]?.addresses).toEqual(['203.0.113.4', '203.0.113.5']);
  });

  test('names the counted revision, and is incomplete when the branches are', () => {
    const state = { commit: 'a1', isUncommitted: false };
    expect(capacityOf(snapshotWith(), { day, state }, nothingPending)).toMatchObject({
      commit: 'a1',
      uncommitted: false,
      complete: true,
      leftOut: 0,
    });
    const some = { ...nothingPending, isComplete: false, leftOut: 7 };
    const found = capacityOf(snapshotWith(), { day }, some);
    expect(found).toMatchObject({ uncommitted: true, complete: false, leftOut: 7 });
    expect(found).not.toHaveProperty('commit');
  });

  test('subtracts waiting holders, and those that a branch serves only once', () => {
    const snapshot = snapshotWith([{ name: 'ann', ipFamily: 'dual' }, { name: `${alice}-ip-web` }]);
    const capacity = capacityOf(snapshot, { day }, nothingPending);
    expect(rows(capacity)).toEqual(['inet ipv4 9-1=8', 'inet ipv6 4-1=3', 'inet dual 4-1=3']);
    expect(capacity.waiting).toEqual([holderId('ann')]);
    const given = capacityOf(snapshot, { day }, branches(['203.0.113.4 ann', '2001:db8::1 ann']));
    expect([rows(given)[0], given.waiting]).toEqual(['inet ipv4 9-1=8', []]);
  });

  test('is exact with 1,500 waiting holders and 50 pools', { tags: 'slow' }, () => {
    const many = Array.from({ length: 50 }, (_, index) =>
      poolWith({ name: `p${index}`, addresses: [`10.0.${index}.0/26`, `2001:db8:${index}::/122`] }),
    );
    const claims = Array.from({ length: 1500 }, (_, index) => {
      const pool = index % 7 === 0 ? `p${index % 50}` : undefined;
      return claimWith({ name: `h${index}`, ipFamily: index % 3 === 0 ? 'ipv4' : 'dual', pool });
    });
    const snapshot = {
      pools: poolsWith(...many),
      table: aTable(),
      claims: new Map(claims.map((claim) => [claim.holder, [claim]])),
      promises: new Map(),
      ...noHostnames,
      problems: [],
    };
    expect(counted(nothingPending, {}, snapshot)).toEqual([
      'inet ipv4 3200-1500=1700',
      'inet ipv6 3200-1000=2200',
      'inet dual 3200-1500=1700',
    ]);
  });

  test('equals what the allocator can assign when holders wait in clusters with different pools', {
    tags: 'slow',
  }, () => {
    const pool = (name: string, addresses: readonly string[]) => poolWith({ name, addresses });
    const base = poolsWith(
      pool('shared', ['10.0.0.0-10.0.1.143', '2001:db8::/120']),
      { ...pool('eastern', ['10.1.0.0-10.1.1.143', '2001:db8:1::/119']), clusters: ['east'] },
      { ...pool('western', ['10.2.0.0/25', '2001:db8:2::/121']), clusters: ['west'] },
    );
    const [cluster] = base.clusters;
    const clusters = ['east', 'west'].flatMap((name) => (cluster ? [{ ...cluster, name }] : []));
    const pools = { ...base, clusters, defaultCluster: 'east' };
    const some = (cluster: string, ipFamily: Claim['ipFamily'], count: number, name = 'waits') =>
      Array.from({ length: count }, (_, index) => ({
        ...claimWith({ name: `${name}-${cluster}-${ipFamily}-${index}`, ipFamily }),
        cluster,
      }));
    const western = [...some('west', 'ipv4', 150), ...some('west', 'dual', 120)];
    const claims = [...western, ...some('east', 'dual', 250), ...some('east', 'ipv4', 100)];
    const snapshot = {
      pools,
      table: aTable(),
      claims: new Map(claims.map((claim) => [claim.holder, [claim]])),
      promises: new Map(),
      ...noHostnames,
      problems: [],
    };
    const { items } = capacityOf(snapshot, { day }, nothingPending);
    expect(items.map(({ promisable }) => promisable)).not.toContain('0');
    for (const { cluster, family, promisable } of items) {
      const canHave = (count: number) => {
        const comers = some(cluster, family, count, 'comes');
        return allocate(pools, theHolders(pools, ...claims, ...comers), aTable(), { today: day })
          .ok;
      };
      const most = Number(promisable);
      const row = [cluster, family, most];
      expect([...row, canHave(most), canHave(most + 1)]).toEqual([...row, true, false]);
    }
    expect(items).toHaveLength(6);
  });

  test('is never negative', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const snapshot = snapshotWith(names.map((name) => ({ name, ipFamily: 'ipv6' })));
    expect(counted(nothingPending, {}, snapshot)[1]).toBe('inet ipv6 4-4=0');
  });

  test('is limited by the quota without held, retained and pending addresses', () => {
    const snapshot = snapshotWith([], 5);
    const pending = branches([`203.0.113.4 ${alice}-ip-new`], [`203.0.113.5 ${bob}-ip-new`]);
    const capacity = capacityOf(snapshot, { day, owner: alice }, pending);
    expect(capacity).toMatchObject({ owner: alice, quota: '5', left: '2' });
    expect(rows(capacity)).toEqual(['inet ipv4 9-2=2', 'inet ipv6 4-0=2', 'inet dual 4-1=1']);
    expect(capacityOf(snapshotWith(), { day, owner: alice }, pending)).not.toHaveProperty('quota');
  });

  test('leaves a waiting holder the pool of its retained address when its quota allows no other', () => {
    const wide = poolWith({ name: 'wide', addresses: ['10.1.0.0/31', 'fd00:1::/127'] });
    const own = {
      ...poolWith({ addresses: ['10.0.0.0/31', 'fd00::/127'] }),
      clusters: ['default'],
    };
    const pools = poolsWith(own, wide);
    const clusters = ['default', 'west'].flatMap((name) =>
      pools.clusters.map((cluster) => ({ ...cluster, name })),
    );
    const name = `${alice}-ip-web`;
    const snapshot = {
      ...snapshotWith([{ name, ipFamily: 'dual' }]),
      table: aTable(['fd00:1::1', { pool: 'wide', name, released: kept }]),
    };
    const promisable = (quota: number) => {
      const quotas = { default: quota, owners: new Map() };
      const query = { day, cluster: 'west', family: 'ipv4' } as const;
      const limited = { ...snapshot, pools: { ...pools, clusters, quotas } };
      return capacityOf(limited, query, nothingPending).items[0]?.promisable;
    };
    expect([promisable(2), promisable(3)]).toEqual(['1', '2']);
  });
});
