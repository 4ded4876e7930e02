import { describe, expect, test } from 'vitest';
import { type LiveFacts, liveFacts } from '../../../../src/core/manifests/live-facts.ts';
import { unleasedServiceManifest } from '../../../../src/core/manifests/objects/declared-service.ts';
import { yamlText } from '../../../../src/core/manifests/yaml-text.ts';
import { aClaim, aPlacement, thePools } from '../../../support/declarations/pools-and-claims.ts';
import {
  aService,
  aServicePlacement,
  type ServiceWords,
} from '../../../support/declarations/services.ts';
import { renderedTexts } from '../../../support/manifests/rendered.ts';

const namespace = '[0-9a-v]{45}';

function factsOf(...[pools, placements]: Parameters<typeof renderedTexts>): LiveFacts[] {
  return [...renderedTexts(pools, placements).values()].map(liveFacts);
}

/** Of a Service whose file comes out as it is written. */
function factsOfService(words: ServiceWords): LiveFacts[] {
  return [liveFacts(yamlText([unleasedServiceManifest(aService({ isLeased: false, ...words }))]))];
}

function merged(
  facts: readonly LiveFacts[],
  part: 'families' | 'pins' | 'pools' | 'nodePorts' | 'healthChecks',
): string[] {
  return facts.flatMap((one) => [...one[part]].map((entry) => entry.join(' ')));
}

describe('the live facts', () => {
  test('of one address: its family, its pin and its pool', () => {
    const facts = factsOf(thePools(), [aPlacement()]);
    expect(merged(facts, 'families').join()).toMatch(
      new RegExp(`^${namespace}/web-ip-80-tcp IPv4$`),
    );
    expect(merged(facts, 'pins').join()).toMatch(
      new RegExp(`^${namespace}/web-ip-80-tcp IPv4 203\\.0\\.113\\.7$`),
    );
    expect(merged(facts, 'pools')).toEqual(['203.0.113.7/32 ip-203.0.113.7']);
  });

  test('of two addresses: both pins, the first family, one pool for both', () => {
    const claims = [aClaim({ ipFamily: 'dual' })];
    const addresses = ['203.0.113.7', '2001:db8::7'];
    const facts = factsOf(thePools(), [aPlacement({ claims, addresses })]);
    expect(merged(facts, 'families').map((text) => text.split(' ').at(-1))).toEqual(['IPv4']);
    expect(merged(facts, 'pins').map((text) => text.split(' ').at(-1))).toEqual(addresses);
    expect(merged(facts, 'pools')).toEqual([
      '203.0.113.7/32 ip-203.0.113.7',
      '2001:db8::7/128 ip-203.0.113.7',
    ]);
  });

  test('of a headless Service: no family', () => {
    const pools = thePools({ emit: { addressNames: true } });
    expect(merged(factsOf(pools, [aPlacement()]), 'families').join()).toMatch(
      new RegExp(`^${namespace}/web-ip-80-tcp IPv4$`),
    );
  });

  test('of a declared pool: its ranges', () => {
    const pools = thePools({
      cluster: {
        plane: { kind: 'metallb', version: '0.14.9', namespace: 'metallb-system', layout: 'pool' },
      },
    });
    expect(merged(factsOf(pools, [aPlacement({ pool: pools.pools[0]! })]), 'pools')).toEqual([
      '203.0.113.0/24 default',
      '2001:db8::/64 default',
    ]);
  });

  test('of a Service beside others: its ports, its sharing key and the pods of Local traffic', () => {
    const service = aService({
      sharingKey: 'front',
      ports: [
        { port: 80, targetPort: 8080, protocol: 'TCP' },
        { port: 53, targetPort: undefined, protocol: 'UDP' },
      ],
      spec: { externalTrafficPolicy: 'Local', selector: { app: 'web', tier: 'front' } },
    });
    const facts = factsOf(thePools(), [aServicePlacement([service])]);
    expect(facts.flatMap(({ sharers }) => [...sharers])).toEqual([
      [
        'shop/web',
        {
          pins: ['203.0.113.7'],
          sharingKey: 'leasehold-shop',
          prefix: 'metallb.io',
          ports: ['80/TCP', '53/UDP'],
          backend: '    app: web\n    tier: front\n',
        },
      ],
    ]);
  });

  test('of a Service without an address: no family', () => {
    const facts = factsOfService({});
    expect(merged(facts, 'families')).toEqual(['shop/web ']);
    expect(merged(facts, 'pins')).toEqual([]);
    expect(merged(facts, 'nodePorts')).toEqual([]);
    expect(merged(facts, 'healthChecks')).toEqual([]);
  });

  test('of annotations: those of MetalLB, and none with a similar prefix', () => {
    const annotations = {
      'metallb.example.com/loadBalancerIPs': '203.0.113.99',
      'metallb.example.com/allow-shared-ip': 'x',
    };
    expect(merged(factsOfService({ annotations }), 'pins')).toEqual([]);
    const facts = factsOf(thePools(), [aServicePlacement([aService({ annotations })])]);
    expect(merged(facts, 'pins')).toEqual(['shop/web IPv4 203.0.113.7']);
    expect(facts.flatMap(({ sharers }) => [...sharers.values()])).toMatchObject([
      { pins: ['203.0.113.7'], sharingKey: 'leasehold-shop' },
    ]);
  });

  test('of node ports: each that a Service sets, and no text that looks like one', () => {
    const annotations = { note: 'a\n  nodePort: 30001\n', nodePort: '30002' };
    const ports = [
      { nodePort: 30080, port: 80, protocol: 'TCP' },
      { name: 'b', nodePort: 30081, port: 81, protocol: 'TCP' },
    ];
    const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports };
    const named = factsOfService({ annotations, spec: { ...spec, healthCheckNodePort: 30090 } });
    expect(merged(named, 'nodePorts')).toEqual(
      ['30090', '30080', '30081'].map((port) => `${port} shop/web`),
    );
    expect(merged(named, 'healthChecks')).toEqual(['shop/web 30090']);
    expect(merged(factsOfService({ spec }), 'healthChecks')).toEqual(['shop/web ']);
    const other = { ...spec, externalTrafficPolicy: 'Cluster' };
    expect(merged(factsOfService({ spec: other }), 'healthChecks')).toEqual([]);
  });

  test('the layout is in one file only', () => {
    const layouts = factsOf(thePools(), [aPlacement()]).map((facts) => facts.layout);
    expect(layouts.filter((layout) => layout !== undefined)).toEqual(['lease']);
  });
});

