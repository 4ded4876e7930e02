import { describe, expect, it } from 'vitest';
import { type Applied, endpointsOf, statusOf } from '../../../support/live/applied-objects.ts';
import { claimOf, goldenCase, saidOf, verificationOf } from '../../../support/live/verification.ts';

/** The Services that charts have rendered in the golden workspace `reservation`, as MetalLB answered them. */
function renderCharts({ service, endpointSlice, serviceL2Status }: Applied): void {
  const charts = [
    chart('ingress', 'traefik', ['80/TCP', '443/TCP', '443/UDP'], ['203.0.113.10']),
    chart('mail', 'postfix', ['25/TCP'], ['203.0.113.4', '2001:db8:1::9']),
  ];
  service.push(...charts);
  endpointSlice.push(...charts.map(endpointsOf));
  serviceL2Status.push(...charts.map((one) => statusOf(one)));
}

function chart(
  namespace: string,
  name: string,
  ports: readonly string[],
  addresses: readonly string[],
): Applied['service'][number] {
  return {
    metadata: { name, namespace, labels: { 'leasehold.dev/reserved': 'true' } },
    spec: {
      type: 'LoadBalancer',
      ports: ports.map((text) => {
        const [port, protocol] = text.split('/');
        return { port: Number(port), protocol };
      }),
    },
    status: { loadBalancer: { ingress: addresses.map((ip) => ({ ip })) } },
  };
}

describe('verifyCluster, for declared Services,', () => {
  it.each([
    'service-plain',
    'service-plain-layout-pool',
    'service-annotated',
    'service-shared',
    'service-shared-families',
    'service-dual',
    'service-clusterip',
  ])('accepts applied manifests: %s', async (name) => {
    const verification = await verificationOf(goldenCase(name));

    expect(verification).toMatchObject({ ok: true, objects: [], findings: [] });
    expect(verification.counts).toEqual({ ok: verification.claims.length });
  });

  it('has a line for each port, with the file that declares it', async () => {
    const { claims } = await verificationOf(goldenCase('service-annotated'));

    expect(claims).toMatchObject(
      ['TCP', 'UDP'].map((protocol) => ({
        object: 'Service shop/web',
        addresses: ['198.51.100.7'],
        externalPort: 80,
        protocol,
        file: 'leases/shop/web.yaml:4',
      })),
    );
  });

  it('reports a missing field as changed by hand', async () => {
    const verification = await verificationOf(goldenCase('service-plain'), (objects) => {
      objects.service[0]!.spec.externalTrafficPolicy = 'Local';
      objects.namespace = [];
    });

    expect(saidOf(verification, 80)).toEqual([
      'not applied: Namespace default does not exist',
      'changed by hand: Service default/web spec.externalTrafficPolicy is "Local"; it should not be set',
    ]);
  });

  it('reports a missing Service without an address as not applied', async () => {
    const verification = await verificationOf(goldenCase('service-clusterip'), (objects) => {
      objects.service = objects.service.filter(({ metadata }) => metadata.name !== 'nodes');
    });

    expect(verification.objects).toMatchObject([
      { object: 'Service shop/nodes', state: 'not applied' },
    ]);
  });
});

