import { describe, expect, it } from 'vitest';
import type { InputFile } from '../../../../../src/core/text/yaml/template-hints.ts';
import { readClusterObjects } from '../../../../../src/features/import/cluster/cluster-source.ts';
import type { ImportedPool } from '../../../../../src/features/import/imported.ts';
import {
  documentsOf,
  readMetalLB,
} from '../../../../../src/features/import/metallb/metallb-source.ts';
import { readVitistack } from '../../../../../src/features/import/sources/vitistack-source.ts';
import { importFiles, type Told, toldOf } from '../../../../support/imports/import-outcome.ts';

/** One object of MetalLB's, on four lines: its name stands at 3:19. */
function object(kind: string, name: string, spec: string, labels = ''): string {
  return `apiVersion: metallb.io/v1beta1
kind: ${kind}
metadata: { name: ${name}, namespace: metallb-system${labels && `, labels: { ${labels} }`} }
spec: ${spec}
`;
}

function pool(name: string, address: string, labels = ''): string {
  return object('IPAddressPool', name, `{ addresses: [${address}], autoAssign: false }`, labels);
}

function read(...documents: readonly string[]): Told {
  return toldOf(readMetalLB(importFiles({ 'm.yaml': documents.join('---\n') })));
}

/** The pools themselves. */
function poolsOf(...documents: readonly string[]): readonly ImportedPool[] {
  const outcome = readMetalLB(importFiles({ 'm.yaml': documents.join('---\n') }));
  if (!outcome.ok) throw new Error('there are problems');
  return outcome.value.pools;
}

/** The importers that read objects of Kubernetes. */
const sources = {
  metallb: readMetalLB,
  cluster: (files: readonly InputFile[]) => readClusterObjects(files.map(documentsOf)),
  vitistack: (files: readonly InputFile[]) => readVitistack(files.map(documentsOf)),
};

const everywhere = object('L2Advertisement', 'all', '{}');

