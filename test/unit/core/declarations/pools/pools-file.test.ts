import { describe, expect, it } from 'vitest';
import { readPools } from '../../../../../src/core/declarations/pools/pools-file.ts';
import type { Pools } from '../../../../../src/core/model/pools.ts';
import type { Problem } from '../../../../../src/core/model/problem.ts';
import { formatRange } from '../../../../../src/core/net/range.ts';
import { marked } from '../../text/mark.ts';

const provider = 'akash1hwmenz63dp59uve5ytea09suwgr47y3rn9902y';
const head = 'apiVersion: leasehold.dev/v1\nkind: Pools\n';
const file = 'leases/pools.yaml';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function read(text: string): Pools {
  const outcome = readPools(file, bytes(text));
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
}

function problemsOf(text: string): readonly Problem[] {
  const outcome = readPools(file, bytes(text));
  return outcome.ok ? [] : outcome.problems;
}

/** The problems of a file whose text follows the two head lines, as `CODE line:column`. */
function problems(text: string): string[] {
  return problemsOf(head + text).map(textOf);
}

function textOf({ code, at }: Problem): string {
  return `${code} ${at.line}:${at.column}`;
}

/** A file with one pool, given as flow mappings; the pool is on line 3. */
const pool = (extra: string, addresses = '[203.0.113.0/28]'): string =>
  `pools: [{name: a, zone: z, addresses: ${addresses}, ${extra}}]\n`;

const active = pool('state: active');

/** The NAT of pairs of inside and outside addresses. */
function nat(...addresses: readonly string[]): string {
  const rules = addresses.flatMap((inside, index) =>
    index % 2 === 0 ? [`{inside: ${inside}, outside: ${addresses[index + 1]}}`] : [],
  );
  return `nat: [${rules.join(', ')}]`;
}

const group = (members: string): string => `${active}anycast: [{name: g, members: [${members}]}]\n`;

