import { describe, expect, it, test } from 'vitest';
import { obstacle } from '../../../../../src/core/declarations/pools/pool-index.ts';
import { readPools } from '../../../../../src/core/declarations/pools/pools-file.ts';
import type { Pools } from '../../../../../src/core/model/pools.ts';
import type { Problem } from '../../../../../src/core/model/problem.ts';
import { poolsText } from '../../../../support/declarations/pools-text.ts';
import { marked } from '../../text/mark.ts';

const file = 'leases/pools.yaml';
const layout = (name: 'lease' | 'pool') => `metallb: { version: 0.16.1, layout: ${name} }\n`;
const pool = (advertise: string, addresses = '203.0.113.0/24') =>
  `pools: [{name: a, zone: z, addresses: [${addresses}], advertise: ${advertise}}]\n`;

function read(text: string) {
  return readPools(file, new TextEncoder().encode(text));
}

function problemsOf(text: string): readonly Problem[] {
  const outcome = read(text);
  return outcome.ok ? [] : outcome.problems;
}

function poolsOf(text: string): Pools {
  const outcome = read(text);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
}

/** The codes of the problems of a pool with these BGP advertisements. */
function codesOf(advertisements: readonly string[], addresses?: string): string[] {
  const list = advertisements.map((bgp, index) => `{name: n${index}, bgp: {${bgp}}}`);
  const text = poolsText(layout('pool') + pool(`[${list.join(', ')}]`, addresses));
  return problemsOf(text).map(({ code }) => code);
}

describe('a list of advertisements', () => {
  test('has the names of the MetalLB objects, by default that of the pool', () => {
    const list = '[{bgp: {localPref: 7}}, {name: external, bgp: {peers: [isp]}}, {l2: {}}]';
    expect(
      poolsOf(poolsText(pool(list.replace('peers: [isp]', 'localPref: 7')))).pools[0]?.advertise,
    ).toMatchObject([
      { name: 'a', kind: 'bgp', localPref: 7 },
      { name: 'external', kind: 'bgp', localPref: 7 },
      { name: 'a', kind: 'l2', interfaces: [] },
    ]);
  });

  test('of one is the same as that one', () => {
    const [one, list] = ['{bgp: {localPref: 7}}', '[{bgp: {localPref: 7}}]'].map(
      (text) => poolsOf(poolsText(pool(text))).pools,
    );
    expect(list?.map(({ advertise }) => advertise)).toEqual(one?.map(({ advertise }) => advertise));
  });

  it.each([
    ['▸[]', 'FIELD_VALUE', "'pools[0].advertise' has 0 entries, expected at least 1 entry"],
    ['▸both', 'FIELD_TYPE', "'pools[0].advertise' is 'both', expected a mapping or a list"],
    ['[{l2: {}}, ▸{}]', 'FIELD_VALUE', "'advertise' needs exactly one of l2 and bgp"],
    ['[{▸bpg: {}, bgp: {}}]', 'FIELD_UNKNOWN', "the field 'pools[0].advertise[0].bpg' is unknown"],
    ['{bgp: {▸peer: [a]}}', 'FIELD_UNKNOWN', "the field 'pools[0].advertise.bgp.peer' is unknown"],
    ['[{bgp: {localPref: ▸x}}]', 'FIELD_TYPE', undefined],
    ['[{name: ▸A, l2: {}}]', 'FIELD_VALUE', undefined],
    ['[{l2: {}}, {bgp: {}}, ▸{l2: {}}]', 'ADVERTISEMENT_DUPLICATE', undefined],
    ['[{bgp: {}}, {name: b, bgp: {aggregationLength: ▸23}}]', 'BGP_AGGREGATION', undefined],
    ['[{bgp: {}}, {name: b, bgp: {communities: [▸"large:1:2"]}}]', 'FIELD_VALUE', undefined],
    ['[{bgp: {}}, {name: b, bgp: {localPref: ▸7}}]', 'BGP_LOCAL_PREF', undefined],
  ])('%s is %s', (advertise, code, message) => {
    const { text, place } = marked(poolsText(layout('pool') + pool(advertise)));
    const [found, ...others] = problemsOf(text);
    expect(others).toEqual([]);
    expect(`${found?.code} ${found?.at.line}:${found?.at.column}`).toBe(`${code} ${place}`);
    if (message !== undefined) expect(found?.message).toBe(message);
  });

  test('has a hint for a mistyped field', () => {
    const [found] = problemsOf(poolsText(pool('[{bgp: {peer: [a]}}]')));
    expect(found?.hint).toBe("did you mean 'peers'?");
  });
});

