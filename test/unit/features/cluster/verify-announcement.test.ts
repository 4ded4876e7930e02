import { describe, expect, it } from 'vitest';
import { type Applied, statusOf as writtenStatus } from '../../../support/live/applied-objects.ts';
import { claimOf, goldenCase, saidOf, verificationOf } from '../../../support/live/verification.ts';

const namespace = '17053lb4ill84441qf1rsnsn520p1tpg51erht9bp03gk';
const service = `Service ${namespace}/app-ip-443-tcp`;
const exclusion = 'node.kubernetes.io/exclude-from-external-load-balancers';

/** What is said of the only claim of a case, after a change to a cluster where all is well. */
async function saidAfter(
  change: (objects: Applied) => void,
  of = 'dual-stack',
): Promise<readonly string[]> {
  return saidOf(await verificationOf(goldenCase(of), change), 443);
}

/** Gives all nodes the label that excludes them. */
function exclude({ node }: Applied): void {
  for (const { metadata } of node) metadata.labels = { ...metadata.labels, [exclusion]: '' };
}

/** Adds a second node, with a ready speaker. */
function addNode({ node, pod }: Applied, labels: Record<string, string> = {}): void {
  node.push({ metadata: { name: 'node-b', labels } });
  const speaker = structuredClone(pod[0]!);
  Object.assign(speaker.metadata, { name: 'speaker-b', uid: 'uid-node-b' });
  speaker.spec.nodeName = 'node-b';
  pod.push(speaker);
}

/** Has the speaker on another node announce the Services. */
function announceFrom({ serviceL2Status }: Applied, node: string): void {
  for (const one of serviceL2Status) {
    one.metadata.labels['metallb.io/node'] = node;
    one.metadata.ownerReferences = [{ kind: 'Pod', name: node, uid: `uid-${node}` }];
    one.status.node = node;
  }
}

/** Limits all advertisements to nodes, or to interfaces. */
function limit({ l2Advertisement }: Applied, spec: object): void {
  for (const one of l2Advertisement) Object.assign(one.spec, spec);
}

/** Runs another version of the speakers, with arguments. */
function run({ daemonSet }: Applied, tag: string, args: readonly string[] = []): void {
  const [container] = daemonSet[0]!.spec.template.spec.containers;
  Object.assign(container, { image: `quay.io/metallb/speaker:${tag}`, args });
}

/** A status that MetalLB writes for a Service. */
const statusOf = (name: string, kind: 'l2' | 'bgp' = 'l2') =>
  writtenStatus({ metadata: { name, namespace } }, kind);

/** What is said where nothing tells whether MetalLB announces the Service. */
const untold = (version: string) =>
  `unknown: ${service} MetalLB ${version} writes no ServiceL2Status here: whether it announces the address is not known`;

/** An event of a speaker about the Service, at a second of a minute. */
const eventAt = (second: string, reason: string, message: string) => ({
  metadata: { name: `${reason}.${second}`, namespace },
  type: reason === 'nodeAssigned' ? 'Normal' : 'Warning',
  reason,
  message,
  source: { component: 'metallb-speaker' },
  lastTimestamp: `2026-11-20T10:00:${second}Z`,
  involvedObject: { kind: 'Service', namespace, name: 'app-ip-443-tcp' },
});
const lacks = 'the interfaces specified by LB IP "198.51.100.13" doesn\'t exist';

