// @module-tag counted

import { describe, expect, test } from 'vitest';
import { allocate } from '../../../../src/core/allocate/allocate.ts';
import { PoolIndex } from '../../../../src/core/declarations/pools/pool-index.ts';
import type { AllocationTable } from '../../../../src/core/model/allocation.ts';
import type { Claim } from '../../../../src/core/model/claim.ts';
import type { Pools } from '../../../../src/core/model/pools.ts';
import { formatAddress } from '../../../../src/core/net/address.ts';
import { plainBgp } from '../../../../src/features/import/metallb/metallb-advertisement.ts';
import {
  aDay,
  aRecord,
  aTable,
  type ClaimWords,
  claimWith,
  poolsWith,
  poolWith,
  type RecordWords,
  theHolders,
} from '../../../support/allocations/tables.ts';
import { aRange, thePools } from '../../../support/declarations/pools-and-claims.ts';
import { sample } from '../../../support/run/scope.ts';

const [only] = thePools().clusters;
const east = { ...only!, name: 'east' };
const west = { ...only!, name: 'west', defaultZone: 'lab' };
const shared = poolWith({ name: 'shared', addresses: ['203.0.113.0/28', 'fd00:1::/124'] });
const own = { ...poolWith({ name: 'own', addresses: ['198.51.100.0/28'] }), clusters: ['east'] };
const lab = poolWith({ name: 'lab', zone: 'lab', addresses: ['192.0.2.0/28'] });

function poolsOf(...pools: Pools['pools']): Pools {
  return { ...poolsWith(...pools), clusters: [east, west], defaultCluster: 'east' };
}

/** A claim in a cluster; those of one group share an address over clusters. */
function inCluster(cluster: string, words: ClaimWords, group?: string): Claim {
  const claim = claimWith(words);
  const holder = group === undefined ? `${cluster}/akash/${words.name}` : `anycast/${group}`;
  return { ...claim, cluster, holder };
}

/** The record of 203.0.113.7 from the pool `shared`. */
function tableOf(holder: string, words: RecordWords = {}): AllocationTable {
  const record = aRecord('203.0.113.7', { pool: 'shared', ...words });
  return new Map([['203.0.113.7', { ...record, holder }]]);
}

function run(pools: Pools, claims: readonly Claim[], table: AllocationTable = aTable()) {
  const outcome = allocate(pools, theHolders(pools, ...claims), table, {
    today: aDay('2026-03-10'),
  });
  if (!outcome.ok) return outcome.problems.map(({ code, message }) => `${code} ${message}`);
  return outcome.value.changes.map(
    ({ kind, holder, pool, address }) => `${kind} ${holder} ${pool} ${formatAddress(address)}`,
  );
}

describe('a pool of some clusters', () => {
  test('gives only to their claims', () => {
    const claims = [
      inCluster('west', { name: 'wim', zone: 'inet' }),
      inCluster('east', { name: 'eva' }),
    ];
    expect(run(poolsOf(own, shared), claims)).toEqual([
      expect.stringMatching(/^allocated east\/akash\/eva own 198\.51\.100\.\d+$/),
      expect.stringMatching(/^allocated west\/akash\/wim shared 203\.0\.113\.\d+$/),
    ]);
  });

  test('is POOL_CLOSED for a claim of another cluster that names it', () => {
    const claims = [inCluster('west', { name: 'wim', pool: 'own' })];
    expect(run(poolsOf(own, shared), claims)).toEqual([
      'POOL_CLOSED web 80/TCP wants an IPv4 address, and pool own is not announced in cluster west',
    ]);
  });

  test('strands its addresses when it leaves the cluster', () => {
    const table = tableOf('west/akash/wim');
    const claims = [inCluster('west', { name: 'wim', zone: 'inet' })];
    expect(run(poolsOf(shared), claims, table)).toEqual([]);
    expect(run(poolsOf({ ...shared, clusters: ['east'] }), claims, table)).toEqual([
      'ADDRESS_STRANDED 203.0.113.7 is held by west/akash/wim (web 80/TCP), but pool shared is not announced in cluster west',
    ]);
  });

  test('refuses a pin from another cluster', () => {
    const claims = [inCluster('west', { name: 'wim', pin: '198.51.100.3' })];
    expect(run(poolsOf(own, shared), claims)).toEqual([
      'PIN_OUTSIDE 198.51.100.3 is pinned, and pool own is not announced in cluster west',
    ]);
  });
});

describe('claims that may not all have the same pools', () => {
  test('are all met, and no pool gives more than it has', () => {
    const small = poolWith({ name: 'small', addresses: ['203.0.113.1/32'] });
    const large = poolWith({ name: 'large', addresses: ['198.51.100.0/31'] });
    const empty = poolWith({ name: 'empty', addresses: ['192.0.2.1/32'], reserved: ['192.0.2.1'] });
    const open = poolsOf(
      { ...small, clusters: ['north', 'west'] },
      { ...large, clusters: ['east', 'north'] },
      { ...empty, clusters: ['east', 'west'] },
    );
    const pools = { ...open, clusters: [east, { ...east, name: 'north' }, west] };
    const claims = ['east', 'north', 'west'].map((cluster) =>
      inCluster(cluster, { name: 'ann', zone: 'inet' }),
    );
    expect([...run(pools, claims)].sort()).toEqual([
      expect.stringMatching(/^allocated east\/akash\/ann large /),
      expect.stringMatching(/^allocated north\/akash\/ann large /),
      'allocated west/akash/ann small 203.0.113.1',
    ]);
  });

  test('return to the pool where one of their two addresses is retained', () => {
    const first = { ...own, ranges: [...own.ranges, aRange('fd00:2::/124')] };
    const last = { ...lab, zone: 'inet', clusters: ['west'] };
    const claims = [
      inCluster('east', { name: 'eva', ipFamily: 'dual' }),
      inCluster('west', { name: 'wim', zone: 'inet' }),
    ];
    const table = tableOf('east/akash/eva', { released: ['2026-03-01', '2026-04-01'] });
    expect([...run(poolsOf(first, shared, last), claims, table)].sort()).toEqual([
      expect.stringMatching(/^allocated east\/akash\/eva shared fd00:1::/),
      expect.stringMatching(/^allocated west\/akash\/wim /),
      'reclaimed east/akash/eva shared 203.0.113.7',
    ]);
  });
});