describe('two advertisements of one name', () => {
  const two = (first: string, second: string, rest = '') =>
    problemsOf(
      poolsText(`${rest}pools:
  - {name: a, zone: z, addresses: [203.0.113.0/24], ${first}}
  - {name: b, zone: z, addresses: [198.51.100.0/24], ${second}}
`),
    ).map(({ code, message }) => `${code} ${message}`);
  const clusters = 'defaultCluster: east\nclusters: [{name: east}, {name: west}]\n';
  const own = 'advertise: {name: b, l2: {}}';

  test('are refused in pools of one cluster with layout: pool, also by the name of a pool', () => {
    const message = "ADVERTISEMENT_DUPLICATE cluster 'default' has two advertisements 'b' by l2";
    expect(two(own, own, layout('pool'))).toEqual([message]);
    expect(two(own, 'fence: open', layout('pool'))).toEqual([message]);
  });

  test('are two objects in other clusters, of other kinds and with layout: lease', () => {
    const [east, west] = ['east', 'west'].map((name) => `clusters: [${name}], ${own}`);
    expect(two(east!, west!, layout('pool') + clusters)).toEqual([]);
    expect(two(own, 'advertise: {bgp: {}}', layout('pool'))).toEqual([]);
    expect(two(own, own, layout('lease'))).toEqual([]);
  });
});

describe('different local preferences', () => {
  const v6 = '2001:db8::/64';
  const rack = (name: string) => `nodeSelectors: [{matchLabels: {rack: ${name}}}]`;

  // MetalLB: TestParse in internal/config/config_test.go, "invalid local preference".
  it.each<[string, string, string | undefined]>([
    ['localPref: 1', 'localPref: 2', undefined],
    ['localPref: 1', '', undefined],
    ['localPref: 1, peers: [x, y]', 'localPref: 2, peers: [y]', undefined],
    ['localPref: 1, peers: [x]', 'localPref: 2', undefined],
    [`localPref: 1, ${rack('a')}`, `localPref: 2, ${rack('a')}`, undefined],
    [`localPref: 1, ${rack('a')}`, 'localPref: 2', undefined],
    [`localPref: 1, ${rack('a')}`, 'localPref: 2, nodeSelectors: [{}]', undefined],
    ['localPref: 1, aggregationLengthV6: 64', 'localPref: 2', undefined],
    ['localPref: 1, aggregationLength: 24', 'localPref: 2', `203.0.113.0/24, "${v6}"`],
  ])('clash in { %s } and { %s }', (first, second, addresses) => {
    expect(codesOf([first, second], addresses)).toEqual(['BGP_LOCAL_PREF']);
  });

  it.each<[string, string, string | undefined]>([
    ['localPref: 0', '', undefined],
    ['localPref: 1, aggregationLength: 24', 'localPref: 2', undefined],
    ['localPref: 1, aggregationLengthV6: 64', 'localPref: 2', `"${v6}"`],
    ['localPref: 1, aggregationLength: 24, aggregationLengthV6: 64', '', `203.0.113.0/24, "${v6}"`],
    ['localPref: 1, peers: [x]', 'localPref: 2, peers: [y]', undefined],
    // Only the cluster knows whether a node has both labels.
    [`localPref: 1, ${rack('a')}`, `localPref: 2, ${rack('b')}`, undefined],
  ])('are of different routes in { %s } and { %s }', (first, second, addresses) => {
    expect(codesOf([first, second], addresses)).toEqual([]);
  });
});

describe('the advertisement of a holder', () => {
  const { pools, advertisements } = poolsOf(
    poolsText(`${layout('lease')}advertisements:
  - {name: preferred, bgp: {localPref: 9}}
  - {name: isp, bgp: {peers: [isp]}}
  - {name: bond, l2: {interfaces: [bond1]}}
${pool('[{name: n1, bgp: {localPref: 1, peers: [x]}}, {name: n2, bgp: {localPref: 2, peers: [y]}}]')}`),
  );

  test.each([
    ['preferred', undefined],
    [
      'isp',
      'advertisement isp sends the advertisements n1 and n2 of pool a to the same peers and nodes, with different localPref',
    ],
    ['bond', 'advertisement bond is by L2, and pool a is announced by BGP'],
  ])('%s fits a pool unless MetalLB refuses them together', (name, reason) => {
    const advertisement = advertisements.find((one) => one.name === name);
    const found = obstacle({ clusters: ['default'], advertisement }, pools[0]!);
    expect(found?.reason).toBe(reason);
  });
});