describe('verifyCluster, for nodes that announce,', () => {
  it('says that every node is excluded from load balancers, and how to change that', async () => {
    const verification = await verificationOf(goldenCase('dual-stack'), exclude);

    expect(verification).toMatchObject({ ok: false, counts: { ok: 0, 'not announced': 1 } });
    expect(claimOf(verification, 443)).toMatchObject({
      state: 'not announced',
      details: [
        {
          object: service,
          message: `MetalLB does not announce from node-a: the label ${exclusion} excludes every node that could`,
          hint: expect.stringContaining(`kubectl label node node-a ${exclusion}-`),
        },
      ],
    });
  });

  it.each<[string, string, readonly string[]]>([
    ['MetalLB 0.13.9, which ignores the label', 'v0.13.9', []],
    ['--ignore-exclude-lb', 'v0.14.9', ['--ignore-exclude-lb']],
    ['--ignore-exclude-lb=true', 'v0.16.1', ['--port=7472', '--ignore-exclude-lb=true']],
  ])('accepts excluded nodes with %s', async (_, tag, args) => {
    const said = await saidAfter((objects) => {
      exclude(objects);
      run(objects, tag, args);
    });
    expect(said).toEqual(tag === 'v0.13.9' ? [untold('0.13.9')] : []);
  });

  it.each([
    ['v0.14.0', []],
    ['v0.16.1', ['--ignore-exclude-lb=false']],
  ])('does not accept them with %s %j', async (tag, args) => {
    const said = await saidAfter((objects) => {
      exclude(objects);
      run(objects, tag, args);
    });
    expect(said).toHaveLength(1);
  });

  it('goes by the declared version when the image has none', async () => {
    const change = (objects: Applied) => {
      exclude(objects);
      run(objects, 'main');
    };
    expect((await verificationOf(goldenCase('one-lease'), change)).ok).toBe(false);
    expect((await verificationOf(goldenCase('metallb-0-13-9'), change)).ok).toBe(true);
  });

  it('accepts one node that is not excluded', async () => {
    const said = await saidAfter((objects) => {
      exclude(objects);
      addNode(objects);
      announceFrom(objects, 'node-b');
    });
    expect(said).toEqual([]);
  });

  it('says that the nodeSelectors match no node, and where they are declared', async () => {
    const verification = await verificationOf(goldenCase('dual-stack'), (objects) =>
      limit(objects, { nodeSelectors: [{ matchLabels: { rack: 'nine' } }] }),
    );
    const silent = claimOf(verification, 443).details.find(
      ({ state }) => state === 'not announced',
    );

    expect(silent).toMatchObject({
      message:
        'no node matches the nodeSelectors of L2Advertisement metallb-system/ip-198.51.100.13',
      hint: expect.stringMatching(
        /change advertise.nodeSelectors of pool \w+ \(leases\/pools.yaml:\d+\)/,
      ),
    });
  });

  it('accepts another advertisement that announces the pool', async () => {
    const said = await saidAfter((objects) => {
      const spec = { nodeSelectors: [{ matchLabels: { rack: 'nine' } }] };
      limit(objects, spec);
      const metadata = { name: 'all', namespace: 'metallb-system' };
      objects.l2Advertisement.push({ metadata, spec: {} });
    });
    expect(said).toEqual([expect.stringMatching(/^changed by hand: L2Advertisement /)]);
  });

  it('ignores advertisements for other pools, Services and namespaces', async () => {
    const said = await saidAfter((objects) => {
      limit(objects, { nodeSelectors: [{ matchLabels: { rack: 'nine' } }] });
      const inMetalLB = { name: 'other', namespace: 'metallb-system' };
      objects.l2Advertisement.push(
        { metadata: inMetalLB, spec: { ipAddressPools: ['other'] } },
        { metadata: inMetalLB, spec: { serviceSelectors: [{ matchLabels: { a: 'b' } }] } },
        { metadata: inMetalLB, spec: { ipAddressPoolSelectors: [{ matchLabels: { a: 'b' } }] } },
        { metadata: { name: 'far', namespace: 'elsewhere' }, spec: {} },
      );
    });
    expect(said).toContainEqual(expect.stringMatching(/^not announced: .*no node matches/));
  });

  it.each([
    ['has no ready speaker', ({ pod }: Applied) => pod.splice(0), true],
    ['has a speaker that is not ready', unready, true],
    [
      'has no speaker, on the node that the nodeSelectors match',
      (objects: Applied) => {
        objects.node.push({ metadata: { name: 'node-b', labels: { rack: 'two' } } });
        limit(objects, { nodeSelectors: [{ matchLabels: { rack: 'two' } }] });
      },
      false,
    ],
  ])('says that a cluster %s', async (_, change, isNone) => {
    const said = await saidAfter((objects) => {
      change(objects);
      if (isNone) objects.daemonSet[0]!.status.numberReady = 0;
    });
    expect(said).toContainEqual(
      expect.stringMatching(/^not announced: .* no MetalLB speaker is ready on node-[ab]$/),
    );
  });

  it('does not guess about nodes when pods do not tell which speakers are ready', async () => {
    expect(await saidAfter(({ pod }) => pod.splice(0))).toEqual([]);
  });

  it('does not guess, and says so, when MetalLB has no speakers: something else announces', async () => {
    const verification = await verificationOf(goldenCase('dual-stack'), (objects) => {
      exclude(objects);
      objects.daemonSet = [];
    });
    expect(verification).toMatchObject({ ok: true, counts: { ok: 0, unknown: 1 } });
    expect(saidOf(verification, 443)).toEqual([expect.stringMatching(/has no speakers/)]);
  });

  it('knows that MetalLB 0.14.9, and no other version, passes over cordoned nodes', async () => {
    const saidOn = (tag: string) =>
      saidAfter((objects) => {
        objects.node[0]!.spec = { unschedulable: true };
        run(objects, tag);
      });
    expect(await saidOn('v0.14.9')).toEqual([
      expect.stringMatching(/^not announced: .* every node that could is cordoned$/),
    ]);
    expect([await saidOn('v0.14.8'), await saidOn('v0.15.0')]).toEqual([[], []]);
  });

  it('knows that MetalLB passes over nodes without a network', async () => {
    const saidOn = (tag: string) =>
      saidAfter((objects) => {
        objects.node[0]!.status.conditions = [{ type: 'NetworkUnavailable', status: 'True' }];
        run(objects, tag);
      });
    expect(await saidOn('v0.14.9')).toEqual([expect.stringMatching(/NetworkUnavailable$/)]);
    expect(await saidOn('v0.13.9')).toEqual([untold('0.13.9')]);
  });
});

