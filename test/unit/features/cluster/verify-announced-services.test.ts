import { describe, expect, it } from 'vitest';
import {
  addNode,
  limit,
  namespace,
  run,
  saidAfter,
  service,
  untold,
} from '../../../support/live/announcing.ts';
import { type Applied, statusOf as writtenStatus } from '../../../support/live/applied-objects.ts';
import { claimOf, goldenCase, verificationOf } from '../../../support/live/verification.ts';

/** A status that MetalLB writes for a Service. */
const statusOf = (name: string, kind: 'l2' | 'bgp' = 'l2') =>
  writtenStatus({ metadata: { name, namespace } }, kind);

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

  /** What frr-k8s says of its configuration on a node. */
  const nodeState = (status: object) => ({ metadata: { name: 'node-a' }, status });
  function killSpeaker({ daemonSet, pod }: Applied): void {
    daemonSet[0]!.status.numberReady = 0;
    pod[0]!.status.conditions[0].status = 'False';
  }
  /** A session that a pod in MetalLB's namespace tells of, which is ready or not. */
  function ownSession({ pod }: Applied, ready: string) {
    const uid = 'uid-frr-k8s-a';
    pod.push({
      metadata: { name: 'frr-k8s-a', namespace: 'metallb-system', uid },
      spec: { nodeName: 'node-a' },
      status: { conditions: [{ type: 'Ready', status: ready }] },
    });
    const metadata = { name: 'node-a-x', namespace: 'metallb-system' };
    return { ...session({}), metadata: { ...metadata, ownerReferences: [{ kind: 'Pod', uid }] } };
  }

  /** What is found where one pool is announced by BGP, and the other by L2. */
  const verifiedAfter = (change: (objects: Applied) => void) =>
    verificationOf(goldenCase('bgp-pool'), (objects) => {
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

  /** What is said of the pool that is announced by BGP. */
  async function stateAfter(change: (objects: Applied) => void): Promise<string> {
    const verification = await verifiedAfter(change);
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
        const spec = { peerAddress: '2001:db8::1', dualStackAddressFamily: true };
        objects.bgpPeer = [peer(spec)];
        objects.bgpSessionState = [session({ peer: '2001-0db8-0000-0000-0000-0000-0000-0001' })];
      },
      /^$/,
    ],
    [
      'is ok with one of an interface, which takes both families',
      (objects) => {
        objects.bgpPeer = [peer({ interface: 'eth1' })];
        objects.bgpSessionState = [session({ peer: 'eth1' })];
      },
      /^$/,
    ],
    [
      'is not announced to a peer of the other family',
      (objects) => {
        objects.bgpPeer = [peer({ peerAddress: '2001:db8::1' })];
        objects.bgpSessionState = [session({ peer: '2001-0db8-0000-0000-0000-0000-0000-0001' })];
      },
      /^not announced: no BGPPeer that MetalLB announces it to takes IPv4 addresses$/,
    ],
    [
      'is unknown when the pod that told of the session is not ready',
      (objects) => objects.bgpSessionState.splice(0, 1, ownSession(objects, 'False')),
      /^unknown: frr-k8s on the nodes that announce it is not ready/,
    ],
    [
      'is unknown when the pod that told of the session is gone',
      (objects) => {
        objects.bgpSessionState = [ownSession(objects, 'True')];
        objects.pod.pop();
      },
      /^unknown: frr-k8s on the nodes that announce it is not ready/,
    ],
    [
      'is ok when the pod that told of the session is ready',
      (objects) => objects.bgpSessionState.splice(0, 1, ownSession(objects, 'True')),
      /^$/,
    ],
    [
      'is unknown on a node that is not ready',
      ({ node }) => node[0]!.status.conditions.push({ type: 'Ready', status: 'Unknown' }),
      /^unknown: frr-k8s on the nodes that announce it is not ready/,
    ],
    [
      'is unknown where frr-k8s refuses its configuration',
      (objects) => objects.frrNodeState.push(nodeState({ lastConversionResult: 'failed: asns' })),
      /^unknown: frr-k8s on the nodes that announce it is not ready, or refuses/,
    ],
    [
      'is unknown when FRR keeps what a dead speaker has told it',
      killSpeaker,
      /unknown: no MetalLB speaker that announces it is ready, and FRR on node-a keeps/,
    ],
    [
      'is not announced when the session of a dead speaker is down',
      (objects) => {
        killSpeaker(objects);
        objects.bgpSessionState = [session({ bgpStatus: 'Active' })];
      },
      /^not announced: no MetalLB speaker is ready on node-a$/,
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

  const refused =
    'FRRNodeState node-a frr-k8s on node-a refuses its configuration, and FRR keeps the last valid one';

  it.each<[string, object, readonly string[]]>([
    ['that is well', { lastConversionResult: 'success', lastReloadResult: 'success' }, []],
    ['that is not loaded yet', { lastConversionResult: 'success' }, []],
    [
      'that it could not convert',
      { lastConversionResult: 'failed: two asns: ', lastReloadResult: 'success' },
      [`${refused}: failed: two asns:`],
    ],
    [
      'that FRR could not load',
      { lastConversionResult: 'success', lastReloadResult: 'line 1: % Unknown command' },
      [`${refused}: the reload failed`],
    ],
  ])('tells of a configuration of frr-k8s %s', async (_, status, expected) => {
    const { findings, ok } = await verifiedAfter(({ frrNodeState }) => {
      frrNodeState.push(nodeState(status));
    });
    expect(findings.map(({ object, message }) => `${object} ${message}`)).toEqual(expected);
    expect(ok).toBe(expected.length === 0);
  });

  it('tells of a node on which FRR announces without a live speaker', async () => {
    const { findings, ok } = await verifiedAfter(killSpeaker);
    expect(findings.map(({ object, message }) => `${object} ${message}`)).toEqual([
      expect.stringMatching(/^DaemonSet metallb-system\/speaker has no ready pod on node-a: FRR/),
    ]);
    expect(ok).toBe(false);
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

describe('verifyCluster, for a Service whose status MetalLB 0.14 has deleted,', () => {
  const silent = `not announced: ${service} no node announces it: MetalLB has no ServiceL2Status of a live speaker for it`;
  const says = (node: string) =>
    eventAt('30', 'nodeAssigned', `announcing from node "${node}" with protocol "layer2"`);
  /** The speaker on node-a started at a second of that minute. */
  const startedAt = (second: string) => ({
    name: 'speaker',
    state: { running: { startedAt: `2026-11-20T10:00:${second}Z` } },
  });
  const lost = expect.stringMatching(
    /^unknown: .* MetalLB 0\.14\.9 has no ServiceL2Status for it.* and node-a has announced it since/,
  );

  /** What a speaker has told, by 0.14.9 when nothing else is said. */
  interface Speaker {
    readonly container?: object;
    readonly events?: readonly object[];
    readonly tag?: string;
  }

  it.each<[string, Speaker, unknown]>([
    ['that has announced it since', { container: startedAt('20') }, lost],
    ['that has started since', { container: startedAt('40') }, silent],
    ['that started at a time that is not told', {}, silent],
    ['that says nothing', { container: startedAt('20'), events: [] }, silent],
    ['and another node', { container: startedAt('20'), events: [says('node-b')] }, silent],
    ['of a version that keeps it', { container: startedAt('20'), tag: 'v0.16.1' }, silent],
  ])('with a speaker %s', async (_, { container = {}, events, tag = 'v0.14.9' }, expected) => {
    const said = await saidAfter((objects) => {
      run(objects, tag);
      objects.pod[0]!.status.containerStatuses = [container];
      Object.assign(objects, { serviceL2Status: [], event: events ?? [says('node-a')] });
    });
    expect(said).toEqual([expected]);
  });
});