describe('verifyCluster, for Reservations,', () => {
  it.each(['reservation', 'reservation-layout-pool', 'reservation-layout-both'])(
    'finds nothing wrong once the charts are there: %s',
    async (name) => {
      const verification = await verificationOf(goldenCase(name), renderCharts);

      expect(verification).toMatchObject({ ok: true, objects: [], counts: { ok: 5 } });
    },
  );

  it('names the Services that would lose their addresses by the last step to layout: pool', async () => {
    const lacking = await verificationOf(goldenCase('reservation-layout-both'), (objects) => {
      renderCharts(objects);
      for (const { metadata } of objects.service) {
        if (metadata.name === 'traefik') delete metadata.labels['leasehold.dev/reserved'];
      }
    });
    expect(lacking.findings).toEqual([
      {
        object: 'Service ingress/traefik',
        message:
          'would lose 203.0.113.10 with layout: pool: it is declared but does not have the label leasehold.dev/reserved=true yet',
        hint: 'add the label, or set fence: open for the pool public until it has it',
      },
    ]);
    expect(lacking.ok).toBe(false);
  });

  it('has the command that gives a reserved Service the label without which it waits', async () => {
    const { claims } = await verificationOf(goldenCase('reservation-layout-pool'), (objects) => {
      renderCharts(objects);
      for (const service of objects.service) {
        if (service.metadata.name !== 'traefik') continue;
        delete service.metadata.labels['leasehold.dev/reserved'];
        service.status = {};
      }
    });
    const waiting = claims
      .flatMap(({ details }) => details)
      .filter((one) => one.state === 'pending');
    expect(new Set(waiting.map(({ hint }) => hint?.match(/: `(kubectl .*)`$/)?.[1]))).toEqual(
      new Set(['kubectl -n ingress label service traefik leasehold.dev/reserved=true --overwrite']),
    );
  });

  it('expects that MetalLB rejects the pools of both layouts, and nothing else', async () => {
    const verification = await verificationOf(goldenCase('reservation-layout-both'), (objects) => {
      renderCharts(objects);
      const state = (name: string, errorSummary: string) => ({
        metadata: { name, namespace: 'metallb-system' },
        status: { result: 'Invalid', errorSummary },
      });
      objects.configurationState.push(
        state(
          'controller',
          'CIDR "203.0.113.0/28" in pool "public" overlaps with already defined CIDR "203.0.113.4/32"',
        ),
        state('speaker-a', 'duplicate definition of community "a"'),
      );
    });
    expect(verification.findings.map(({ object }) => object)).toEqual([
      'ConfigurationState metallb-system/speaker-a',
    ]);
    expect(verification.notes[0]).toMatch(/^layout: both is a step of `leasehold migrate-layout`/);
  });

  it('names the command of the step when the webhooks refuse the pools of one layout', async () => {
    const verification = await verificationOf(goldenCase('reservation-layout-both'), (objects) => {
      renderCharts(objects);
      objects.addressPool = objects.addressPool.filter(({ metadata }) =>
        metadata.name.startsWith('ip-'),
      );
    });
    expect(verification.findings).toEqual([
      {
        object: expect.stringMatching(/^IPAddressPool metallb-system\/(?!ip-)/),
        message: expect.stringMatching(
          /^(?:is|and \d+ more are) not applied: MetalLB's webhooks refuse it/,
        ),
        hint: expect.stringMatching(
          /^delete no pool; .*: kubectl patch validatingwebhookconfiguration metallb-webhook-configuration -p '.*NotIn/,
        ),
      },
    ]);
  });

  it('reports a Service that its chart has not rendered, but not its pool', async () => {
    const verification = await verificationOf(goldenCase('reservation'));

    expect(saidOf(verification, 443)).toEqual([
      'not applied: Service ingress/traefik does not exist; leasehold only reserves its address, and another tool renders it',
    ]);
    expect(verification.counts).toEqual({ ok: 1, 'not applied': 4 });
  });

  it('reports a missing pool', async () => {
    const verification = await verificationOf(goldenCase('reservation'), (objects) => {
      renderCharts(objects);
      objects.addressPool = objects.addressPool.filter(
        ({ metadata }) => metadata.name !== 'ip-203.0.113.10',
      );
    });

    expect(saidOf(verification, 443)).toEqual([
      'not applied: IPAddressPool metallb-system/ip-203.0.113.10 does not exist',
    ]);
  });

  it('reports another address, or a pending one', async () => {
    const verification = await verificationOf(goldenCase('reservation'), (objects) => {
      objects.service.push(
        chart('ingress', 'traefik', ['80/TCP', '443/TCP', '443/UDP'], ['198.51.100.3']),
        chart('mail', 'postfix', ['25/TCP'], []),
      );
    });

    expect(claimOf(verification, 443).state).toBe('wrong address');
    expect(saidOf(verification, 25)).toEqual([
      'pending: Service mail/postfix MetalLB has not answered yet',
    ]);
  });
});
