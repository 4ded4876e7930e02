import { describe, expect, it } from 'vitest';
import type { Applied } from '../../../support/live/applied-objects.ts';
import { controller } from '../../../support/live/healthy-cluster.ts';
import { claimOf, goldenCase, saidOf, verificationOf } from '../../../support/live/verification.ts';

const namespace = '17053lb4ill84441qf1rsnsn520p1tpg51erht9bp03gk';
const service = `Service ${namespace}/app-ip-443-tcp`;

/** An unmanaged Service with an address. */
const thief = (ip: string) => ({
  metadata: { name: 'thief', namespace: 'elsewhere' },
  spec: { type: 'LoadBalancer' },
  status: { loadBalancer: { ingress: [{ ip }] } },
});

describe('verifyCluster, for claims,', () => {
  it.each([
    ['dual-stack', 0],
    ['shared-address', 0],
    ['metallb-0-13-9', 0],
    // MetalLB 0.14.9 has no status of what it announces by BGP.
    ['layout-pool', 1],
    ['bgp-pool', 1],
  ])('finds nothing wrong with what was applied: %s', async (name, unknown) => {
    const verification = await verificationOf(goldenCase(name));

    expect(verification).toMatchObject({ ok: true, objects: [], findings: [], notes: [] });
    expect(verification.claims.length).toBeGreaterThan(0);
    const ok = verification.claims.length - unknown;
    expect(verification.counts).toEqual({ ok, ...(unknown > 0 && { unknown }) });
  });

  it('accepts several ports in one Service', async () => {
    const verification = await verificationOf(goldenCase('naming-readable'));

    expect(verification.ok).toBe(true);
    const objects = verification.claims.map(({ object }) => object);
    expect(new Set(objects).size).toBeLessThan(objects.length);
  });

  it('accepts a cluster without leases', async () => {
    const verification = await verificationOf(goldenCase('nothing-leased'));

    expect(verification).toMatchObject({ ok: true, claims: [], counts: { ok: 0 } });
  });

  it('names all objects that a claim needs', async () => {
    const verification = await verificationOf(goldenCase('dual-stack'));

    expect(verification.claims).toEqual([
      expect.objectContaining({
        holder: 'default/akash/akash1nwysyh885mvn9v50dc23x2ns6sp0wgu8at4n56-ip-web',
        addresses: ['198.51.100.13', '2001:db8:1::14'],
        object: service,
        file: 'leases/web.yaml:6',
        state: 'ok',
      }),
    ]);
  });

  it.each([
    ['addressPool', 'IPAddressPool metallb-system/ip-198.51.100.13'],
    ['l2Advertisement', 'L2Advertisement metallb-system/ip-198.51.100.13'],
    [
      'leasedIP',
      'ProviderLeasedIP lease/akash1nwysyh885mvn9v50dc23x2ns6sp0wgu8at4n56-ip-web-tcp-443',
    ],
    ['service', service],
    ['networkPolicy', `NetworkPolicy ${namespace}/ipv6-app-ip-443-tcp`],
  ] as const)('says that a claim is not applied without its %s', async (kind, object) => {
    const verification = await verificationOf(goldenCase('dual-stack'), (objects) => {
      objects[kind] = [];
    });

    expect(saidOf(verification, 443)).toEqual([`not applied: ${object} does not exist`]);
    expect(verification).toMatchObject({ ok: false, counts: { ok: 0, 'not applied': 1 } });
  });

  it.each([
    ['service', `Service ${namespace}/leased-web`],
    ['endpointSlice', `EndpointSlice ${namespace}/leased-web-ipv4`],
    ['endpointSlice', `EndpointSlice ${namespace}/leased-web-ipv6`],
  ] as const)(
    'says that a claim is not applied without the %s of its DNS name',
    async (kind, object) => {
      const verification = await verificationOf(goldenCase('address-names'), (objects) => {
        const kept = objects[kind].filter(
          ({ metadata }) => !object.endsWith(` ${metadata.namespace}/${metadata.name}`),
        );
        expect(kept).toHaveLength(objects[kind].length - 1);
        objects[kind] = kept;
      });

      expect(saidOf(verification, 443)).toEqual([`not applied: ${object} does not exist`]);
    },
  );

  it('reports an EndpointSlice that was changed by hand', async () => {
    const verification = await verificationOf(goldenCase('address-names'), (objects) => {
      for (const { endpoints } of objects.endpointSlice) {
        if (endpoints[0].addresses[0] === '2001:db8:1::14')
          endpoints[0].addresses = ['2001:db8::1'];
      }
    });

    expect(saidOf(verification, 443).join()).toContain('endpoints');
    expect(verification.ok).toBe(false);
  });

  it('reports that an object is being deleted, and does not compare it', async () => {
    const verification = await verificationOf(goldenCase('dual-stack'), ({ service: [one] }) => {
      one!.metadata.deletionTimestamp = '2026-11-20T00:00:00Z';
      one!.spec.type = 'ClusterIP';
    });

    expect(saidOf(verification, 443)).toEqual([`not applied: ${service} is being deleted`]);
  });

  it('names the finalizers of an object that is being deleted', async () => {
    const verification = await verificationOf(goldenCase('dual-stack'), ({ service: [one] }) => {
      one!.metadata.deletionTimestamp = '2026-11-20T00:00:00Z';
      one!.metadata.finalizers = ['a.test/one', 'b.test/two'];
      one!.status = {};
    });

    expect(saidOf(verification, 443)).toEqual([
      `not applied: ${service} is being deleted, and waits for a.test/one, b.test/two`,
    ]);
  });

  it("names another Service with the claim's address in any notation", async () => {
    const verification = await verificationOf(goldenCase('dual-stack'), ({ service: all }) => {
      all.push(thief('2001:0db8:1:0::14'));
    });

    expect(saidOf(verification, 443)).toEqual([
      'not ours: Service elsewhere/thief has 2001:db8:1::14',
    ]);
  });

  it("names a Service that intercepts the claim's address through externalIPs", async () => {
    const verification = await verificationOf(goldenCase('dual-stack'), ({ service: all }) => {
      const spec = { type: 'ClusterIP', externalIPs: ['192.0.2.1', '2001:DB8:1:0::14'] };
      all.push({ metadata: { name: 'thief', namespace: 'elsewhere' }, spec });
    });

    expect(saidOf(verification, 443)).toEqual([
      'not ours: Service elsewhere/thief intercepts 2001:db8:1::14 through spec.externalIPs',
    ]);
  });

  it('accepts a shared address within one holder', async () => {
    const verification = await verificationOf(goldenCase('shared-address'));
    const addresses = verification.claims.map((claim) => claim.addresses[0]);

    expect(new Set(addresses).size).toBeLessThan(addresses.length);
    expect(verification.ok).toBe(true);
  });

  it('rejects a shared address of two holders', async () => {
    const verification = await verificationOf(goldenCase('shared-address'), ({ service: all }) => {
      const ingress = { ip: '203.0.113.9' };
      for (const one of all) one.status = { loadBalancer: { ingress: [ingress] } };
    });

    const states = verification.claims.map(({ addresses, state }) => `${addresses[0]} ${state}`);
    expect(new Set(states)).toEqual(
      new Set(['203.0.113.9 not ours', '203.0.113.12 wrong address']),
    );
  });

  it.each([
    [['203.0.113.99', '2001:db8:1::14'], 'has 203.0.113.99 instead of 198.51.100.13'],
    [['198.51.100.13'], 'lacks 2001:db8:1::14'],
    [['2001:db8:1::14', '198.51.100.13', '203.0.113.99'], 'has 203.0.113.99 as well'],
    [['2001:DB8:1:0::14', '198.51.100.13'], undefined],
  ])('compares the addresses of a Service: %s', async (addresses, message) => {
    const verification = await verificationOf(goldenCase('dual-stack'), ({ service: [one] }) => {
      one!.status = { loadBalancer: { ingress: addresses.map((ip) => ({ ip })) } };
    });

    const expected = message === undefined ? [] : [`wrong address: ${service} ${message}`];
    expect(saidOf(verification, 443)).toEqual(expected);
  });

  it('reads an ingress with a host name', async () => {
    const verification = await verificationOf(goldenCase('one-lease'), ({ service: [one] }) => {
      one!.status = { loadBalancer: { ingress: [{ hostname: 'lb.example' }] } };
    });

    expect(verification.claims[0]?.details[0]?.message).toMatch(/^has lb\.example instead of /);
  });

  it('advises a restart of the controller that does not answer', async () => {
    const verification = await verificationOf(goldenCase('one-lease'), (objects) => {
      objects.service[0]!.status = { loadBalancer: {} };
      objects.deployment = [controller()];
    });

    expect(verification.claims[0]?.details[0]?.hint).toMatch(
      /: `kubectl -n metallb-system rollout restart deployment controller`$/,
    );
  });

  it('is pending until MetalLB answers, with its newest warning', async () => {
    const pending = async (...events: object[]) =>
      saidOf(
        await verificationOf(goldenCase('dual-stack'), (objects) => {
          objects.service[0]!.status = { loadBalancer: {} };
          objects.event = events.map((event, index) => ({
            metadata: { name: `e${index}`, namespace },
            type: 'Warning',
            reason: 'AllocationFailed',
            involvedObject: { kind: 'Service', namespace, name: 'app-ip-443-tcp' },
            ...event,
          }));
        }),
        443,
      );

    expect(await pending()).toEqual([`pending: ${service} MetalLB has not answered yet`]);
    expect(
      await pending(
        { lastTimestamp: '2026-11-20T10:00:00Z', message: 'old' },
        { lastTimestamp: '2026-11-20T10:00:02Z', message: 'no address for you' },
      ),
    ).toEqual([`pending: ${service} MetalLB: AllocationFailed: no address for you`]);
  });

  it('handles more events than a call can have arguments', async () => {
    const verification = await verificationOf(goldenCase('dual-stack'), (objects) => {
      objects.service[0]!.status = {};
      const event = { metadata: { name: 'e', namespace } };
      objects.event = Array.from({ length: 200_000 }, () => event);
    });

    expect(claimOf(verification, 443).state).toBe('pending');
  });

  it('does not report pending for a Service that no longer needs an address', async () => {
    const verification = await verificationOf(goldenCase('dual-stack'), ({ service: [one] }) => {
      one!.spec.type = 'ClusterIP';
      one!.status = {};
    });

    expect(saidOf(verification, 443)).toEqual([
      `changed by hand: ${service} spec.type is "ClusterIP"; it should be "LoadBalancer"`,
    ]);
  });

  it('keeps all details, and has the worst of their states', async () => {
    const verification = await verificationOf(goldenCase('dual-stack'), (objects) => {
      objects.l2Advertisement = [];
      objects.service[0]!.spec.externalTrafficPolicy = 'Local';
      objects.service[0]!.status = { loadBalancer: { ingress: [{ ip: '198.51.100.13' }] } };
      objects.service.push(thief('2001:db8:1::14'));
    });

    expect(claimOf(verification, 443).details.map(({ state }) => state)).toEqual([
      'not applied',
      'not ours',
      'wrong address',
      'changed by hand',
    ]);
    expect(verification.counts).toEqual({ ok: 0, 'not applied': 1 });
  });

  it('reports a shared object for every claim that needs it', async () => {
    const name = 'ip-203.0.113.12';
    const verification = await verificationOf(goldenCase('shared-address'), (objects) => {
      const pool = objects.addressPool.find(({ metadata }) => metadata.name === name);
      pool!.spec.autoAssign = true;
    });

    const [on, off] = [true, false].map((isOn) =>
      verification.claims.filter(({ addresses }) => addresses.includes('203.0.113.12') === isOn),
    );
    expect(on!.length).toBeGreaterThan(1);
    for (const { state, details } of on!) {
      expect(state).toBe('changed by hand');
      expect(details[0]).toMatchObject({ field: 'spec.autoAssign', wanted: false, found: true });
    }
    expect(off!.map(({ state }) => state)).toEqual(['ok']);
    expect(verification.objects).toEqual([]);
  });

  it('does not depend on the order of the lists', async () => {
    const change = (objects: Applied) => {
      objects.l2Advertisement = [];
      objects.service[0]!.status = {};
      objects.service.push(thief('203.0.113.9'), {
        ...thief('203.0.113.9'),
        metadata: { name: 'another', namespace: 'elsewhere' },
      });
    };
    const root = goldenCase('shared-address');
    const forward = await verificationOf(root, change);
    const backward = await verificationOf(root, (objects) => {
      change(objects);
      for (const list of Object.values(objects)) list.reverse();
    });

    expect(JSON.stringify(backward)).toBe(JSON.stringify(forward));
  });
});