describe('verifyCluster, for endpoints,', () => {
  it('says that a Service has none, which does not fail', async () => {
    const verification = await verificationOf(goldenCase('dual-stack'), (objects) => {
      objects.endpointSlice = [];
    });
    expect(verification).toMatchObject({ ok: true, counts: { ok: 0, 'no endpoints': 1 } });
    expect(saidOf(verification, 443)).toEqual([
      `no endpoints: ${service} has no ready endpoint, so MetalLB does not announce it`,
    ]);
  });

  it.each([
    [{ ready: false }, 'no endpoints'],
    [{ ready: false, serving: false }, 'no endpoints'],
    [{ ready: false, serving: true, terminating: true }, 'ok'],
    [{}, 'ok'],
    [undefined, 'ok'],
  ])('with the conditions %j is %s', async (conditions, state) => {
    const verification = await verificationOf(goldenCase('dual-stack'), ({ endpointSlice }) => {
      endpointSlice[0]!.endpoints[0].conditions = conditions;
    });
    expect(claimOf(verification, 443).state).toBe(state);
  });

  it('says that Local endpoints are only on nodes that do not announce', async () => {
    const local = (objects: Applied, policy: string) => {
      objects.service[0]!.spec.externalTrafficPolicy = policy;
      addNode(objects);
      announceFrom(objects, 'node-b');
      objects.node[0]!.metadata.labels = { [exclusion]: '' };
    };
    const said = await saidAfter((objects) => local(objects, 'Local'));
    expect(said).toContainEqual(
      `not announced: ${service} externalTrafficPolicy is Local, and no ready endpoint is on a node that MetalLB can announce it from`,
    );
    expect(await saidAfter((objects) => local(objects, 'Cluster'))).toEqual([]);
    const near = await saidAfter((objects) => {
      local(objects, 'Local');
      objects.endpointSlice[0]!.endpoints[0].nodeName = 'node-b';
    });
    expect(near.filter((text) => text.startsWith('not announced'))).toEqual([]);
  });
});

