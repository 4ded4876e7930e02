import { describe, expect, test } from 'vitest';
import { type LiveFacts, liveFacts } from '../../../src/codec/manifest-file.ts';
import { aClaim, aPlacement, thePools } from '../../support/builders.ts';
import { renderedTexts } from '../../support/rendered.ts';
import { aService, aServicePlacement } from '../../support/service-builders.ts';

const namespace = '[0-9a-v]{45}';

function factsOf(...[pools, placements]: Parameters<typeof renderedTexts>): LiveFacts[] {
  return [...renderedTexts(pools, placements).values()].map(liveFacts);
}

function merged(facts: readonly LiveFacts[], part: 'families' | 'pins' | 'pools'): string[] {
  return facts.flatMap((one) => [...one[part]].map((entry) => entry.join(' ')));
}

describe('what a live cluster holds on to', () => {
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

  test('of a declared pool: its ranges', () => {
    const pools = thePools({
      cluster: { metallb: { version: '0.14.9', namespace: 'metallb-system', layout: 'pool' } },
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
          ports: ['80/TCP', '53/UDP'],
          backend: '    app: web\n    tier: front\n',
        },
      ],
    ]);
  });

  test('of a Service without an address: nothing', () => {
    const facts = [...renderedTexts(thePools(), [], [aService({ isLeased: false })]).values()].map(
      liveFacts,
    );
    expect(merged(facts, 'families')).toEqual([]);
    expect(merged(facts, 'pins')).toEqual([]);
  });

  test('the layout stands in one file', () => {
    const layouts = factsOf(thePools(), [aPlacement()]).map((facts) => facts.layout);
    expect(layouts.filter((layout) => layout !== undefined)).toEqual(['lease']);
  });
});