test('the pools and the sharing keys of Cilium are read like those of MetalLB', () => {
  const text = [
    'kind: CiliumLoadBalancerIPPool',
    'metadata:',
    '  name: edge',
    'spec:',
    '  blocks:',
    '    - start: 203.0.113.1',
    '      stop: 203.0.113.14',
    '    - cidr: "2001:db8::/124"',
    '  serviceSelector:',
    '    matchLabels:',
    '      leasehold.dev/pool: edge',
  ];
  const service = [
    'kind: Service',
    'metadata:',
    '  annotations:',
    '    lbipam.cilium.io/ips: 203.0.113.7,2001:db8::7',
    '    lbipam.cilium.io/sharing-key: k',
    '  labels:',
    '    leasehold.dev/pool: edge',
    '  name: web',
    '  namespace: shop',
    'spec:',
    '  type: LoadBalancer',
  ];
  const documents = [text, service].map((lines) => `apiVersion: v1\n${lines.join('\n')}\n`);
  const { pools, pins, sharers } = liveFacts(documents.join('---\n'));
  expect([...pools]).toEqual([
    ['203.0.113.1-203.0.113.14', 'edge'],
    ['2001:db8::/124', 'edge'],
  ]);
  expect([...pins]).toEqual([
    ['shop/web IPv4', '203.0.113.7'],
    ['shop/web IPv6', '2001:db8::7'],
  ]);
  expect(sharers.get('shop/web')?.sharingKey).toBe('k');
});

test('an annotation of Cilium on a Service without its label is of its author', () => {
  const text = [
    'apiVersion: v1',
    'kind: Service',
    'metadata:',
    '  annotations:',
    '    lbipam.cilium.io/ips: 203.0.113.9',
    '    lbipam.cilium.io/sharing-key: other',
    '    metallb.io/allow-shared-ip: k',
    '  name: web',
    '  namespace: shop',
    'spec:',
    '  loadBalancerIP: 203.0.113.7',
  ];
  const { pins, sharers } = liveFacts(`${text.join('\n')}\n`);
  expect([...pins.values()]).toEqual(['203.0.113.7']);
  expect(sharers.get('shop/web')?.sharingKey).toBe('k');
});
