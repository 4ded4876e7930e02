import { describe, expect, it } from 'vitest';
import { readMetalLB } from '../../../../../src/features/import/metallb/metallb-source.ts';
import { importFiles, type Told, toldOf } from '../../../../support/imports/import-outcome.ts';

function readConfig(text: string): Told {
  return toldOf(readMetalLB(importFiles({ 'config.yaml': text })));
}

/** A pool with a name, at line 2, column 11. */
function named(name: string): Told {
  return readConfig(
    `address-pools:\n- name: ${name}\n  protocol: layer2\n  auto-assign: false\n  addresses: [10.0.0.0/24]\n`,
  );
}

describe('the configuration of MetalLB 0.12', () => {
  it('is read from the ConfigMap', () => {
    expect(named('edge')).toEqual({
      pools: [['edge', '10.0.0.0/24', 'l2']],
      notes: [],
      problems: [],
    });
  });

  it('is read from the ConfigMap, with its namespace and places in it', () => {
    const outcome = readMetalLB(
      importFiles({
        'cm.yaml': `apiVersion: v1
kind: ConfigMap
metadata: { name: config, namespace: lb }
data:
  config: |
    address-pools:
    # ours
    - name: Edge
      protocol: layer2
      auto-assign: no
      addresses:
      - 10.0.0.0/24
`,
      }),
    );
    expect(toldOf(outcome)).toEqual({
      pools: [['edge', '10.0.0.0/24', 'l2']],
      notes: [
        "cm.yaml:8:13 changed pool edge: the name was 'Edge'; it is written edge, as MetalLB's converter does",
      ],
      problems: [],
    });
    expect(outcome).toMatchObject({ value: { namespace: 'lb' } });
  });

  it('places problems at the beginning of a text that is not a block scalar', () => {
    expect(
      readConfig(
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: config }\ndata:\n  config: "address-pools:\\n- name: a\\n  addresses: [1]\\n"\n',
      ).problems,
    ).toEqual(expect.arrayContaining([expect.stringMatching(/^config\.yaml:5:11 FIELD_TYPE /)]));
  });

  it('has problems at their place in the ConfigMap', () => {
    const { problems } = readConfig(`apiVersion: v1
kind: ConfigMap
metadata: { name: config }
data:
  config: |
    address-pools:
    - name: edge
      addresses: [10.0.0.1, 10.0.0.0/33]
    - name: [half
`);
    expect(problems).toEqual([expect.stringMatching(/^config\.yaml:9:13 YAML_SYNTAX /)]);
  });

  it.each([
    ['Web_Pool', 'web-pool'],
    ['10_web', 'web'],
    ['--9Web', 'web'],
    ['x', 'x'],
    [`a${'b'.repeat(70)}`, `a${'b'.repeat(62)}`],
    [`${'1'.repeat(62)}ab`, 'a'],
  ])('%s is a name that the converter repairs', (written, name) => {
    expect(named(written).pools).toEqual([[name, '10.0.0.0/24', 'l2']]);
  });

  it.each([
    ['"123_"', /2:9 FIELD_VALUE '123_' has no letter/],
    ['web-', /2:9 FIELD_VALUE 'web-' is not a valid Kubernetes name/],
    ['web pool', /2:9 FIELD_VALUE 'web pool' is not a valid Kubernetes name/],
    ['12', /2:9 FIELD_TYPE 'name' is the number 12, expected a string/],
    ['', /2:3 FIELD_MISSING pool 1 has no name/],
  ])('%j is a name of which nothing becomes one', (written, problem) => {
    expect(named(written).problems).toEqual([expect.stringMatching(problem)]);
  });

  it('leaves a name with dots, which Kubernetes takes and the pool file does not', () => {
    expect(named('web.example')).toMatchObject({
      pools: [],
      notes: [
        'config.yaml:2:9 left pool web.example: it is not imported: a pool of leasehold has a name of at most 63 characters without dots',
      ],
    });
  });

  it('announces in each of the ways that the converter makes', () => {
    const { pools, notes } = readConfig(`bgp-communities: { no-export: '65535:65281' }
address-pools:
- name: first
  protocol: bgp
  auto-assign: false
  addresses: [10.1.0.0/24]
- name: second
  protocol: bgp
  auto-assign: false
  addresses: [10.2.0.0/24]
  bgp-advertisements:
  - { aggregation-length: 24, localpref: 100, communities: [no-export, 65000:1] }
  - { aggregation-length: 32 }
- name: third
  protocol: layer2
  auto-assign: false
  addresses: [10.3.0.0/24]
  bgp-advertisements: [{ aggregation-length-v6: 64 }]
`);
    expect(pools.map(([name, , by]) => [name, by])).toEqual([
      ['first', 'bgp'],
      ['second', 'bgp and bgp'],
      ['third', 'l2 and bgp'],
    ]);
    expect(notes).toEqual([
      "config.yaml:12:61 changed bgp-advertisement 1 of pool second: the community 'no-export' is written 65535:65281: leasehold writes no Community object",
    ]);
  });

  it('avoids buggy addresses where it says so', () => {
    const pools = ['a, avoid-buggy-ips: true', 'b, avoid-buggy-ips: false', 'c'].map(
      (text, index) => `- { protocol: layer2, addresses: [10.${index}.0.0/24], name: ${text} }\n`,
    );
    const outcome = readMetalLB(
      importFiles({ 'config.yaml': `address-pools:\n${pools.join('')}` }),
    );
    expect(outcome).toMatchObject({
      value: {
        pools: [{ avoidBuggyIPs: true }, { avoidBuggyIPs: false }, { avoidBuggyIPs: false }],
      },
    });
  });

  it('says of another protocol that nothing announces its pool', () => {
    expect(
      readConfig(
        'address-pools: [{ name: edge, protocol: l2, auto-assign: false, addresses: [10.0.0.0/24] }]\n',
      ),
    ).toMatchObject({
      pools: [['edge', '10.0.0.0/24', 'l2']],
      notes: [
        "config.yaml:1:41 left pool edge: the protocol 'l2' is neither layer2 nor bgp: MetalLB's converter makes no advertisement of it",
        'config.yaml:1:25 changed pool edge: nothing announces it; leasehold announces every pool, and this one by L2',
      ],
    });
  });

  it('tells of all that pools do not hold, one by one', () => {
    const { notes } = readConfig(`peers: [{ peer-address: 10.0.0.1 }, { peer-address: 10.0.0.2 }]
bfd-profiles: [{ name: fast }]
colour: blue
address-pools:
- { name: edge, protocol: layer2, addresses: [10.0.0.0/24], avoid-buggy-ips: true, shade: red }
`);
    expect(notes.map((note) => note.split(': ')[0])).toEqual([
      'config.yaml:3:1 left the configuration',
      'config.yaml:5:84 left pool edge',
      'config.yaml:1:9 left peer1',
      'config.yaml:1:37 left peer2',
      'config.yaml:2:16 left a BFD profile',
    ]);
  });

  it('reports everything that MetalLB refuses at once', () => {
    expect(
      readConfig(`address-pools:
- { name: a, protocol: layer2, addresses: [10.0.0.5, ' 10.0.0.0/8', 10.0.0.9-10.0.0.1] }
- { name: b, protocol: layer2 }
- { name: c, protocol: layer2, addresses: 10.0.0.0/24 }
- text
`).problems.map((problem) => problem.split(' ').slice(0, 2).join(' ')),
    ).toEqual([
      'config.yaml:2:44 ADDRESS_INVALID',
      'config.yaml:2:54 ADDRESS_INVALID',
      'config.yaml:2:69 ADDRESS_INVALID',
      'config.yaml:3:11 FIELD_MISSING',
      'config.yaml:4:43 FIELD_TYPE',
      'config.yaml:5:3 FIELD_TYPE',
    ]);
  });

  it('leaves a pool whose addresses leasehold does not give out, as a whole', () => {
    const { pools, notes } = readConfig(
      'address-pools: [{ name: all, protocol: layer2, auto-assign: false, addresses: [10.0.0.0/24, "0.0.0.0/0"] }]\n',
    );
    expect(pools).toEqual([]);
    expect(notes.slice(0, 2)).toEqual([
      "config.yaml:1:93 left pool all: '0.0.0.0/0' is the whole address space",
      'config.yaml:1:25 left pool all: it is not imported, since its addresses would not be all there',
    ]);
  });
});
