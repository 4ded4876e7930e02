import { describe, expect, it } from 'vitest';
import type { Applied } from '../../../support/live/applied-objects.ts';
import { goldenCase, verificationOf } from '../../../support/live/verification.ts';

type Service = Applied['service'][number];

function service(name: string, addresses: readonly string[], more: object = {}): Service {
  return {
    metadata: { name, namespace: 'shop', ...more },
    spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
    status: { loadBalancer: { ingress: addresses.map((ip) => ({ ip })) } },
  };
}

/** The open pool `public` of the golden workspace, after a change of what is live. */
async function openPools(change: (objects: Applied) => void = () => {}) {
  const { ok, openPools } = await verificationOf(goldenCase('layout-pool-open'), change);
  return { ok, openPools };
}

describe('verifyCluster, for pools with an open fence,', () => {
  it('reports open pools that can be closed, and no closed ones', async () => {
    expect(await openPools()).toEqual({
      ok: true,
      openPools: [{ pool: 'public', services: [] }],
    });
    const { openPools: none } = await verificationOf(goldenCase('service-plain-layout-pool'));
    expect(none).toEqual([]);
  });

  it('ignores Services of another class', async () => {
    const found = await openPools(({ service: services }) => {
      const other = service('other', ['203.0.113.3']);
      services.push({ ...other, spec: { ...other.spec, loadBalancerClass: 'cilium.io/lb' } });
    });
    expect(found).toEqual({ ok: true, openPools: [{ pool: 'public', services: [] }] });
  });

  it('names the Services that would lose their addresses, and stays ok', async () => {
    const found = await openPools(({ service: services, namespace }) => {
      const labels = { 'leasehold.dev/reserved': 'true' };
      namespace.push({ metadata: { name: 'charts' } });
      services.push(
        service('zoo', ['203.0.113.3']),
        service('both', ['2001:db8:1:0::9', '203.0.113.2']),
        service('elsewhere', ['192.0.2.7']),
        service('inner', ['198.51.100.3']),
        service('waiting', []),
        service('gateway', ['203.0.113.5'], { namespace: 'charts', labels }),
        service('kept', ['203.0.113.6'], { namespace: 'default', labels }),
      );
    });
    expect(found).toEqual({
      ok: true,
      openPools: [
        {
          pool: 'public',
          services: [
            {
              object: 'Service charts/gateway',
              addresses: ['203.0.113.5'],
              message:
                'is in the namespace charts, which does not have the label leasehold.dev/leases=true yet',
            },
            {
              object: 'Service shop/both',
              addresses: ['2001:db8:1::9', '203.0.113.2'],
              message: 'is not declared',
            },
            {
              object: 'Service shop/zoo',
              addresses: ['203.0.113.3'],
              message: 'is not declared',
            },
          ],
        },
      ],
    });
  });

  it('names the label that a declared Service lacks', async () => {
    const { openPools: found } = await openPools(({ service: [web] }) => {
      if (web) web.metadata.labels = {};
    });
    expect(found).toMatchObject([
      {
        services: [
          {
            object: 'Service default/web',
            message:
              'is declared but does not have the label app.kubernetes.io/managed-by=leasehold yet',
          },
        ],
      },
    ]);
  });
});
