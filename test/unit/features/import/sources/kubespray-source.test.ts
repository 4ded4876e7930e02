import { describe, expect, it } from 'vitest';
import { readKubespray } from '../../../../../src/features/import/sources/kubespray-source.ts';
import { importFiles, type Told, toldOf } from '../../../../support/imports/import-outcome.ts';

function read(...texts: readonly string[]): Told {
  const names = ['a.yml', 'b.yml'];
  const files = Object.fromEntries(texts.map((text, index) => [names[index] ?? 'c.yml', text]));
  return toldOf(readKubespray(importFiles(files)));
}

describe("Kubespray's variables of the first generation", () => {
  it('are one pool, called loadbalanced and announced by L2 where they say nothing else', () => {
    expect(
      read('metallb_ip_range:\n- 10.0.0.0/24\n- 10.0.1.5-10.0.1.9\nmetallb_auto_assign: no\n'),
    ).toEqual({
      pools: [['loadbalanced', '10.0.0.0/24 10.0.1.5-10.0.1.9', 'l2']],
      notes: [],
      problems: [],
    });
  });

  it('say the name, the protocol and the rest of it', () => {
    const outcome = readKubespray(
      importFiles({
        'a.yml':
          'metallb_ip_range: [10.0.0.0/24]\nmetallb_pool_name: default\nmetallb_protocol: bgp\nmetallb_avoid_buggy_ips: yes\nmetallb_auto_assign: false\n',
      }),
    );
    expect(outcome).toMatchObject({
      value: { pools: [{ name: 'default', avoidBuggyIPs: true, advertise: [{ kind: 'bgp' }] }] },
    });
  });

  it('have more pools, whose names are repaired as in a ConfigMap', () => {
    expect(
      read(`metallb_ip_range: [10.0.0.0/24]
metallb_auto_assign: false
metallb_protocol: layer2
metallb_additional_address_pools:
  kube_pool:
    ip_range: [10.1.0.0/24]
    auto_assign: false
  tor:
    ip_range: [10.2.0.0/24]
    protocol: bgp
    colour: red
  third: { ip_range: [10.3.0.0/24], protocol: arp, auto_assign: false }
`),
    ).toEqual({
      pools: [
        ['loadbalanced', '10.0.0.0/24', 'l2'],
        ['kube-pool', '10.1.0.0/24', 'l2'],
        ['tor', '10.2.0.0/24', 'bgp'],
        ['third', '10.3.0.0/24', 'l2'],
      ],
      notes: [
        "a.yml:5:3 changed pool kube-pool: the name was 'kube_pool'; it is written kube-pool, as MetalLB's converter does",
        "a.yml:11:5 left pool tor: the field 'colour' is not one that leasehold reads",
        "a.yml:12:47 left pool third: the protocol 'arp' is neither layer2 nor bgp",
        'a.yml:12:3 changed pool third: nothing announces it; leasehold announces every pool, and this one by L2',
      ],
      problems: [],
    });
  });

  it('tell of each metallb_ variable that says nothing of pools, and of no other one', () => {
    expect(
      read(
        'metallb_ip_range: [10.0.0.0/24]\nmetallb_auto_assign: false\nmetallb_version: v0.12.1\nmetallb_enabled: off\nmetallb_peers: []\nkube_version: 1\nports: { 80: web }\nsecret: !vault |\n  text\n',
      ).notes,
    ).toEqual([
      'a.yml:4:1 changed metallb_enabled: it is false: Kubespray installs no MetalLB; the pools are imported anyway',
      'a.yml:5:1 left metallb_peers: leasehold writes no BGPPeer: those that Kubespray made stay as they are',
      'a.yml:3:1 left metallb_version: it sets no variable that leasehold reads pools from',
    ]);
  });
});

describe("Kubespray's metallb_config", () => {
  it('keeps its settings for the pool of metallb_ip_range', () => {
    expect(
      read(
        'metallb_protocol: layer2\nmetallb_config: { address_pools: { a: { ip_range: [10.0.0.0/24], auto_assign: false } }, layer2: [a] }\n',
      ),
    ).toMatchObject({
      pools: [['a', '10.0.0.0/24', 'l2']],
      notes: [
        'a.yml:1:1 left metallb_protocol: it is of the pool of metallb_ip_range, which is not there',
      ],
    });
  });

  it('is pools, by L2 where layer2 names them, by BGP where a peer does', () => {
    const outcome = readKubespray(
      importFiles({
        'a.yml': `metallb_namespace: lb
metallb_config:
  speaker: { nodeselector: {} }
  address_pools:
    one: { ip_range: [10.1.0.0/24], auto_assign: false, avoid_buggy_ips: true }
    two: { ip_range: [10.2.0.0/24], auto_assign: false }
    three: { ip_range: [10.3.0.0/24] }
  layer2: [one]
  layer3:
    defaults: { peer_port: 179 }
    communities: { vpn: '1234:1' }
    metallb_peers:
      tor: { peer_address: 10.9.0.1, address_pool: [two], communities: [vpn], aggregation_length: 24 }
`,
      }),
    );
    expect(toldOf(outcome)).toEqual({
      pools: [
        ['one', '10.1.0.0/24', 'l2'],
        ['two', '10.2.0.0/24', 'bgp and bgp'],
        ['three', '10.3.0.0/24', 'l2'],
      ],
      notes: [
        'a.yml:13:7 left peer tor: leasehold writes no BGPPeer: it stays as Kubespray made it',
        'a.yml:7:5 changed pool three: nothing announces it; leasehold announces every pool, and this one by L2',
      ],
      problems: [],
    });
    expect(outcome).toMatchObject({
      value: {
        namespace: 'lb',
        pools: [
          { avoidBuggyIPs: true },
          {
            advertise: [
              { name: 'tor-local', communities: ['65535:65282'], aggregationLength: 32 },
              { name: 'tor-external', communities: ['vpn'], aggregationLength: 24 },
            ],
          },
          { isAsked: false },
        ],
      },
    });
  });

  it.each([
    "layer2: '{{ all }}'",
    "layer2: [b, '{{ all }}']",
    "layer3: '{{ all }}'",
    "layer3: { metallb_peers: '{{ all }}' }",
    "layer3: { metallb_peers: { tor: '{{ tor }}' } }",
    "layer3: { metallb_peers: { tor: { address_pool: '{{ a }}' } } }",
    "layer3: { metallb_peers: { tor: { address_pool: [a], aggregation_length: '{{ n }}' } } }",
  ])('leaves a pool of which it is not known how it is announced: %s', (text) => {
    const { pools, notes, problems } = read(
      `metallb_ip_range: [10.0.0.0/24]\nmetallb_config:\n  address_pools: { a: { ip_range: [10.1.0.0/24] } }\n  ${text}\n`,
    );
    expect({ pools, problems }).toEqual({
      pools: [['loadbalanced', '10.0.0.0/24', 'l2']],
      problems: [],
    });
    expect(notes).toContain(
      'a.yml:3:20 left pool a: it is not imported, since it is not known how it is announced',
    );
  });

  it('has names that Kubernetes takes: Kubespray repairs none', () => {
    expect(
      read('metallb_config: { address_pools: { A_b: { ip_range: [10.0.0.0/24] } } }\n').problems,
    ).toEqual([
      expect.stringMatching(/^a\.yml:1:36 FIELD_VALUE 'A_b' is not a valid Kubernetes name/),
    ]);
  });
});

