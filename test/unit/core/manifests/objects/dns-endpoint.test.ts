import { describe, expect, test } from 'vitest';
import type { DeclaredDnsName } from '../../../../../src/core/model/lease.ts';
import type { Pools } from '../../../../../src/core/model/pools.ts';
import { startOf } from '../../../../../src/core/model/problem.ts';
import { thePools } from '../../../../support/declarations/pools-and-claims.ts';
import { aService, aServicePlacement } from '../../../../support/declarations/services.ts';
import { ofKind, type Rendered, rendered } from '../../../../support/manifests/rendered.ts';

const pools: Pools = {
  ...thePools(),
  emit: { ...thePools().emit, dnsEndpoints: true },
  dns: { ttl: 60, allowed: undefined, blocked: [] },
};

function named(...names: readonly string[]): readonly DeclaredDnsName[] {
  return names.map((name) => ({ name, at: startOf('leases/web.yaml') }));
}

function dnsEndpoints(...args: Parameters<typeof rendered>): readonly Rendered[] {
  return ofKind(rendered(...args), 'DNSEndpoint');
}

describe('a DNSEndpoint', () => {
  test('has a record for each name and family of a Service', () => {
    const service = aService({
      ipFamily: 'dual',
      familyOrder: ['ipv6', 'ipv4'],
      dns: named('web.example.com', '*.web.example.com'),
    });
    const placement = aServicePlacement([service], ['203.0.113.7', '2001:db8::7']);

    const [found, ...others] = dnsEndpoints(pools, [placement]);

    expect(others).toEqual([]);
    expect(found).toMatchObject({
      apiVersion: 'externaldns.k8s.io/v1alpha1',
      metadata: {
        name: 'web-dns',
        namespace: 'shop',
        annotations: { 'argocd.argoproj.io/sync-wave': '2' },
      },
      spec: {
        endpoints: [
          record('web.example.com', 'A', '203.0.113.7'),
          record('web.example.com', 'AAAA', '2001:db8::7'),
          record('*.web.example.com', 'A', '203.0.113.7'),
          record('*.web.example.com', 'AAAA', '2001:db8::7'),
        ],
      },
    });
  });
});

function record(dnsName: string, recordType: string, target: string): object {
  return { dnsName, recordType, recordTTL: 60, targets: [target] };
}
