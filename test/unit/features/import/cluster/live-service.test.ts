import { describe, expect, it } from 'vitest';
import { formatAddress } from '../../../../../src/core/net/address.ts';
import { readClusterObjects } from '../../../../../src/features/import/cluster/cluster-source.ts';
import type { Imported, LiveService } from '../../../../../src/features/import/imported.ts';
import { documentsOf } from '../../../../../src/features/import/metallb/metallb-source.ts';
import { importFiles, toldOf } from '../../../../support/imports/import-outcome.ts';

function read(...objects: readonly object[]) {
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
  return readClusterObjects(importFiles({ 'live.json': text }).map(documentsOf));
}

function importedOf(...objects: readonly object[]): Imported {
  const outcome = read(...objects);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
}

function liveOf(object: object): LiveService {
  const [service] = importedOf(object).live?.services ?? [];
  if (!service) throw new Error('no Service was read');
  return service;
}

interface Parts {
  readonly metadata?: object;
  readonly spec?: object;
  readonly ingress?: readonly object[];
}

/** A Service as `kubectl get -o json` prints it. */
function exported({ metadata, spec, ingress = [{ ip: '192.0.2.7', ipMode: 'VIP' }] }: Parts = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'app',
      namespace: 'web',
      uid: 'c0ffee',
      resourceVersion: '17',
      creationTimestamp: '2025-02-03T10:00:00Z',
      finalizers: ['service.kubernetes.io/load-balancer-cleanup'],
      ...metadata,
    },
    spec: {
      type: 'LoadBalancer',
      allocateLoadBalancerNodePorts: true,
      clusterIP: '10.96.0.7',
      clusterIPs: ['10.96.0.7'],
      externalTrafficPolicy: 'Cluster',
      internalTrafficPolicy: 'Cluster',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 8080, nodePort: 31080 }],
      selector: { app: 'web' },
      sessionAffinity: 'None',
      ...spec,
    },
    status: { loadBalancer: { ingress } },
  };
}