describe('many holders of clusters with different pools', () => {
  /** Two pools of both clusters and one of the east, which together have as many pairs as there are holders. */
  function exactPools(holders: number): Pools {
    const size = holders / 3;
    const last = size - 1;
    const range = (place: number) => [
      `10.${place}.0.0-10.${place}.${last >> 8}.${last & 255}`,
      `fd00:${place}::-fd00:${place}::${last.toString(16)}`,
    ];
    const eastern = poolWith({ name: 'eastern', addresses: range(3) });
    return poolsOf(
      poolWith({ name: 'one', addresses: range(1) }),
      poolWith({ name: 'two', addresses: range(2) }),
      { ...eastern, clusters: ['east'] },
    );
  }

  const dual = (cluster: string, count: number) =>
    Array.from({ length: count }, (_, index) =>
      inCluster(cluster, { name: `s${index}`, zone: 'inet', ipFamily: 'dual' }),
    );

  test.each(sample([1_050, 6_000], 2))(
    'are all met where %i of each can be, and there is no room for one more',
    (count) => {
      const pools = exactPools(2 * count);
      const east = dual('east', count);
      const changes = run(pools, [...east, ...dual('west', count)]);
      expect(changes).toHaveLength(4 * count);
      expect(changes.filter((change) => /west.* eastern /.test(change))).toEqual([]);
      expect(run(pools, [...east, ...dual('west', count + 1)])).toEqual([
        expect.stringMatching(/no pool has both left \(1 holder short\): pool one has \d+ of/),
      ]);
    },
  );
});

describe('the default zone', () => {
  const zoneOf = (pools: Pools, ...claims: readonly Claim[]) =>
    theHolders(pools, ...claims).map((holder) => new PoolIndex(pools).zoneOf(holder));

  test("is the cluster's own, or else the pool file's", () => {
    const pools = poolsOf(shared, lab);
    const claims = [inCluster('east', { name: 'eva' }), inCluster('west', { name: 'wim' })];
    expect(zoneOf(pools, ...claims)).toEqual(['inet', 'lab']);
  });

  test("of a group over clusters that disagree is the pool file's", () => {
    const claims = [
      inCluster('east', { name: 'eva' }, 'dns'),
      inCluster('west', { name: 'wim' }, 'dns'),
    ];
    expect(zoneOf(poolsOf(shared, lab), ...claims)).toEqual(['inet']);
  });

  test('without a pool of the cluster is reported', () => {
    const claims = [inCluster('west', { name: 'wim' })];
    expect(run(poolsOf(shared), claims)).toEqual([
      'POOL_CLOSED web 80/TCP wants an IPv4 address, and cluster west has no pool in zone lab',
    ]);
  });
});

describe('an anycast address', () => {
  const everywhere = { ...shared, advertise: [{ ...plainBgp, name: 'shared' }] };
  const members = [
    inCluster('east', { name: 'eva', zone: 'inet' }, 'dns'),
    inCluster('west', { name: 'wim' }, 'dns'),
  ];

  test('is the same in all clusters, whatever their ports', () => {
    expect(run(poolsOf(everywhere), members)).toEqual([
      expect.stringMatching(/^allocated anycast\/dns shared /),
    ]);
  });

  test('never comes from a pool that L2 announces', () => {
    expect(run(poolsOf(shared), members)).toEqual([
      'ANYCAST_NOT_BGP web 80/TCP wants an IPv4 address, and pool shared is announced by L2, and an address of it cannot be in clusters east, west',
    ]);
  });

  test('comes from a pool that all of its clusters announce', () => {
    const closed = { ...everywhere, clusters: ['east'] };
    expect(run(poolsOf(closed, lab), members)).toEqual([
      expect.stringMatching(/^POOL_CLOSED .*pool shared is not announced in cluster west$/),
    ]);
  });

  test('is stranded when a second cluster joins and L2 announces it', () => {
    const table = tableOf('anycast/dns');
    expect(run(poolsOf(shared), members.slice(0, 1), table)).toEqual([]);
    expect(run(poolsOf(shared), members, table)).toEqual([
      expect.stringMatching(/^ADDRESS_STRANDED .*pool shared is announced by L2/),
    ]);
  });

  test('has two claims on one port only in two clusters', () => {
    const twice = [...members, inCluster('west', { name: 'zoe' }, 'dns')];
    expect(() => theHolders(poolsOf(everywhere), ...twice)).toThrow(/port 80\/TCP/);
  });
});