describe('a Kubespray inventory', () => {
  it.each([
    ['true', true],
    ['yes', true],
    ['On', true],
    ['y', true],
    ['TRUE', true],
    ['no', false],
    ['Off', false],
    ['n', false],
    ['', false],
  ])('reads %j as Ansible does: %s', (word, avoidBuggyIPs) => {
    const text = `metallb_ip_range: [10.0.0.0/24]\nmetallb_avoid_buggy_ips: ${word}\n`;
    expect(readKubespray(importFiles({ 'a.yml': text }))).toMatchObject({
      value: { pools: [{ avoidBuggyIPs }] },
    });
  });

  it('has a later file in the place of an earlier one, variable by variable', () => {
    expect(
      read(
        'metallb_ip_range: [10.0.0.0/24]\nmetallb_auto_assign: false\nother: 1\n',
        'other: 2\nmetallb_ip_range: [10.1.0.0/24]\n',
      ),
    ).toEqual({
      pools: [['loadbalanced', '10.1.0.0/24', 'l2']],
      notes: [
        'a.yml:1:1 left metallb_ip_range: it is not imported: b.yml:2 sets it again, and the later value applies',
      ],
      problems: [],
    });
  });

  it.each([
    ["metallb_ip_range: '{{ ranges }}'\n", 'a.yml:1:19'],
    ["metallb_ip_range: ['{{ range }}']\n", 'a.yml:1:20'],
    ["metallb_ip_range: [10.0.0.0/24]\nmetallb_pool_name: '{{ name }}'\n", 'a.yml:2:20'],
    ["metallb_ip_range: [10.0.0.0/24]\nmetallb_protocol: '{{ name }}'\n", 'a.yml:2:19'],
    ["metallb_ip_range: [10.0.0.0/24]\nmetallb_avoid_buggy_ips: '{% if x %}'\n", 'a.yml:2:26'],
    ["metallb_config: '{{ all }}'\n", 'a.yml:1:17'],
    ["metallb_config: { address_pools: '{{ all }}' }\n", 'a.yml:1:34'],
    [
      "metallb_config: { address_pools: { '{{ a }}': { ip_range: [10.0.0.0/24] } } }\n",
      'a.yml:1:36',
    ],
    ["metallb_config: { address_pools: { a: { ip_range: ['{{ a }}'] } } }\n", 'a.yml:1:52'],
    ["metallb_additional_address_pools: { '{{ a }}': { ip_range: [] } }\n", 'a.yml:1:37'],
    ["metallb_additional_address_pools: { a: '{{ a }}' }\n", 'a.yml:1:40'],
  ])('skips a value that contains a Jinja expression: %j', (text, place) => {
    const { pools, notes, problems } = read(text);
    expect({ pools, problems }).toEqual({ pools: [], problems: [] });
    expect(notes[0]).toMatch(
      new RegExp(`^${place} left .* is a Jinja expression, which cannot be read$`),
    );
  });

  it('has a name for its first pool, or says none', () => {
    expect(read('metallb_ip_range: [10.0.0.0/24]\nmetallb_pool_name:\n').problems).toEqual([
      "a.yml:2:1 FIELD_MISSING 'metallb_pool_name' is empty",
    ]);
  });

  it('reports everything that Kubespray or MetalLB refuses at once', () => {
    expect(
      read(
        'metallb_ip_range: 10.0.0.0/24\nmetallb_config:\n  address_pools:\n    a: { ip_range: [10.0.0.4] }\n    b: {}\n  layer2: { a: b }\n',
        'metallb_protocol: [\n',
      ).problems.map((problem) => problem.split(' ').slice(0, 2).join(' ')),
    ).toEqual([
      'a.yml:1:19 FIELD_TYPE',
      'a.yml:4:21 ADDRESS_INVALID',
      'a.yml:5:5 FIELD_MISSING',
      'a.yml:6:11 FIELD_TYPE',
      'b.yml:1:19 YAML_SYNTAX',
    ]);
  });
});