describe("MetalLB's objects", () => {
  it('are pools with how they are announced, over files and lists', () => {
    const list = `apiVersion: v1
kind: List
items:
- apiVersion: metallb.io/v1beta1
  kind: IPAddressPool
  metadata: { name: b, namespace: metallb-system }
  spec: { addresses: [10.2.0.0/24, 2001:db8::/64], avoidBuggyIPs: true, autoAssign: false }
`;
    const outcome = readMetalLB(
      importFiles({ 'a.yaml': `${pool('a', '10.1.0.0/24')}---\n${everywhere}`, 'b.yaml': list }),
    );
    expect(toldOf(outcome)).toEqual({
      pools: [
        ['a', '10.1.0.0/24', 'l2'],
        ['b', '10.2.0.0/24 2001:db8::/64', 'l2'],
      ],
      notes: [],
      problems: [],
    });
    expect(outcome).toMatchObject({
      value: { namespace: 'metallb-system', pools: [{}, { avoidBuggyIPs: true }] },
    });
  });

  it('may use what declarations may not: aliases, merge keys and tags', () => {
    expect(
      read(`apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: &m { name: a }
spec: { <<: { autoAssign: false }, addresses: !!seq [&one 10.0.0.0/24] }
other: [*m, *one, !custom x]
`),
    ).toMatchObject({ pools: [['a', '10.0.0.0/24', 'l2']], problems: [] });
  });

  it('are announced by those that name or select them, and by those that do neither', () => {
    const byName = object('BGPAdvertisement', 'named', '{ ipAddressPools: [a] }');
    const bySelector = object(
      'L2Advertisement',
      'selected',
      '{ ipAddressPoolSelectors: [{ matchExpressions: [{ key: rack, operator: In, values: [x] }] }] }',
    );
    const { pools, notes } = read(
      byName,
      bySelector,
      pool('a', '10.1.0.0/24'),
      pool('b', '10.2.0.0/24', 'rack: x'),
      pool('c', '10.3.0.0/24', 'rack: y'),
    );
    expect(pools.map(([name, , by]) => [name, by])).toEqual([
      ['a', 'bgp'],
      ['b', 'l2'],
      ['c', 'l2'],
    ]);
    expect(notes).toEqual([
      'm.yaml:23:19 changed pool c: nothing announces it; leasehold announces every pool, and this one by L2',
    ]);
  });

  it.each([
    ['matchLabels: { rack: x }', 'rack: x', true],
    ['matchLabels: { rack: x }', 'rack: y', false],
    ['matchExpressions: [{ key: rack, operator: NotIn, values: [x] }]', 'rack: x', false],
    ['matchExpressions: [{ key: rack, operator: NotIn, values: [x] }]', '', true],
    ['matchExpressions: [{ key: rack, operator: Exists }]', 'rack: x', true],
    ['matchExpressions: [{ key: rack, operator: Exists }]', '', false],
    ['matchExpressions: [{ key: rack, operator: DoesNotExist }]', '', true],
    ['matchExpressions: [{ key: rack, operator: DoesNotExist }]', 'rack: x', false],
  ])('are selected by { %s } when labelled { %s }: %s', (selector, labels, isSelected) => {
    const advertisement = object(
      'BGPAdvertisement',
      'one',
      `{ ipAddressPoolSelectors: [{ ${selector} }] }`,
    );
    const [{ advertise } = {}] = poolsOf(advertisement, pool('a', '10.1.0.0/24', labels));
    expect(advertise?.[0]?.kind).toBe(isSelected ? 'bgp' : 'l2');
  });

  it('keep all of an advertisement that a pool can hold', () => {
    const selectors = '[{ matchLabels: { role: edge } }]';
    const l2 = object(
      'L2Advertisement',
      'l2',
      `{ ipAddressPools: [a], interfaces: [bond0], nodeSelectors: ${selectors} }`,
    );
    const bgp = object(
      'BGPAdvertisement',
      'bgp',
      `{ ipAddressPools: [b], aggregationLength: 24, aggregationLengthV6: 64, localPref: 7, communities: [65000:1, nice], peers: [tor], nodeSelectors: ${selectors} }`,
    );
    const pools = poolsOf(l2, bgp, pool('a', '10.1.0.0/24'), pool('b', '10.2.0.0/24'));
    expect(pools.map(({ advertise }) => advertise)).toEqual([
      [
        {
          ...{ name: 'l2', kind: 'l2', interfaces: ['bond0'] },
          nodeSelectors: [{ matchLabels: { role: 'edge' } }],
        },
      ],
      [
        {
          name: 'bgp',
          kind: 'bgp',
          aggregationLength: 24,
          aggregationLengthV6: 64,
          localPref: 7,
          communities: ['65000:1', 'nice'],
          peers: ['tor'],
          nodeSelectors: [{ matchLabels: { role: 'edge' } }],
        },
      ],
    ]);
  });

  describe('with several advertisements of a pool', () => {
    const bgp = (name: string, spec: string) => object('BGPAdvertisement', name, spec);
    const a = pool('a', '10.1.0.0/24');
    const b = pool('b', '10.2.0.0/24');
    const namesOf = (...objects: string[]) =>
      poolsOf(...objects).map(({ advertise }) =>
        advertise.map(({ kind, name }) => `${kind} ${name}`).join(', '),
      );

    it('keep each of them, with the name of its object', () => {
      const local = bgp('local', '{ ipAddressPools: [a], communities: ["65535:65282"] }');
      const external = bgp('external', '{ ipAddressPools: [a], aggregationLength: 24 }');
      const [{ advertise } = {}] = poolsOf(a, local, external);
      expect(advertise).toMatchObject([
        { name: 'local', aggregationLength: 32, communities: ['65535:65282'] },
        { name: 'external', aggregationLength: 24, communities: [] },
      ]);
      expect(read(a, local, external).notes).toEqual([]);
    });

    it('give the name of a pool to one that is not for it alone', () => {
      const all = object('L2Advertisement', 'all', '{}');
      expect(namesOf(a, b, all)).toEqual(['l2 a', 'l2 b']);
      expect(namesOf(a, all, bgp('all', '{}'))).toEqual(['l2 a, bgp a']);
    });

    it('give no name of another object', () => {
      const both = bgp('both', '{ ipAddressPools: [a, b] }');
      const more = bgp('more', '{ ipAddressPools: [a, b], peers: [x] }');
      expect(namesOf(a, b, both, more)).toEqual(['bgp a, bgp more-a', 'bgp b, bgp more-b']);
      expect(namesOf(a, b, both, bgp('a', '{ ipAddressPools: [b] }'))).toEqual([
        'bgp both-a',
        'bgp b, bgp a',
      ]);
    });

    it('leave one of some Services to the cluster, where another is for all', () => {
      const some = bgp('some', '{ ipAddressPools: [a], serviceSelectors: [{}] }');
      expect(namesOf(a, some, bgp('all', '{ ipAddressPools: [a] }'))).toEqual(['bgp all']);
      expect(namesOf(a, some)).toEqual(['bgp a']);
    });
  });

  it('have every part told that a pool does not hold', () => {
    const { notes } = read(
      object(
        'IPAddressPool',
        'a',
        '{ addresses: [10.0.0.0/24], serviceAllocation: { priority: 1 } }',
      ),
      object(
        'L2Advertisement',
        'l2',
        '{ ipAddressPools: [a], interfaces: ["eth 0"], serviceSelectors: [{}], preferredNodeSelectors: [] }',
      ),
      object(
        'BGPAdvertisement',
        'bgp',
        '{ ipAddressPools: [b], communities: ["1:2:3"], localPref: -1 }',
      ),
      object('BGPPeer', 'p', '{}').replace('v1beta1', 'v1beta2'),
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: controller }\n',
      'just: something\n',
      object('IPAddressPool', 'old', '{}').replace('v1beta1', 'v9'),
    );
    expect(notes.map((note) => note.split(' ').slice(0, 5).join(' '))).toEqual([
      'm.yaml:4:35 left pool a: serviceAllocation',
      'm.yaml:9:53 left L2Advertisement l2: the',
      'm.yaml:9:77 left L2Advertisement l2: the',
      'm.yaml:9:43 left L2Advertisement l2: interfaces',
      "m.yaml:14:65 left BGPAdvertisement bgp: 'localPref'",
      'm.yaml:14:44 left BGPAdvertisement bgp: communities',
      'm.yaml:18:19 left BGPPeer p: leasehold',
      'm.yaml:23:19 left Deployment controller: apps/v1',
      'm.yaml:25:1 left a document: it',
      'm.yaml:29:19 left IPAddressPool old: metallb.io/v9',
      'm.yaml:13:19 left BGPAdvertisement bgp: it',
    ]);
  });

  it('are read from an AddressPool too, which says how it is announced', () => {
    const { pools, notes } = read(
      object(
        'AddressPool',
        'a',
        '{ protocol: layer2, autoAssign: false, addresses: [10.1.0.0/24] }',
      ),
      object('AddressPool', 'b', '{ protocol: bgp, autoAssign: false, addresses: [10.2.0.0/24] }'),
      object(
        'AddressPool',
        'c',
        '{ protocol: bgp, autoAssign: false, addresses: [10.3.0.0/24], bgpAdvertisements: [{ localPref: 3 }, {}] }',
      ),
      object('AddressPool', 'd', '{ protocol: arp, autoAssign: false, addresses: [10.4.0.0/24] }'),
    );
    expect(pools.map(([name, , by]) => [name, by])).toEqual([
      ['a', 'l2'],
      ['b', 'bgp'],
      ['c', 'bgp and bgp'],
      ['d', 'l2'],
    ]);
    expect(notes.map((note) => note.split(' ').slice(0, 4).join(' '))).toEqual([
      'm.yaml:19:19 left pool d:',
      'm.yaml:18:19 changed pool d:',
    ]);
  });

  it.each([
    ['Web', /^m\.yaml:3:19 FIELD_VALUE 'Web' is not a valid Kubernetes name/],
    ['a_b', /^m\.yaml:3:19 FIELD_VALUE 'a_b' is not a valid Kubernetes name/],
  ])('called %s are refused, as by Kubernetes', (name, problem) => {
    expect(read(pool(name, '10.0.0.0/24')).problems).toEqual([expect.stringMatching(problem)]);
  });

  it.each(Object.entries(sources))('are not imported by %s beside an empty file', (_, source) => {
    const files = importFiles({ 'm.yaml': pool('a', '10.1.0.0/24'), 'services.yaml': '\n' });
    expect(toldOf(source(files)).problems).toEqual([
      'services.yaml:1:1 YAML_DOCUMENTS the file is empty, as kubectl leaves it when it fails',
    ]);
  });

  it('are refused where MetalLB refuses them, all files together', () => {
    const outcome = readMetalLB(
      importFiles({
        'a.yaml': pool('a', '10.0.0.5'),
        'b.yaml': 'kind: [\n',
        'c.yaml': object('IPAddressPool', 'c', '{}'),
        'd.yaml': 'apiVersion: metallb.io/v1beta1\nkind: IPAddressPool\n',
        'e.yaml': '- not\n- an object\n',
      }),
    );
    const { problems } = toldOf(outcome);
    expect(problems.map((problem) => problem.split(' ').slice(0, 2).join(' '))).toEqual([
      'a.yaml:4:21 ADDRESS_INVALID',
      expect.stringMatching(/^b\.yaml:\d:\d YAML_SYNTAX$/),
      'c.yaml:3:19 FIELD_MISSING',
      'd.yaml:1:1 FIELD_MISSING',
      'e.yaml:1:1 FIELD_TYPE',
    ]);
  });

  it('have nothing in them that is passed over because it is empty', () => {
    const { problems } = read(
      object('IPAddressPool', '', '{ addresses: [10.0.0.0/24] }'),
      object('IPAddressPool', 'a', '{ addresses: [10.0.0.0/24, null, ""] }'),
      object('L2Advertisement', 'a', '{ ipAddressPools: [null] }'),
    );
    expect(problems.map((problem) => problem.split(' ').slice(0, 2).join(' '))).toEqual([
      'm.yaml:1:1 FIELD_MISSING',
      'm.yaml:9:34 FIELD_TYPE',
      'm.yaml:9:40 ADDRESS_INVALID',
      'm.yaml:14:26 FIELD_TYPE',
    ]);
  });

  it('of two namespaces say none', () => {
    const outcome = readMetalLB(
      importFiles({
        'm.yaml': [
          everywhere,
          pool('a', '10.1.0.0/24'),
          pool('b', '10.2.0.0/24').replace('metallb-system', 'lb'),
        ].join('---\n'),
      }),
    );
    expect(outcome).toMatchObject({ value: { namespace: undefined } });
    expect(toldOf(outcome).notes).toEqual([
      'm.yaml:13:33 changed the namespace: there are objects of MetalLB in the namespaces metallb-system and lb; it reads those of its own only',
    ]);
  });
});

