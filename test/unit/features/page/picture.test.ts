import { describe, expect, test } from 'vitest';
import type { Day } from '../../../../src/core/model/day.ts';
import { pictureOf, picturePast } from '../../../../src/features/page/picture.ts';
import type { HistoryPeriod } from '../../../../src/lib/history/address-history-answer.ts';
import type { WorkspaceSnapshot } from '../../../../src/lib/list/workspace-snapshot.ts';
import {
  aHostname,
  aHostnameRecord,
  aLeaseHostname,
  hostnameTableOf,
} from '../../../support/allocations/hostname-records.ts';
import { aTable, claimWith, holderId, promiseWith } from '../../../support/allocations/tables.ts';
import {
  alice,
  aPool,
  aRange,
  provider,
  thePools,
} from '../../../support/declarations/pools-and-claims.ts';
import { noHostnames } from '../../../support/trees/workspace-snapshot.ts';

function period(year: number, commit: string): HistoryPeriod {
  const at = `${year}-01-02T10:00:00Z`;
  const begun = { event: 'given', at, commit, author: 'Ann', subject: 'Lease' } as const;
  return { state: 'held', holder: `holder-of-${year}`, from: at, begun, changes: [] };
}

const histories = new Map([
  ['203.0.113.1', [period(2024, 'b'), period(2026, 'd')]],
  ['203.0.113.2', [period(2023, 'a'), period(2025, 'c')]],
  ['203.0.113.3', [period(2022, 'e')]],
]);

/** The snapshot of a tree with a pool file only. */
const empty: WorkspaceSnapshot = {
  ...{ pools: thePools(), table: new Map(), claims: new Map(), promises: new Map() },
  ...{ ...noHostnames, problems: [] },
};
const ledger = { poolVersions: [], histories, hostnameHistories: new Map(), shallow: false };

describe('picturePast', () => {
  test('has every period, and each commit once', () => {
    const past = picturePast(ledger);
    expect(past).not.toHaveProperty('left');
    expect(past.addresses.map(({ periods }) => periods.length)).toEqual([2, 2, 1]);
    for (const { periods } of past.addresses) {
      for (const { holder, by } of periods) {
        expect(holder).toBe(`holder-of-${past.commits[by]?.at.slice(0, 4)}`);
      }
    }
  });

  test('omits and counts the oldest periods above the size limit, with their commits', () => {
    const whole = JSON.stringify(picturePast(ledger)).length;
    const past = picturePast(ledger, whole / 2);
    const left = past.left ?? 0;
    const holders = past.addresses.flatMap(({ periods }) => periods.map(({ holder }) => holder));
    expect(left).toBeGreaterThan(0);
    expect(holders.length + left).toBe(5);
    expect(holders).toContain('holder-of-2026');
    expect(holders).not.toContain('holder-of-2022');
    expect(past.commits.length).toBe(holders.length);
    expect(JSON.stringify(past).length).toBeLessThan(whole);
  });

  test('can omit every period', () => {
    expect(picturePast({ ...ledger, shallow: true }, 0)).toEqual({
      shallow: true,
      left: 5,
      commits: [],
      addresses: [],
      hostnames: [],
      pools: [],
      poolFiles: [],
    });
  });

  test('has each state of a pool once, and which of them each day has', () => {
    const [small, large] = [
      aPool({ name: 'small', addresses: ['203.0.113.0/30'] }),
      aPool({ addresses: ['192.0.2.0/24'] }),
    ];
    const poolVersions = ([[small], [large], [large, small], [small]] as const).map((own, at) => ({
      ...{ at: `2026-01-0${at + 1}T10:00:00Z`, pools: thePools({ pools: own }) },
    }));
    const { pools, poolFiles } = picturePast({ ...ledger, poolVersions });
    expect(pools.map(({ families }) => [families[0]?.total, families[0]?.held])).toEqual([
      ['4', '0'],
      ['256', '0'],
    ]);
    expect(poolFiles.map(({ from, pools: own }) => `${from} ${own}`)).toEqual([
      '2026-01-01 0',
      '2026-01-02 1',
      '2026-01-03 1,0',
      '2026-01-04 0',
    ]);
  });

  test('has the histories of hostnames, which share commits and limit with those of addresses', () => {
    const hostnameHistories = new Map([
      ['new.example.com', [period(2026, 'd')]],
      ['old.example.com', [period(2021, 'f')]],
    ]);
    const past = picturePast({ ...ledger, hostnameHistories });
    expect(past.hostnames.map(({ hostname }) => hostname)).toEqual([...hostnameHistories.keys()]);
    expect(past.commits.length).toBe(6);
    const whole = JSON.stringify(past).length;
    const part = picturePast({ ...ledger, hostnameHistories }, whole / 2);
    expect(part.hostnames.map(({ hostname }) => hostname)).toEqual(['new.example.com']);
    const shown = [...part.addresses, ...part.hostnames].flatMap(({ periods }) => periods);
    expect(shown.length + (part.left ?? 0)).toBe(7);
  });
});

