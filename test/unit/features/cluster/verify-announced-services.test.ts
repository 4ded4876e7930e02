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
