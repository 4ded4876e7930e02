import { describe, expect, it } from 'vitest';
import type { LiveKind } from '../../../../../src/core/model/kinds.ts';
import type { LiveObject } from '../../../../../src/core/model/live.ts';
import { differences } from '../../../../../src/features/cluster/live/difference.ts';

const metadata = { name: 'app', namespace: 'web', labels: { a: '1' }, annotations: { b: '2' } };
const port = { name: 'web', port: 80, protocol: 'TCP', targetPort: 8080 };
const spec = { type: 'LoadBalancer', selector: { app: 'web' }, ports: [port] };
const service = { metadata, spec };

/** The fields in which a live object differs, when its spec is another. */
function fields(kind: LiveKind, wanted: object, found: object): string[] {
  const differing = differences(kind, { metadata, spec: wanted }, { metadata, spec: found });
  return differing.map(({ field }) => field);
}

describe('differences', () => {
  it('returns none for equal objects', () => {
    expect(differences('service', service, structuredClone(service))).toEqual([]);
  });

  it('names the field with the wanted and the found value', () => {
    const live = { metadata, spec: { ...spec, ports: [{ ...port, targetPort: 81 }] } };

    expect(differences('service', service, live)).toEqual([
      { field: 'spec.ports[80/TCP].targetPort', wanted: 8080, found: 81 },
    ]);
  });

  it('ignores fields that the API server adds to a Service', () => {
    const added = {
      ...spec,
      clusterIP: '10.96.0.1',
      clusterIPs: ['10.96.0.1', 'fd00::1'],
      healthCheckNodePort: 30100,
      internalTrafficPolicy: 'Cluster',
      publishNotReadyAddresses: false,
      sessionAffinity: 'None',
      ports: [{ ...port, nodePort: 30080 }],
    };

    expect(fields('service', spec, added)).toEqual([]);
  });

  it("ignores the API server's defaults for fields that the manifest lacks", () => {
    const written = { type: 'LoadBalancer', ports: [{ port: 80, protocol: 'TCP' }] };
    const added = {
      ...written,
      allocateLoadBalancerNodePorts: true,
      externalTrafficPolicy: 'Cluster',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80, nodePort: 30080 }],
      sessionAffinity: 'None',
    };
    expect(fields('service', written, added)).toEqual([]);
    const sticky = { ...written, sessionAffinity: 'ClientIP' };
    const config = (timeoutSeconds: number) => ({ clientIP: { timeoutSeconds } });
    const kept = (seconds: number) => ({ ...sticky, sessionAffinityConfig: config(seconds) });
    expect(fields('service', sticky, kept(10_800))).toEqual([]);
    expect(fields('service', sticky, kept(5))).toEqual(['spec.sessionAffinityConfig']);
    for (const sessionAffinityConfig of [{}, { clientIP: {} }]) {
      const half = { ...sticky, sessionAffinityConfig };
      expect(fields('service', half, kept(10_800))).toEqual([]);
      expect(fields('service', half, kept(5))).toHaveLength(1);
    }
  });

  it('ignores empty values and defaults that the API server drops', () => {
    const written = {
      ...spec,
      selector: {},
      loadBalancerSourceRanges: [],
      publishNotReadyAddresses: false,
    };
    const { selector: _, ...live } = spec;
    expect(fields('service', written, live)).toEqual([]);
    expect(fields('service', { ...spec, publishNotReadyAddresses: true }, spec)).toEqual([
      'spec.publishNotReadyAddresses',
    ]);
    expect(fields('service', { ...spec, healthCheckNodePort: 30_001 }, spec)).toEqual([
      'spec.healthCheckNodePort',
    ]);
  });

  it('compares a missing targetPort with the port', () => {
    const written = { ports: [{ port: 80, protocol: 'TCP' }] };
    const live = { ports: [{ port: 80, protocol: 'TCP', targetPort: 8080 }] };
    expect(fields('service', written, live)).toEqual(['spec.ports[80/TCP].targetPort']);
  });

  it.each([
    ['externalIPs', ['198.51.100.1']],
    ['loadBalancerClass', 'other'],
    ['loadBalancerSourceRanges', ['0.0.0.0/0']],
    ['loadBalancerIP', '198.51.100.1'],
    ['sessionAffinity', 'ClientIP'],
    ['internalTrafficPolicy', 'Local'],
    ['publishNotReadyAddresses', true],
    ['trafficDistribution', 'PreferClose'],
    ['type', 'ClusterIP'],
  ])('reports a field added to a Service: %s', (field, value) => {
    expect(fields('service', spec, { ...spec, [field]: value })).toEqual([`spec.${field}`]);
  });

  it('reports additional and missing fields, ports and selector keys', () => {
    const other = { port: 81, protocol: 'UDP' };
    expect(fields('service', spec, { ...spec, ports: [port, other] })).toEqual([
      'spec.ports[81/UDP]',
    ]);
    expect(fields('service', { ...spec, ports: [port, other] }, spec)).toEqual([
      'spec.ports[81/UDP]',
    ]);
    expect(fields('service', spec, { ...spec, selector: { app: 'web', x: 'y' } })).toEqual([
      'spec.selector.x',
    ]);
    expect(fields('service', spec, {})).toEqual(['spec.ports', 'spec.selector', 'spec.type']);
  });

  it('ignores the order of ports', () => {
    const other = { port: 80, protocol: 'UDP' };
    const [forward, backward] = [
      [port, other],
      [other, port],
    ];

    expect(fields('service', { ports: forward }, { ports: backward })).toEqual([]);
  });

  it('reports another order of addresses', () => {
    const [a, b] = ['203.0.113.1/32', '203.0.113.2/32'];

    expect(fields('addressPool', { addresses: [a, b] }, { addresses: [b, a] })).toEqual([
      'spec.addresses[0]',
      'spec.addresses[1]',
    ]);
  });

  it('distinguishes numbers, texts and lists', () => {
    expect(fields('leasedIP', { dseq: '1' }, { dseq: 1 })).toEqual(['spec.dseq']);
    expect(fields('leasedIP', { dseq: '1' }, { dseq: ['1'] })).toEqual(['spec.dseq']);
    expect(fields('leasedIP', { dseq: '1' }, { dseq: null })).toEqual(['spec.dseq']);
  });

  it.each(['addressPool', 'l2Advertisement', 'bgpAdvertisement', 'leasedIP'] as const)(
    'reports every additional field of a custom resource: %s',
    (kind) => {
      expect(fields(kind, { a: 1 }, { a: 1, sessionAffinity: 'None' })).toEqual([
        'spec.sessionAffinity',
      ]);
    },
  );

  it('ignores fields that the API server adds to an admission policy', () => {
    const rule = { resources: ['services'] };
    const wanted = { matchConstraints: { resourceRules: [rule] } };
    const found = (scope: string, namespaceSelector: object) => ({
      matchConstraints: {
        resourceRules: [{ ...rule, scope }],
        namespaceSelector,
        objectSelector: {},
        matchPolicy: 'Equivalent',
      },
    });

    expect(fields('admissionPolicy', wanted, found('*', {}))).toEqual([]);
    expect(fields('admissionPolicy', wanted, found('Cluster', { matchLabels: {} }))).toEqual([
      'spec.matchConstraints.namespaceSelector',
      'spec.matchConstraints.resourceRules[0].scope',
    ]);
  });

  it('reports missing and changed labels and annotations, but not added ones', () => {
    const live = (labels: object, annotations: object) =>
      differences(
        'addressPool',
        { metadata },
        {
          metadata: { ...metadata, labels: { ...labels }, annotations: { ...annotations } },
        },
      );

    expect(live({ a: '1', x: 'y' }, { b: '2', 'metallb.io/x': '' })).toEqual([]);
    expect(live({ a: '9' }, {})).toEqual([
      { field: 'metadata.labels[a]', wanted: '1', found: '9' },
      { field: 'metadata.annotations[b]', wanted: '2', found: undefined },
    ]);
    expect(
      differences('addressPool', { metadata }, { metadata: { name: 'app' } }).map(
        ({ field }) => field,
      ),
    ).toEqual(['metadata.labels[a]', 'metadata.annotations[b]']);
  });

  it('reports an added owner, but no finalizers', () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: '1' };
    const live = (more: object) => ({ ...service, metadata: { ...metadata, ...more } });

    expect(differences('service', service, live({ ownerReferences: [owner] }))).toEqual([
      { field: 'metadata.ownerReferences', wanted: undefined, found: [owner] },
    ]);
    expect(differences('service', service, live({ ownerReferences: [] }))).toEqual([]);
    expect(differences('service', service, live({ finalizers: ['a.test/b'] }))).toEqual([]);
  });

  it('ignores an annotation with the old prefix beside the same one with the new prefix', () => {
    const key = 'metallb.io/allow-shared-ip';
    const old = 'metallb.universe.tf/allow-shared-ip';
    const service = (annotations: object): LiveObject => ({
      metadata: { ...metadata, annotations: { ...annotations } },
      spec: {},
    });
    const fieldsOf = (wanted: object, live: object) =>
      differences('service', service(wanted), service(live)).map(({ field }) => field);
    expect(fieldsOf({ [key]: 'x' }, { [key]: 'x', [old]: 'y' })).toEqual([]);
    expect(fieldsOf({}, { [old]: 'y' })).toEqual([`metadata.annotations[${old}]`]);
    expect(fieldsOf({ [key]: 'x' }, { [old]: 'y' })).toEqual([`metadata.annotations[${key}]`]);
    expect(fieldsOf({ [old]: 'x' }, { [old]: 'x', [key]: 'y' })).toEqual([
      `metadata.annotations[${key}]`,
    ]);
  });

  it("reports MetalLB's annotations added to a Service", () => {
    const found = (key: string) =>
      differences('service', service, {
        ...service,
        metadata: { ...metadata, annotations: { b: '2', [key]: 'x' } },
      }).map(({ field }) => field);

    for (const prefix of ['metallb.io', 'metallb.universe.tf']) {
      expect(found(`${prefix}/loadBalancerIPs`)).toEqual([
        `metadata.annotations[${prefix}/loadBalancerIPs]`,
      ]);
      expect(found(`${prefix}/ip-allocated-from-pool`)).toEqual([]);
    }
    expect(found('argocd.argoproj.io/tracking-id')).toEqual([]);
  });

  it('compares the data of a ConfigMap, and only the metadata of a Namespace', () => {
    const map = (data: object) => ({ metadata, data });
    expect(differences('configMap', map({ a: '1' }), map({ a: '1', b: '2' }))).toHaveLength(1);
    expect(differences('namespace', { metadata }, { metadata, spec: {}, status: {} })).toEqual([]);
  });

  it('handles any field name', () => {
    const hostile = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}');

    expect(fields('leasedIP', {}, hostile)).toEqual(['spec.__proto__', 'spec.constructor']);
  });
});