test('what is shown first is all of a small picture, and of a large one without claims and hostnames', () => {
  const input = { revision: {}, day: '2026-01-07' as Day };
  const snapshotOf = (count: number): WorkspaceSnapshot => {
    const names = Array.from({ length: count }, (_, at) => `held-${at}`);
    const claims = ['waiting', ...names].map((name) => claimWith({ name }));
    return {
      ...{ ...empty, claims: new Map(claims.map((claim) => [claim.holder, [claim]])) },
      table: aTable(
        ...['promised', ...names].map(
          (name, at) => [`10.0.${at >> 8}.${at & 255}`, { name }] as const,
        ),
      ),
      promises: new Map([[holderId('promised'), promiseWith('promised')]]),
      hostnameTable: hostnameTableOf(aHostnameRecord('shop.example.com')),
    };
  };
  const small = snapshotOf(10);
  expect(pictureOf(small, { ...input, isFirst: true })).toEqual(pictureOf(small, input));
  const whole = pictureOf(snapshotOf(2000), input);
  const holders = whole.holders.filter(({ holder }) => /waiting|promised/.test(holder));
  expect(holders).toHaveLength(2);
  expect(pictureOf(snapshotOf(2000), { ...input, isFirst: true })).toEqual({
    ...{ ...whole, holders, hostnames: [], partial: true },
  });
});

test('the picture has the NAT of a pool', () => {
  const nat = [
    { inside: aRange('192.168.4.16/28'), outside: aRange('203.0.113.16/28') },
    { inside: aRange('192.168.4.32-192.168.4.40'), outside: aRange('203.0.113.9') },
  ];
  const pools = thePools({
    pools: [aPool({ name: 'home', addresses: ['192.168.4.0/24'], nat }), aPool()],
  });
  const { pools: shown } = pictureOf(
    { ...empty, pools },
    { revision: {}, day: '2026-01-07' as Day },
  );
  expect(shown.map((pool) => pool.nat)).toEqual([
    [
      { inside: '192.168.4.16/28', outside: '203.0.113.16/28' },
      { inside: '192.168.4.32-192.168.4.40', outside: '203.0.113.9/32' },
    ],
    undefined,
  ]);
});

test('the picture has each recorded hostname, with the route of a held one and the last day of a kept one', () => {
  const released = ['2026-01-06', '2026-02-05'] as const;
  const lease = aLeaseHostname('ann.example.org', { port: 8080 });
  const snapshot = {
    ...empty,
    hostnames: [aHostname('shop.example.com'), aHostname('blog.example.com'), lease],
    hostnameTable: hostnameTableOf(
      aHostnameRecord('shop.example.com'),
      aHostnameRecord('blog.example.com', { namespace: 'blog', released }),
      { ...aHostnameRecord('ann.example.org'), holder: lease.holder },
    ),
  };
  const { hostnames } = pictureOf(snapshot, { revision: {}, day: '2026-01-07' as Day });
  expect(hostnames).toEqual([
    {
      ...{ hostname: 'ann.example.org', holder: lease.holder, state: 'held', since: '2026-01-02' },
      ...{ service: 'web', port: 8080, file: 'leases/7.yaml:1' },
      lease: `${alice}/7/1/1/${provider}`,
    },
    {
      ...{ hostname: 'blog.example.com', holder: 'default/namespace/blog', state: 'released' },
      ...{ since: '2026-01-02', freeFrom: '2026-02-05' },
    },
    {
      ...{ hostname: 'shop.example.com', holder: 'default/namespace/shop', state: 'held' },
      ...{ since: '2026-01-02', service: 'web', port: 80 },
      file: 'leases/shop/shop.example.com.yaml:1',
    },
  ]);
});

test('the picture has each declared hostname that its holder does not have', () => {
  const lease = aLeaseHostname('ann.example.org', { port: 8080 });
  const snapshot = {
    ...empty,
    hostnames: [
      aHostname('taken.example.com'),
      aHostname('shop.example.com'),
      aHostname('kept.example.com'),
      lease,
    ],
    hostnameTable: hostnameTableOf(
      aHostnameRecord('shop.example.com'),
      aHostnameRecord('taken.example.com', { namespace: 'blog' }),
      aHostnameRecord('kept.example.com', { released: ['2026-01-06', '2026-02-05'] }),
    ),
  };
  const { waitingHostnames } = pictureOf(snapshot, { revision: {}, day: '2026-01-07' as Day });
  const ofShop = (hostname: string) => ({
    ...{ hostname, holder: 'default/namespace/shop', service: 'web', port: 80 },
    file: `leases/shop/${hostname}.yaml:1`,
  });
  expect(waitingHostnames).toEqual([
    {
      ...{ hostname: 'ann.example.org', holder: lease.holder, service: 'web', port: 8080 },
      ...{ lease: `${alice}/7/1/1/${provider}`, file: 'leases/7.yaml:1' },
    },
    ofShop('kept.example.com'),
    ofShop('taken.example.com'),
  ]);
});