describe('an object whose name or namespace is not a string', () => {
  const kinds = [
    'metallb.io/v1beta1, kind: IPAddressPool',
    'metallb.io/v1beta1, kind: AddressPool',
    'metallb.io/v1beta1, kind: L2Advertisement',
    'v1, kind: Service',
    'akash.network/v2beta2, kind: ProviderLeasedIP',
  ];
  const odd = ['{ a: b }', '[a]', '[{ a: b }]', '7', 'true'];

  /** What is wrong, as `CODE line:column`, of an object of a kind; undefined where the kind is not read. */
  function problemsOf(source: keyof typeof sources, kind: string, metadata: string) {
    const text = `{ apiVersion: ${kind},\nmetadata: { ${metadata} },\nspec: {} }`;
    const { problems, notes } = toldOf(sources[source](importFiles({ 'm.yaml': text })));
    if (notes.some((note) => note.includes('not an object that leasehold reads pools from')))
      return undefined;
    return problems.map((problem) => problem.split(' ').slice(0, 3).join(' '));
  }

  it.each(['metallb', 'cluster', 'vitistack'] as const)(
    'is a problem at its place for import %s',
    (source) => {
      for (const kind of kinds) {
        const found = odd.flatMap((value) => [
          problemsOf(source, kind, `name: ${value}`),
          problemsOf(source, kind, `name: a, namespace: ${value}`),
        ]);
        for (const [index, problems] of found.entries()) {
          const place =
            index % 2 === 0
              ? "m.yaml:2:19 FIELD_TYPE 'name'"
              : "m.yaml:2:33 FIELD_TYPE 'namespace'";
          expect(problems ?? [place], kind).toContain(place);
        }
      }
    },
  );

  it('is left without its name when nothing is read of its kind', () => {
    const text = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: { a: b } }\n';
    expect(read(text)).toEqual({
      pools: [],
      notes: [
        'm.yaml:3:19 left Deployment without a name: apps/v1 Deployment is not an object that leasehold reads pools from',
      ],
      problems: [],
    });
  });

  it('is a problem of the ConfigMap of MetalLB 0.12', () => {
    const text =
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: config, namespace: { a: b } }\ndata: { config: "address-pools: []" }\n';
    expect(read(text).problems).toEqual([
      "m.yaml:3:38 FIELD_TYPE 'namespace' is a mapping, expected a string",
    ]);
  });
});
