import { describe, expect, test } from 'vitest';
import type { CountedState, Metrics } from '../../../src/model/metrics.ts';
import type { FamilyUsage } from '../../../src/model/pool-usage.ts';
import { metricsText } from '../../../src/report/metrics-text.ts';

const usage = (changes: Partial<FamilyUsage> = {}): FamilyUsage => ({
  family: 'ipv4',
  ranges: ['203.0.113.0/28'],
  total: '16',
  reserved: '1',
  held: 9,
  retained: 1,
  free: '5',
  percent: 66,
  ...changes,
});

const stateWith = (families: readonly FamilyUsage[], name = 'p'): CountedState => ({
  usages: {
    apiVersion: 'leasehold.dev/v1',
    kind: 'PoolUsages',
    day: '2026-01-01',
    items: [{ pool: name, zone: 'z', state: 'draining', families }],
  },
  leases: [{ cluster: 'default', count: 3 }],
  services: [{ cluster: 'default', count: 0 }],
  holders: [{ cluster: 'default', count: 2 }],
  waiting: [{ cluster: 'default', count: 1 }],
  commit: 'c0ffee',
  committedAt: 1_767_225_600,
});

const metricsWith = (changes: Partial<Metrics> = {}): Metrics => ({
  version: '0.1.0',
  source: 'main of origin',
  state: stateWith([usage()]),
  problems: 0,
  isStale: false,
  looks: { all: 7, failed: 2 },
  lookedAt: 1_767_261_600,
  freshAt: 1_767_261_600,
  ...changes,
});

const samples = async (metrics: Metrics): Promise<readonly string[]> =>
  (await metricsText(metrics)).split('\n').filter((line) => line !== '' && !line.startsWith('#'));

describe('metrics', () => {
  test('tell of each pool by family, and of the service', async () => {
    expect(await samples(metricsWith())).toEqual([
      'leasehold_build_info{version="0.1.0"} 1',
      'leasehold_stale 0',
      'leasehold_problems 0',
      'leasehold_looks_total 7',
      'leasehold_failed_looks_total 2',
      'leasehold_last_look_timestamp_seconds 1767261600',
      'leasehold_fresh_timestamp_seconds 1767261600',
      'leasehold_pool_addresses{pool="p",zone="z",family="ipv4"} 16',
      'leasehold_pool_usable_addresses{pool="p",zone="z",family="ipv4"} 15',
      'leasehold_pool_reserved_addresses{pool="p",zone="z",family="ipv4"} 1',
      'leasehold_pool_held_addresses{pool="p",zone="z",family="ipv4"} 9',
      'leasehold_pool_retained_addresses{pool="p",zone="z",family="ipv4"} 1',
      'leasehold_pool_free_addresses{pool="p",zone="z",family="ipv4"} 5',
      'leasehold_pool_exhausted{pool="p",zone="z",family="ipv4"} 0',
      'leasehold_pool_draining{pool="p",zone="z"} 1',
      'leasehold_leases{cluster="default"} 3',
      'leasehold_services{cluster="default"} 0',
      'leasehold_holders{cluster="default"} 2',
      'leasehold_waiting_holders{cluster="default"} 1',
      'leasehold_revision_info{commit="c0ffee",source="main of origin"} 1',
      'leasehold_revision_timestamp_seconds 1767225600',
    ]);
  });

  test('say of a full family that it is exhausted, and of a great one the nearest number', async () => {
    const great = usage({ family: 'ipv6', total: String(2n ** 64n), free: String(2n ** 64n - 1n) });
    const text = await samples(metricsWith({ state: stateWith([usage({ free: '0' }), great]) }));
    expect(text).toContain('leasehold_pool_exhausted{pool="p",zone="z",family="ipv4"} 1');
    expect(text).toContain('leasehold_pool_exhausted{pool="p",zone="z",family="ipv6"} 0');
    const free = text.find(
      (line) => line.startsWith('leasehold_pool_free_addresses{') && line.includes('ipv6'),
    );
    expect(Number(free?.split(' ')[1])).toBe(2 ** 64);
  });

  test('have no count and no time of what was never seen', async () => {
    const nothing = { state: undefined, isStale: true, lookedAt: undefined, freshAt: undefined };
    expect(await samples(metricsWith({ ...nothing, looks: { all: 0, failed: 0 } }))).toEqual([
      'leasehold_build_info{version="0.1.0"} 1',
      'leasehold_stale 1',
      'leasehold_problems 0',
      'leasehold_looks_total 0',
      'leasehold_failed_looks_total 0',
    ]);
  });

  test('keep a name on one line, whatever it holds', async () => {
    const text = await metricsText(metricsWith({ source: 'a"b\nleasehold_stale 9\\' }));
    expect(text).toContain(String.raw`source="a\"b\nleasehold_stale 9\\"} 1`);
    expect(text.endsWith('\n')).toBe(true);
  });
});