describe('a live Service', () => {
  it('is declared without what the API server and MetalLB filled in, pinned to its address', () => {
    const annotations = {
      'metallb.io/ip-allocated-from-pool': 'public',
      'metallb.universe.tf/address-pool': 'public',
      'prometheus.io/scrape': 'true',
    };
    const { written, ...live } = liveOf(exported({ metadata: { annotations } }));
    expect(written).toEqual({
      labels: {},
      annotations: { 'prometheus.io/scrape': 'true' },
      spec: {
        type: 'LoadBalancer',
        selector: { app: 'web' },
        loadBalancerIP: '192.0.2.7',
        ports: [{ name: 'http', port: 80, targetPort: 8080 }],
      },
    });
    expect(live).toMatchObject({
      namespace: 'web',
      name: 'app',
      ports: [{ port: 80, protocol: 'TCP' }],
      asksPool: 'public',
      sharingKey: undefined,
      manager: undefined,
      obstacle: undefined,
    });
  });

  it('keeps the fields of its author, including those only in last-applied-configuration', () => {
    const applied = {
      spec: { ports: [{ port: 80, nodePort: 31080 }], healthCheckNodePort: 31999 },
    };
    const spec = {
      externalTrafficPolicy: 'Local',
      internalTrafficPolicy: 'Local',
      healthCheckNodePort: 31999,
      allocateLoadBalancerNodePorts: false,
      loadBalancerSourceRanges: ['198.51.100.0/24'],
      publishNotReadyAddresses: true,
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
    };
    const key = 'kubectl.kubernetes.io/last-applied-configuration';
    const annotations = { [key]: JSON.stringify(applied) };
    const { written } = liveOf(exported({ metadata: { annotations }, spec }));
    expect(written.spec).toEqual({
      type: 'LoadBalancer',
      selector: { app: 'web' },
      ...spec,
      loadBalancerIP: '192.0.2.7',
      ports: [{ name: 'http', port: 80, targetPort: 8080, nodePort: 31080 }],
    });
    expect(written.annotations).toEqual({});
  });

  it.each([
    ['metallb.io/loadBalancerIPs', { 'metallb.io/loadBalancerIPs': '192.0.2.7' }],
    ['metallb.io/loadBalancerIPs', { 'metallb.universe.tf/loadBalancerIPs': ' 192.0.2.7' }],
    ['ipam.vitistack.io/addresses', { 'ipam.vitistack.io/zone': 'public' }],
  ])('is pinned by %s for %j', (key, annotations) => {
    const { written } = liveOf(exported({ metadata: { annotations } }));
    expect(written.annotations).toEqual({ [key]: '192.0.2.7' });
    expect(written.spec).not.toHaveProperty('loadBalancerIP');
  });

  it.each([{}, { loadBalancerIP: '192.0.2.7' }])(
    'without annotations is pinned by spec.loadBalancerIP, live with %j',
    (spec) => {
      const { written } = liveOf(exported({ spec }));
      expect(written.annotations).toEqual({});
      expect(written.spec).toMatchObject({ loadBalancerIP: '192.0.2.7' });
    },
  );

  it('is without the labels and annotations that only a controller has written', () => {
    const fields = (...keys: string[]) => Object.fromEntries(keys.map((key) => [`f:${key}`, {}]));
    const entry = (manager: string, fieldsV1: object) => ({ manager, fieldsV1 });
    const { metadata } = exported({
      metadata: {
        labels: { team: 'web', zone: 'a' },
        annotations: { 'example.com/state': 'up', 'example.com/both': 'x', note: 'mine' },
        managedFields: [
          entry('kubectl-client-side-apply', {
            'f:metadata': {
              'f:labels': fields('team'),
              'f:annotations': fields('note', 'example.com/both'),
            },
            'f:spec': {},
          }),
          entry('example-controller', {
            'f:metadata': {
              'f:labels': fields('zone'),
              'f:annotations': fields('example.com/state', 'example.com/both'),
            },
          }),
        ],
      },
    });
    const { live, notes } = importedOf(exported({ metadata }));
    expect(live?.services[0]?.written).toMatchObject({
      labels: { team: 'web' },
      annotations: { note: 'mine', 'example.com/both': 'x' },
    });
    expect(notes.map(({ effect, message }) => `${effect} ${message}`)).toEqual([
      'changed the label zone is not imported: example-controller wrote it',
      'changed the annotation example.com/state is not imported: example-controller wrote it',
    ]);
  });

  it('is without what kube-vip writes at run time', () => {
    const metadata = {
      labels: { implementation: 'kube-vip', 'ipam-address': '192.0.2.7', team: 'web' },
      annotations: {
        'kube-vip.io/loadbalancerIPs': '192.0.2.7',
        'kube-vip.io/vipHost': 'node1',
      },
      managedFields: [{ manager: 'kubectl-client-side-apply', fieldsV1: {} }],
    };
    const { written } = liveOf(exported({ metadata }));
    expect(written.labels).toEqual({ team: 'web' });
    expect(written.annotations).toEqual({ 'kube-vip.io/loadbalancerIPs': '192.0.2.7' });
    const { labels } = liveOf(exported({ metadata: { labels: metadata.labels } })).written;
    expect(labels).toEqual(metadata.labels);
  });

  it.each([
    [
      { 'metallb.universe.tf/loadBalancerIPs': '192.0.2.11,2001:db8::1' },
      {},
      '192.0.2.11 2001:db8::1',
    ],
    [{ 'lbipam.cilium.io/ips': '192.0.2.13' }, { loadBalancerIP: '192.0.2.12' }, '192.0.2.12'],
    [{ 'lbipam.cilium.io/ips': '192.0.2.13' }, {}, '192.0.2.13'],
  ])('without an address has those for which %j and %j ask', (annotations, spec, asked) => {
    const ipFamilies = asked.includes(':') ? ['IPv4', 'IPv6'] : ['IPv4'];
    const object = exported({
      metadata: { annotations },
      spec: { ipFamilies, ...spec },
      ingress: [],
    });
    const { isPending, addresses, obstacle } = liveOf(object);
    expect([isPending, addresses.map(formatAddress).join(' '), obstacle]).toEqual([
      true,
      asked,
      undefined,
    ]);
  });

  it('of both families names them in their order', () => {
    const { addresses, written } = liveOf(
      exported({
        spec: { ipFamilies: ['IPv6', 'IPv4'], ipFamilyPolicy: 'PreferDualStack' },
        ingress: [{ ip: '2001:DB8::7' }, { ip: '192.0.2.7' }],
      }),
    );
    expect(addresses.map(formatAddress)).toEqual(['192.0.2.7', '2001:db8::7']);
    expect(written.spec).toMatchObject({
      ipFamilies: ['IPv6', 'IPv4'],
      ipFamilyPolicy: 'RequireDualStack',
    });
    expect(written.spec).not.toHaveProperty('loadBalancerIP');
    expect(written.annotations).toEqual({ 'metallb.io/loadBalancerIPs': '192.0.2.7,2001:db8::7' });
  });

  it.each([
    [
      'it has the families IPv4 and IPv6, and addresses of IPv4',
      { spec: { ipFamilies: ['IPv4', 'IPv6'] } },
    ],
    ['it asks for 192.0.2.9 and has 192.0.2.7', { spec: { loadBalancerIP: '192.0.2.9' } }],
    [
      'it asks for 192.0.2.9,2001:db8::1 and has 192.0.2.7',
      { metadata: { annotations: { 'metallb.io/loadBalancerIPs': '192.0.2.9, 2001:DB8::1' } } },
    ],
  ])('cannot be written as it is: %s', (obstacle, parts) => {
    expect(liveOf(exported(parts)).obstacle).toBe(obstacle);
  });

  it('has the sharing key that MetalLB reads: an old name is hidden by the new one, also by an empty one', () => {
    const keyOf = (annotations: object) =>
      liveOf(exported({ metadata: { annotations } })).sharingKey;
    const [old, fresh] = ['metallb.universe.tf/allow-shared-ip', 'metallb.io/allow-shared-ip'];
    expect(keyOf({ [old]: 'a' })).toBe('a');
    expect(keyOf({ [old]: 'a', [fresh]: 'b' })).toBe('b');
    expect(keyOf({ [old]: 'a', [fresh]: '' })).toBeUndefined();
  });
});

