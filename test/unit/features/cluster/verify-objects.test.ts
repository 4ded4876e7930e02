import { describe, expect, it } from 'vitest';
import { isOfPlane, verifiedKinds } from '../../../../src/core/model/kinds.ts';
import { DeniedError } from '../../../../src/core/model/problem.ts';
import { verificationSchema } from '../../../../src/features/cluster/verification-answer.ts';
import { verifyCluster } from '../../../../src/features/cluster/verify.ts';
import type { LiveCluster } from '../../../../src/lib/kubernetes/live-cluster.ts';
import { applied } from '../../../support/live/applied-objects.ts';
import { controller } from '../../../support/live/healthy-cluster.ts';
import {
  desiredOf,
  goldenCase,
  memoryCluster,
  verificationOf,
} from '../../../support/live/verification.ts';

/** The kinds that are listed only when the pool file needs them. */
const optional = new Set([
  ...['endpointSlice', 'dnsEndpoint', 'gateway', 'httpRoute', 'grpcRoute', 'ingress'],
  ...['clientSettingsPolicy', 'proxySettingsPolicy', 'bgpPeer', 'bgpSessionState', 'frrNodeState'],
]);

describe('verifyCluster, for other objects,', () => {
  it('reports objects that belong to no claim separately', async () => {
    const verification = await verificationOf(goldenCase('layout-pool'), (objects) => {
      objects.configMap[0]!.data.layout = 'lease';
      objects.admissionPolicyBinding = [];
    });

    expect(verification.objects).toEqual([
      expect.objectContaining({
        object: 'ConfigMap metallb-system/leasehold',
        state: 'changed by hand',
      }),
      expect.objectContaining({
        object: 'ValidatingAdmissionPolicyBinding leasehold-services',
        state: 'not applied',
      }),
    ]);
    expect(verification.counts).toMatchObject({ 'changed by hand': 1, 'not applied': 1 });
  });

  it('has the command for a binding that only warns, whose set an engine adds to', async () => {
    const { objects } = await verificationOf(goldenCase('layout-pool'), (live) => {
      live.admissionPolicyBinding[0]!.spec.validationActions = ['Warn', 'Audit'];
    });
    const hints = objects.flatMap(({ details }) =>
      details.map((detail) => 'hint' in detail && detail.hint?.match(/: `(kubectl .*)`$/)?.[1]),
    );
    const command = `kubectl patch validatingadmissionpolicybinding leasehold-services --type merge -p '{"spec":{"validationActions":["Deny"]}}'`;
    expect(hints).toEqual([command, command]);
  });

  it('compares each advertisement of a pool', async () => {
    const verification = await verificationOf(
      goldenCase('several-advertisements'),
      ({ l2Advertisement, bgpAdvertisement }) => {
        l2Advertisement[0]!.spec.interfaces = ['bond1'];
        bgpAdvertisement.pop();
      },
    );
    const details = [...verification.objects, ...verification.claims.flatMap((one) => one.details)];
    const found = details.filter(({ object }) => object.includes('Advertisement'));
    expect(found.map(({ object, state }) => `${object}: ${state}`).sort()).toEqual([
      'BGPAdvertisement metallb-system/public: not applied',
      'L2Advertisement metallb-system/public: changed by hand',
    ]);
  });

  it('reads ConfigMaps in the namespace of MetalLB only, and misses none of another one', async () => {
    const root = goldenCase('address-config-maps');
    const cluster = memoryCluster(applied(root));
    const { objects } = await verifyCluster(await desiredOf(root), cluster);

    expect(objects).toEqual([]);
    expect(cluster.asked.filter((asked) => asked.startsWith('configMap'))).toEqual([
      'configMap metallb-system',
    ]);
  });

  it.each([
    ['address-names', ['endpointSlice *']],
    ['dns-names', ['dnsEndpoint *']],
    ['hostnames', ['httpRoute *', 'ingress *', 'gateway *', 'grpcRoute *']],
    [
      'http-options',
      [
        'httpRoute *',
        'ingress *',
        'clientSettingsPolicy *',
        'proxySettingsPolicy *',
        'gateway *',
        'grpcRoute *',
      ],
    ],
    ['dual-stack', []],
  ] as const)('lists the kinds of an option only when it is on: %s', async (name, kinds) => {
    const root = goldenCase(name);
    const cluster = memoryCluster(applied(root));
    const { objects } = await verifyCluster(await desiredOf(root), cluster);

    expect(objects).toEqual([]);
    const everywhere = cluster.asked.filter((asked) => asked.endsWith(' *'));
    expect(everywhere.filter((asked) => optional.has(asked.slice(0, -2)))).toEqual(kinds);
  });

  it('reports a route of the kind that its cluster no longer uses', async () => {
    const labels = { 'app.kubernetes.io/managed-by': 'leasehold' };
    const former = { metadata: { name: 'shop.example.com', namespace: 'shop', labels } };
    const { objects } = await verificationOf(goldenCase('hostnames'), ({ ingress }) =>
      ingress.push(former),
    );
    expect(objects).toEqual([
      { object: 'Ingress shop/shop.example.com', state: 'left over', details: [] },
    ]);
  });

  it('reports leftover objects, and keeps namespaces', async () => {
    const labels = { 'app.kubernetes.io/managed-by': 'leasehold' };
    const kept = { metadata: { name: 'former', labels } };
    const lost = { metadata: { name: 'ip-192.0.2.1', namespace: 'metallb-system', labels } };
    const root = goldenCase('one-lease');
    const withNamespace = await verificationOf(root, ({ namespace: all }) => all.push(kept));
    const withPool = await verificationOf(root, ({ addressPool: all }) => all.push(lost));

    expect(withNamespace.objects).toEqual([
      { object: 'Namespace former', state: 'kept', details: [] },
    ]);
    expect([withNamespace.ok, withNamespace.notes]).toEqual([true, []]);
    expect(withPool.notes).toEqual([expect.stringMatching(/ left over: .* restart it; after/)]);
    expect(withPool.objects).toEqual([
      { object: 'IPAddressPool metallb-system/ip-192.0.2.1', state: 'left over', details: [] },
    ]);
    expect(withPool.ok).toBe(false);
  });

  it('reports that a leftover object is being deleted, with its finalizers', async () => {
    const verification = await verificationOf(goldenCase('one-lease'), ({ service: all }) => {
      const labels = { 'app.kubernetes.io/managed-by': 'leasehold' };
      const deletionTimestamp = '2026-11-20T00:00:00Z';
      const metadata = { name: 'app', namespace: 'web', labels, deletionTimestamp };
      all.push({ metadata: { ...metadata, finalizers: ['a.test/one'] } });
    });
    const object = 'Service web/app';
    const message = 'is being deleted, and waits for a.test/one';

    expect(verification.objects).toEqual([
      { object, state: 'left over', details: [{ state: 'left over', object, message }] },
    ]);
    const answer = { ...verification, day: '2026-11-20' };
    expect(verificationSchema.parse(answer)).toEqual(answer);
  });

  it('names all missing permissions', async () => {
    const root = goldenCase('one-lease');
    const cluster = memoryCluster(applied(root));
    const denied = ['leasedIP', 'deployment', 'configurationState'];
    const some: LiveCluster = {
      ...cluster,
      list: (kind, namespace) =>
        denied.includes(kind)
          ? Promise.reject(new DeniedError('no', `list ${kind}`))
          : cluster.list(kind, namespace),
    };

    await expect(verifyCluster(await desiredOf(root), some)).rejects.toThrow(
      'the cluster memory does not let this user list leasedIP, list deployment, list configurationState; `leasehold bootstrap rbac` prints',
    );
  });

  it("ignores pools outside MetalLB's namespace", async () => {
    const finds = async (namespace: string) => {
      const { findings } = await verificationOf(goldenCase('one-lease'), ({ addressPool: all }) => {
        all.push({
          metadata: { name: 'other', namespace },
          spec: { addresses: ['203.0.113.0/24'] },
        });
      });
      return findings.length;
    };

    expect(await finds('metallb-system')).toBe(1);
    expect(await finds('elsewhere')).toBe(0);
  });

  it.each([
    [1, ['event a']],
    [20, Array.from('abcdefghijklmnopqrst', (name) => `event ${name}`)],
    [21, ['event *']],
  ])('lists the events of %i namespaces with pending Services', async (count, expected) => {
    const desired = await desiredOf(goldenCase('one-lease'));
    const names = Array.from('abcdefghijklmnopqrstu').slice(0, count);
    const objects = applied(goldenCase('one-lease'));
    const [claim] = desired.claims;
    const claims = names.map((name) => ({ ...claim!, service: `Service ${name}/app` }));
    for (const namespace of names.toReversed()) {
      const metadata = { name: 'app', namespace };
      objects.service.push({ metadata, spec: { type: 'LoadBalancer' } });
    }
    const cluster = memoryCluster(objects);
    await verifyCluster({ ...desired, claims }, cluster);

    expect(cluster.asked.filter((asked) => asked.startsWith('event '))).toEqual(expected);
  });

  it('expects only the objects in dist/', async () => {
    const verification = await verificationOf(goldenCase('emit-switched-off'), (objects) => {
      expect(objects.namespace).toEqual([]);
      expect(objects.leasedIP).toEqual([]);
    });

    expect(verification.ok).toBe(true);
  });

  it('reports each kind that the cluster does not serve once', async () => {
    const root = goldenCase('one-lease');
    const { namespace: namespaces, service: services, configMap, daemonSet } = applied(root);
    const objects = { namespace: namespaces, service: services, configMap, daemonSet };
    const cluster = memoryCluster(objects);
    const verification = await verifyCluster(await desiredOf(root), cluster);

    expect(verification.findings.map(({ object, hint }) => `${object}: ${hint}`)).toEqual([
      'IPAddressPool: install MetalLB 0.13.9 or later',
      'L2Advertisement: install MetalLB 0.13.9 or later',
      "ProviderLeasedIP: apply the Akash provider's CRDs, or set emit.providerLeasedIP and emit.providerHost to false in leases/pools.yaml and run `leasehold synth`",
    ]);
    expect(verification.claims[0]?.state).toBe('not applied');
    expect(verification.notes).toHaveLength(1);
  });

  it('reports problems of the cluster that affect MetalLB', async () => {
    const verification = await verificationOf(goldenCase('one-lease'), (objects) => {
      const metadata = { name: 'operator-ip', namespace: 'akash-services' };
      objects.deployment.push({ metadata, spec: { replicas: 1 } });
      objects.configurationState.push({
        metadata: { name: 'speaker-a', namespace: 'metallb-system' },
        status: { result: 'Invalid', errorSummary: 'pool "x" overlaps' },
      });
      objects.addressPool.push({
        metadata: { name: 'default', namespace: 'metallb-system' },
        spec: { addresses: ['203.0.112.0/23'] },
      });
    });

    expect(verification.findings.map(({ object }) => object)).toEqual([
      'ConfigurationState metallb-system/speaker-a',
      'Deployment akash-services/operator-ip',
      'IPAddressPool metallb-system/default',
    ]);
    expect(verification.counts).toEqual({ ok: 1, 'cluster problem': 3 });
    expect(verification.ok).toBe(false);
  });

  it.each([
    ['v0.13.9', ['Deployment metallb-system/controller'], 1],
    ['v0.14.8', ['Deployment metallb-system/controller'], 1],
    ['v0.14.9', [], 0],
    ['v0.16.1', [], 1],
    ['main', [], 0],
  ])('is not ok when MetalLB %s ignores the annotations of 0.14.9', async (tag, found, notes) => {
    const verification = await verificationOf(goldenCase('one-lease'), (objects) => {
      objects.deployment = [controller(tag)];
    });
    expect(verification.findings.map(({ object }) => object)).toEqual(found);
    expect(verification.ok).toBe(found.length === 0);
    expect(verification.notes).toHaveLength(notes);
  });

  it('lists each kind once, and events only for pending Services', async () => {
    const root = goldenCase('one-lease');
    const objects = applied(root);
    const cluster = memoryCluster(objects);
    await verifyCluster(await desiredOf(root), cluster);
    expect(cluster.asked.map((asked) => asked.split(' ')[0]).sort()).toEqual(
      verifiedKinds
        .filter((kind) => isOfPlane(kind, 'metallb'))
        .filter((kind) => kind === 'endpointSlice' || (kind !== 'event' && !optional.has(kind)))
        .sort(),
    );

    objects.service[0]!.status = {};
    const second = memoryCluster(objects);
    await verifyCluster(await desiredOf(root), second);
    expect(second.asked.filter((asked) => asked.startsWith('event'))).toEqual([
      `event ${objects.service[0]!.metadata.namespace}`,
    ]);
  });
});