describe('verifyCluster, for what MetalLB says of its announcements,', () => {
  const silent = `not announced: ${service} no node announces it: MetalLB has no ServiceL2Status of a live speaker for it`;
  const own = ({ serviceL2Status }: Applied) => serviceL2Status[0]!;

  it.each<[string, (objects: Applied) => void, readonly string[]]>([
    ['its status', () => {}, []],
    ['no status of any Service', (objects) => objects.serviceL2Status.splice(0), [silent]],
    [
      'statuses of other Services',
      (objects) => objects.serviceL2Status.splice(0, 1, statusOf('b')),
      [silent],
    ],
    [
      'a status without labels, which MetalLB does not write',
      (objects) => {
        own(objects).metadata.labels = {};
      },
      [silent],
    ],
    [
      'a status that has labels alone, as 0.14.9 leaves them',
      (objects) => {
        delete own(objects).status;
      },
      [silent],
    ],
    [
      'the status of a node without a speaker',
      (objects) => {
        objects.node.push({ metadata: { name: 'node-b' } });
        own(objects).status.node = 'node-b';
        own(objects).metadata.labels['metallb.io/node'] = 'node-b';
      },
      [silent],
    ],
    [
      'the status of another node than its label, as 0.14.9 leaves it after a failover',
      (objects) => {
        addNode(objects);
        own(objects).metadata.labels['metallb.io/node'] = 'node-b';
      },
      [expect.stringMatching(/^unknown: .* has a ServiceL2Status that names two nodes/)],
    ],
    [
      'the status of a speaker that has been replaced since',
      (objects) => {
        own(objects).metadata.ownerReferences[0].uid = 'uid-before';
      },
      [silent],
    ],
    [
      'the status of a node that the advertisement does not select',
      (objects) => {
        addNode(objects, { rack: 'two' });
        limit(objects, { nodeSelectors: [{ matchLabels: { rack: 'two' } }] });
      },
      [expect.stringMatching(/^changed by hand/), silent],
    ],
    [
      'no UIDs of its speakers',
      ({ pod }) => {
        delete pod[0]!.metadata.uid;
      },
      [],
    ],
  ])('with %s', async (_, change, expected) => {
    expect(await saidAfter(change)).toEqual(expected);
  });

  it.each(['v0.13.9', 'v0.14.3'])('does not know about MetalLB %s', async (tag) => {
    const verification = await verificationOf(goldenCase('dual-stack'), (objects) =>
      run(objects, tag),
    );
    expect(verification).toMatchObject({ ok: true, counts: { ok: 0, unknown: 1 } });
    expect(claimOf(verification, 443).details[0]?.hint).toContain('leasehold verify --reach');
  });

  it('does not know in a cluster without the statuses', async () => {
    const said = await saidAfter((objects) => {
      Object.assign(objects, { serviceL2Status: undefined });
    });
    expect(said).toEqual([untold('0.14.9')]);
  });

  it('says that no advertisement selects the labels of the Service', async () => {
    const said = await saidAfter((objects) =>
      limit(objects, { serviceSelectors: [{ matchLabels: { a: 'b' } }] }),
    );
    expect(said).toContain(
      `not announced: ${service} no L2Advertisement or BGPAdvertisement is for its pool and its labels`,
    );
  });
});