describe('of a cluster', () => {
  it('a LoadBalancer without an address is reported, and other Services are not', () => {
    const told = toldOf(
      read(
        exported({ ingress: [] }),
        exported({ metadata: { name: 'far' }, ingress: [{ hostname: 'lb.example.com' }] }),
        exported({ metadata: { name: 'inner' }, spec: { type: 'ClusterIP' } }),
      ),
    );
    expect(told.notes).toEqual([
      expect.stringContaining('left Service web/app: it is not imported: no load balancer gave it'),
      expect.stringContaining(
        'left Service web/far: it is not imported: its load balancer gave it lb.example.com',
      ),
    ]);
  });

  it('an external address is taken, whatever the type of the Service', () => {
    const { live } = importedOf(
      exported({ spec: { type: 'ClusterIP', externalIPs: ['192.0.2.9'] } }),
    );
    expect(live?.taken.map(({ address, by }) => [formatAddress(address), by])).toEqual([
      ['192.0.2.9', 'Service web/app, as an external address'],
    ]);
  });

  it('a list of the API server is read, although its items have no kind', () => {
    const { kind: _, apiVersion: __, ...item } = exported();
    const list = { apiVersion: 'v1', kind: 'ServiceList', metadata: {}, items: [item] };
    const outcome = readClusterObjects(
      importFiles({ 'live.json': JSON.stringify(list) }).map(documentsOf),
    );
    expect(outcome.ok && outcome.value.live?.services.map(({ name }) => name)).toEqual(['app']);
  });

  it('half a list is refused', () => {
    const list = {
      apiVersion: 'v1',
      kind: 'ServiceList',
      metadata: { continue: 'abc' },
      items: [],
    };
    const told = toldOf(
      readClusterObjects(importFiles({ 'live.json': JSON.stringify(list) }).map(documentsOf)),
    );
    expect(told.problems).toEqual([
      'live.json:1:53 FIELD_VALUE the list is incomplete: it has metadata.continue',
    ]);
  });

  it('a ProviderLeasedIP is read, and one without the id of its lease is reported', () => {
    const spec = {
      lease_id: {
        owner: 'akash1o',
        dseq: '18446744073709551615',
        gseq: 1,
        oseq: 1,
        provider: 'akash1p',
      },
      service_name: 'web',
      port: 3000,
      external_port: 80,
      sharing_key: 'akash1o-ip-site',
      protocol: 'udp',
    };
    const leased = (name: string, parts: object) => ({
      apiVersion: 'akash.network/v2beta2',
      kind: 'ProviderLeasedIP',
      metadata: { name, namespace: 'lease' },
      spec: { ...spec, ...parts },
    });
    const { live, notes } = importedOf(
      leased('whole', {}),
      leased('half', { lease_id: { ...spec.lease_id, dseq: 2 ** 60, provider: '' }, port: 0 }),
    );
    expect(live?.leasedIPs).toMatchObject([
      { dseq: '18446744073709551615', protocol: 'UDP', externalPort: 80, service: 'web' },
    ]);
    expect(notes.map(({ message }) => message)).toEqual([
      'it is not imported: dseq, provider, port cannot be read',
    ]);
  });
});

describe('a live Service with something of another kind', () => {
  const map = { a: 'b' };

  it.each([
    ['a family', { spec: { ipFamilies: [map] } }],
    ['an IP of its own', { spec: { loadBalancerIP: map } }],
    ['an owner', { metadata: { ownerReferences: [{ kind: map, name: map }] } }],
    ['a manager', { metadata: { managedFields: [{ manager: map }] } }],
    ['labels', { metadata: { labels: { 'app.kubernetes.io/managed-by': map } } }],
    ['a port', { spec: { ports: [{ port: 80, targetPort: map, nodePort: map, name: map }] } }],
    ['a type', { spec: { type: map } }],
  ])('is read or refused: %s', (_, parts) => {
    const outcome = read(exported(parts));
    if (!outcome.ok) expect(outcome.problems).not.toEqual([]);
  });
});
