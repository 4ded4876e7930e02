import { describe, expect, test } from 'vitest';
import type { Metrics } from '../../../../src/features/serve/metrics.ts';
import { metricsText } from '../../../../src/features/serve/metrics-text.ts';
import {
  countedStateOf,
  familyUsage,
  metricsOfService,
  poolUsagesOf,
  zoneCapacity,
} from '../../../support/serve/metrics.ts';

const samples = async (metrics: Metrics): Promise<readonly string[]> =>
  (await metricsText(metrics)).split('\n').filter((line) => line !== '' && !line.startsWith('#'));

describe('metricsText', () => {
  test('has samples for each pool and family, and for the service', async () => {
    expect(await samples(metricsOfService())).toEqual([
      'leasehold_build_info{version="0.1.0"} 1',
      'leasehold_stale 0',
      'leasehold_problems 0',
      'leasehold_polls_total 7',
      'leasehold_failed_polls_total 2',
      'leasehold_last_poll_timestamp_seconds 1767261600',
      'leasehold_fresh_timestamp_seconds 1767261600',
      'leasehold_pending_branches 2',
      'leasehold_skipped_branches 1',
      'leasehold_branches_incomplete 1',
      'leasehold_branches_stale 0',
      'leasehold_pool_addresses{pool="edge",zone="inet",family="ipv4"} 16',
      'leasehold_pool_usable_addresses{pool="edge",zone="inet",family="ipv4"} 15',
      'leasehold_pool_reserved_addresses{pool="edge",zone="inet",family="ipv4"} 1',
      'leasehold_pool_held_addresses{pool="edge",zone="inet",family="ipv4"} 9',
      'leasehold_pool_retained_addresses{pool="edge",zone="inet",family="ipv4"} 1',
      'leasehold_pool_free_addresses{pool="edge",zone="inet",family="ipv4"} 5',
      'leasehold_pool_draining_addresses{pool="edge",zone="inet",family="ipv4"} 0',
      'leasehold_pool_exhausted{pool="edge",zone="inet",family="ipv4"} 0',
      'leasehold_pool_draining{pool="edge",zone="inet"} 0',
      'leasehold_promisable_addresses{cluster="default",zone="inet",family="ipv4"} 4',
      'leasehold_pending_addresses{cluster="default",zone="inet",family="ipv4"} 1',
      'leasehold_leases{cluster="default"} 3',
      'leasehold_services{cluster="default"} 0',
      'leasehold_holders{cluster="default"} 2',
      'leasehold_waiting_holders{cluster="default"} 1',
      'leasehold_promises{cluster="default"} 2',
      'leasehold_promises_over{cluster="default"} 1',
      'leasehold_revision_info{commit="c0ffee",source="main of origin"} 1',
      'leasehold_revision_timestamp_seconds 1767225600',
      'leasehold_pool_exhaustion_timestamp_seconds{pool="edge",zone="inet",family="ipv4"} 1767830400',
    ]);
  });

  test('marks a full family as exhausted, and rounds large counts', async () => {
    const free = String(2n ** 64n - 1n);
    const great = familyUsage({ family: 'ipv6', total: String(2n ** 64n), free });
    const state = countedStateOf({
      usages: poolUsagesOf([familyUsage({ free: '0' }), great]),
      capacity: [zoneCapacity({ family: 'ipv6', promisable: free })],
    });
    const text = await samples(metricsOfService({ state }));
    expect(text).toContain('leasehold_pool_exhausted{pool="edge",zone="inet",family="ipv4"} 1');
    expect(text).toContain('leasehold_pool_exhausted{pool="edge",zone="inet",family="ipv6"} 0');
    for (const name of ['leasehold_pool_free_addresses', 'leasehold_promisable_addresses']) {
      const line = text.find((one) => one.startsWith(`${name}{`) && one.includes('ipv6'));
      expect(Number(line?.split(' ')[1])).toBe(2 ** 64);
    }
  });

  test('omits counts and times that are not known', async () => {
    const nothing = {
      ...{ state: undefined, branches: undefined, exhaustions: [] },
      ...{ isStale: true, polledAt: undefined, freshAt: undefined },
    };
    expect(await samples(metricsOfService({ ...nothing, polls: { all: 0, failed: 0 } }))).toEqual([
      'leasehold_build_info{version="0.1.0"} 1',
      'leasehold_stale 1',
      'leasehold_problems 0',
      'leasehold_polls_total 0',
      'leasehold_failed_polls_total 0',
    ]);
  });

  test('escapes line breaks in labels', async () => {
    const text = await metricsText(metricsOfService({ source: 'a"b\nleasehold_stale 9\\' }));
    expect(text).toContain(String.raw`source="a\"b\nleasehold_stale 9\\"} 1`);
    expect(text.endsWith('\n')).toBe(true);
  });
});