describe('readPools', () => {
  it('fills in every default', () => {
    const pools = read(
      `${head}pools:\n  - {name: public, zone: inet, addresses: [203.0.113.0/28]}\n`,
    );

    expect(pools).toEqual({
      clusters: [
        {
          name: 'default',
          id: undefined,
          labels: {},
          defaultZone: undefined,
          provider: undefined,
          plane: {
            kind: 'metallb',
            version: '0.14.9',
            namespace: 'metallb-system',
            layout: 'lease',
          },
          naming: 'akash',
          shards: 1,
          routes: undefined,
        },
      ],
      clustersAt: { file: 'leases/pools.yaml', line: 1, column: 1 },
      defaultCluster: 'default',
      defaultZone: 'inet',
      emit: {
        namespaces: true,
        providerLeasedIP: true,
        providerHost: true,
        networkPolicies: true,
        addressConfigMaps: false,
        addressNames: false,
        dnsEndpoints: false,
      },
      quotas: { default: undefined, owners: new Map() },
      dns: { ttl: 300, allowed: undefined, blocked: [] },
      hostnames: { retentionDays: 30, proof: 'optional', exempt: [] },
      advertisements: [],
      anycast: [],
      branches: [],
      pools: [
        {
          name: 'public',
          zone: 'inet',
          clusters: undefined,
          ranges: [
            {
              from: { family: 'ipv4', value: 0xcb007100n },
              to: { family: 'ipv4', value: 0xcb00710fn },
            },
          ],
          reserved: { ranges: [] },
          avoidBuggyIPs: false,
          nat: [],
          fence: 'closed',
          state: 'active',
          retentionDays: 1,
          strategy: 'spread',
          advertise: [{ name: 'public', kind: 'l2', interfaces: [], nodeSelectors: [] }],
          at: { file, line: 4, column: 5 },
        },
      ],
    });
  });

  it('reads every field', () => {
    const pools = read(`${head}
provider: ${provider}
metallb: { version: 0.15.2, namespace: lb, layout: pool }
naming: readable
emit: { namespaces: false, providerLeasedIP: false, networkPolicies: false }
dns: { ttl: 60, allowed: [example.com], blocked: [admin.example.com] }
clusters:
  - name: east
    metallb: { version: 0.13.10, annotationPrefix: metallb.universe.tf }
    naming: akash
defaultCluster: east
defaultZone: b
pools:
  - name: one
    zone: a
    addresses: [2001:db8::/64, 198.51.100.9-198.51.100.12, 198.51.100.1]
    reserved: [198.51.100.9, "2001:db8::"]
    avoidBuggyIPs: true
    state: draining
    retentionDays: 0
    strategy: lowest
    fence: open
    advertise:
      bgp:
        aggregationLength: 32
        aggregationLengthV6: 64
        localPref: 100
        communities: ["65000:100", "large:65000:1:2", no-export]
        peers: [edge-1]
        nodeSelectors:
          - matchLabels: { kubernetes.io/os: linux }
            matchExpressions: [{ key: rack, operator: In, values: [a, b] }]
  - name: two
    zone: b
    addresses: [203.0.113.0/24]
    advertise: { l2: { interfaces: [eth0.100, br-lan] } }
`);

    expect(pools).toMatchObject({
      clusters: [
        {
          name: 'east',
          provider,
          naming: 'akash',
          shards: 1,
          plane: {
            kind: 'metallb',
            version: '0.13.10',
            namespace: 'lb',
            layout: 'pool',
            annotationPrefix: 'metallb.universe.tf',
          },
        },
      ],
      defaultCluster: 'east',
      defaultZone: 'b',
      emit: { namespaces: false, providerLeasedIP: false, networkPolicies: false },
      dns: { ttl: 60, allowed: ['example.com'], blocked: ['admin.example.com'] },
    });
    expect(pools.pools[0]).toMatchObject({
      state: 'draining',
      strategy: 'lowest',
      retentionDays: 0,
      avoidBuggyIPs: true,
      fence: 'open',
      advertise: [
        {
          kind: 'bgp',
          aggregationLength: 32,
          aggregationLengthV6: 64,
          localPref: 100,
          communities: ['65000:100', 'large:65000:1:2', 'no-export'],
          peers: ['edge-1'],
          nodeSelectors: [
            {
              matchLabels: { 'kubernetes.io/os': 'linux' },
              matchExpressions: [{ key: 'rack', operator: 'In', values: ['a', 'b'] }],
            },
          ],
        },
      ],
    });
    expect(pools.pools[0]?.ranges.map(formatRange)).toEqual([
      '198.51.100.1/32',
      '198.51.100.9-198.51.100.12',
      '2001:db8::/64',
    ]);
    expect(pools.pools[1]?.advertise).toMatchObject([
      { name: 'two', kind: 'l2', interfaces: ['eth0.100', 'br-lan'] },
    ]);
  });

  // The others of these are in test/golden/bad/pools.yaml and clusters.yaml.
  it.each([
    [`${active}clusters: [{name: a, defaultZone: ▸y}]`, 'ZONE_UNKNOWN'],
    [pool('clusters: ▸[]'), 'FIELD_VALUE'],
    [
      group(
        '{cluster: default, namespace: a, service: web}, ▸{cluster: default, namespace: a, service: web}',
      ),
      'ANYCAST_DUPLICATE',
    ],
    [`${active}clusters: [{name: a, id: ▸1}]`, 'FIELD_TYPE'],
    [`${active}clusters: ▸[]`, 'FIELD_VALUE'],
    [`${active}provider: ▸akash1abc`, 'OWNER_INVALID'],
    [`${active}provider: ▸${provider.toUpperCase()}`, 'OWNER_INVALID'],
    [`${active}metallb: {version: ▸0.9.99}`, 'METALLB_VERSION'],
    [`${active}metallb: {namespace: ▸"$\{ns}"}`, 'FIELD_VALUE'],
    [`${active}▸constructor: 1`, 'FIELD_UNKNOWN'],
    [pool('retentionDays: ▸1.5'), 'FIELD_TYPE'],
    [pool('retentionDays: ▸0x10'), 'FIELD_VALUE'],
    [pool('retentionDays: ▸010'), 'FIELD_VALUE'],
    [pool('avoidBuggyIPs: ▸yes'), 'FIELD_TYPE'],
    [pool(nat('▸203.0.113.16', '198.51.100.1')), 'NAT_INVALID'],
    [pool(nat('▸203.0.113.8/28', '198.51.100.0/28')), 'ADDRESS_INVALID'],
    [pool(nat('▸203.0.113.8-203.0.113.16', '198.51.100.1')), 'NAT_INVALID'],
    [pool(nat('203.0.113.0/30', '▸198.51.100.0/29')), 'NAT_INVALID'],
    [pool(nat('203.0.113.1', '▸"2001:db8::1"')), 'NAT_INVALID'],
    [pool(nat('203.0.113.1', '▸203.0.113.2')), 'NAT_INVALID'],
    [pool(nat('203.0.113.1', '▸127.0.0.1')), 'ADDRESS_NOBODYS'],
    [pool(nat('203.0.113.1', '198.51.100.1', '▸203.0.113.1', '198.51.100.2')), 'NAT_INVALID'],
    [pool(nat('203.0.113.0/30', '198.51.100.0/30', '203.0.113.9', '▸198.51.100.1')), 'NAT_INVALID'],
    [pool('nat: [▸{inside: 203.0.113.1}]'), 'FIELD_MISSING'],
    [
      `pools: [{name: a, zone: z, addresses: [203.0.113.1], ${nat('203.0.113.1', '198.51.100.0')}}, {name: b, zone: z, addresses: [203.0.113.8/30], ${nat('203.0.113.8/30', '▸198.51.100.0/30')}}]\n`,
      'NAT_INVALID',
    ],
    [pool('advertise: ▸{}'), 'FIELD_VALUE'],
    [pool('advertise: {bgp: {localPref: ▸2147483648}}'), 'FIELD_VALUE'],
    [pool('advertise: {bgp: {communities: [▸"large:1:2"]}}'), 'FIELD_VALUE'],
    [pool('advertise: {bgp: {communities: ["1:2", ▸"1:2"]}}'), 'FIELD_VALUE'],
    [pool('advertise: {bgp: {peers: [▸"a b"]}}'), 'FIELD_VALUE'],
    [pool('advertise: {l2: {nodeSelectors: [{matchLabels: {▸a/b/c: d}}]}}'), 'FIELD_VALUE'],
    [pool('advertise: {l2: {nodeSelectors: [{matchLabels: {a: ▸"b c"}}]}}'), 'FIELD_VALUE'],
    [
      pool('advertise: {l2: {nodeSelectors: [{matchLabels: {a: b}}, ▸{matchLabels: {a: b}}]}}'),
      'FIELD_VALUE',
    ],
    [pool('state: active', '[▸"::ffff:1.2.3.4"]'), 'ADDRESS_INVALID'],
    [pool('state: active', '[203.0.113.15, ▸203.0.113.0/28]'), 'POOL_OVERLAP'],
  ])('refuses %j as %s, at the mark', (markedText, code) => {
    const { text, place } = marked(head + markedText);

    expect(problemsOf(text).map(textOf)).toEqual([`${code} ${place}`]);
  });

  it('hints at the block of an address with host bits', () => {
    expect(problemsOf(head + pool('state: active', '[203.0.113.9/28]'))).toMatchObject([
      { code: 'ADDRESS_INVALID', hint: 'write 203.0.113.0/28' },
    ]);
  });

  it('hints at the field that a misspelled one resembles', () => {
    expect(problemsOf(head + pool('avoidBugyIPs: true'))).toMatchObject([
      { code: 'FIELD_UNKNOWN', hint: "did you mean 'avoidBuggyIPs'?" },
    ]);
    expect(problemsOf(head + pool('cooldownDays: 3'))).toMatchObject([
      { code: 'FIELD_UNKNOWN', hint: "did you mean 'retentionDays'?" },
    ]);
  });

  it('reports all problems of a file', () => {
    const text = `provider: x\npools:\n  - {name: A, zone: z, addresses: [1.2.3.4/8, 5], colour: red}\n`;

    expect(problems(text).sort()).toEqual([
      'ADDRESS_INVALID 5:36',
      'FIELD_TYPE 5:47',
      'FIELD_UNKNOWN 5:51',
      'FIELD_VALUE 5:12',
      'OWNER_INVALID 3:11',
    ]);
  });

  it('refuses another kind', () => {
    expect(problemsOf('apiVersion: leasehold.dev/v2\nkind: Pools\n')).toMatchObject([
      {
        code: 'KIND_UNKNOWN',
        at: { line: 1, column: 13 },
        hint: "did you mean 'leasehold.dev/v1'?",
      },
    ]);
    expect(problemsOf('- a\n')).toMatchObject([{ code: 'FIELD_TYPE', at: { line: 1 } }]);
    expect(problemsOf('kind: Pools\n').map(({ code }) => code)).toEqual([
      'FIELD_MISSING',
      'FIELD_MISSING',
    ]);
  });
});