describe('verifyCluster, for BGP sessions,', () => {
  const peer = (spec: object) => ({
    metadata: { name: 'core', namespace: 'metallb-system' },
    spec,
  });
  const session = (status: object) => ({
    metadata: { name: 'node-a-x', namespace: 'frr-k8s-system' },
    status: { node: 'node-a', peer: '192.0.2.1', bgpStatus: 'Established', ...status },
  });

  /** What is said of the pool that is announced by BGP. The other pool is announced by L2. */
  async function stateAfter(change: (objects: Applied) => void): Promise<string> {
    const verification = await verificationOf(goldenCase('bgp-pool'), (objects) => {
      run(objects, 'v0.16.1');
      objects.serviceBGPStatus.push(
        ...objects.service.map((one) => {
          const status = writtenStatus(one, 'bgp');
          status.status.peers = ['core'];
          return status;
        }),
      );
      objects.bgpPeer.push(peer({ peerAddress: '192.0.2.1' }));
      objects.bgpSessionState.push(session({}));
      change(objects);
    });
    const found = verification.claims.map(({ state, details }) =>
      [state, ...details.map(({ message }) => message)].join(': '),
    );
    return [...new Set(found)].filter((one) => one !== 'ok').join();
  }

  it.each<[string, (objects: Applied) => void, string | RegExp]>([
    ['is ok with an established session', () => {}, /^$/],
    [
      'is ok with one of an IPv6 address',
      (objects) => {
        objects.bgpPeer = [peer({ peerAddress: '2001:db8::1' })];
        objects.bgpSessionState = [session({ peer: '2001-0db8-0000-0000-0000-0000-0000-0001' })];
      },
      /^$/,
    ],
    [
      'is down without one',
      (objects) => {
        objects.bgpSessionState = [session({ bgpStatus: 'Active' })];
      },
      'not announced: no BGP session to the peers that MetalLB announces it to is established',
    ],
    [
      'is down with one on another node',
      (objects) => {
        objects.bgpSessionState = [session({ node: 'node-b' })];
      },
      /^not announced: no BGP session/,
    ],
    [
      'is down with one to another peer',
      (objects) => {
        objects.bgpSessionState = [session({ peer: '192.0.2.2' })];
      },
      /^not announced: no BGP session/,
    ],
    [
      'is unknown without frr-k8s',
      (objects) => Object.assign(objects, { bgpSessionState: undefined }),
      /^unknown: the cluster has no BGPSessionState/,
    ],
    [
      'is unknown in MetalLB 0.14.9',
      (objects) => run(objects, 'v0.14.9'),
      /^unknown: MetalLB 0.14.9 writes no ServiceBGPStatus here/,
    ],
    [
      'is not announced without its status',
      (objects) => objects.serviceBGPStatus.splice(0),
      /^not announced: no node announces it: MetalLB has no ServiceBGPStatus of a live speaker/,
    ],
  ])('%s', async (_, change, expected) => {
    expect(await stateAfter(change)).toMatch(expected);
  });
});

describe('verifyCluster, for interfaces that nodes lack,', () => {
  it.each<[string, readonly object[], readonly object[], boolean]>([
    ['a failure', [], [eventAt('07', 'announceFailed', lacks)], true],
    [
      'a failure, which ends as an attempt that succeeds',
      [],
      [eventAt('07', 'announceFailed', lacks), eventAt('07', 'nodeAssigned', 'announcing')],
      true,
    ],
    [
      'a failure, and a later attempt without one',
      [],
      [eventAt('07', 'announceFailed', lacks), eventAt('47', 'nodeAssigned', 'announcing')],
      false,
    ],
    [
      'a failure before its status',
      [statusOf('app-ip-443-tcp')],
      [eventAt('07', 'announceFailed', lacks)],
      false,
    ],
    ['another warning', [], [eventAt('07', 'AllocationFailed', 'no')], false],
  ])('with interfaces and %s', async (_, statuses, events, isSilent) => {
    const said = await saidAfter((objects) => {
      limit(objects, { interfaces: ['bond0'] });
      Object.assign(objects, { serviceL2Status: statuses, event: events });
    });
    const failed = `not announced: ${service} MetalLB: announceFailed: ${lacks}`;
    expect(said.includes(failed)).toBe(isSilent);
  });
});

/** Makes the speaker's pod fail its probes. */
function unready({ pod }: Applied): void {
  pod[0]!.status.conditions[0].status = 'False';
}
