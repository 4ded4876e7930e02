import { type LiveObject, listAt, liveObjectName, textAt } from '../../../../core/model/live.ts';
import { addToGroup } from '../../../../core/model/order.ts';
import { firstMetalLB, isSince } from '../../../../core/model/planes.ts';
import type { Family } from '../../../../core/net/address.ts';
import { BgpSessions, type SessionObjects } from './bgp-sessions.ts';
import type { Speakers } from './speakers.ts';

/** How MetalLB announces an address. */
export type Protocol = 'l2' | 'bgp';

/** The objects that the statuses of MetalLB are read from; undefined for a kind that the cluster lacks. */
export interface StatusObjects extends SessionObjects {
  /** ServiceL2Statuses and ServiceBGPStatuses. */
  readonly services: Readonly<Record<Protocol, readonly LiveObject[] | undefined>>;
}

/**
 * How MetalLB says that it announces a Service; by BGP, all its addresses. `silent`: no live speaker
 * says that it does.
 */
export type Announced = 'announced' | NoRoute | Unclear | 'silent';

/** No peer gets a route: none has a session, or none takes addresses of the family. */
export type NoRoute = 'no session' | `no ${Family} peer`;

/**
 * It is not known whether MetalLB announces a Service: it writes no status, the status names two
 * nodes, the cluster does not tell of sessions, or what it tells of them may have changed.
 */
export type Unclear = 'no status' | 'two nodes' | 'no sessions' | 'old sessions';

/** The worst first: a Service is announced as its address is that is announced worst. */
const worst = ['no ipv4 peer', 'no ipv6 peer', 'no session', 'old sessions', 'announced'] as const;

/** The Services that MetalLB says it announces. */
export class AnnouncedServices {
  /** Of the speakers, `major.minor.patch`. */
  readonly version: string;
  readonly #writesStatus: Readonly<Record<Protocol, boolean>>;
  /** The nodes of each Service, by the name of the object, with the BGPPeers. */
  readonly #said: Readonly<Record<Protocol, ReadonlyMap<string, readonly Said[]>>>;
  readonly #sessions: BgpSessions | undefined;
  /** FRRNodeStates of frr-k8s; none where it does not run. */
  readonly nodeStates: readonly LiveObject[];

  constructor(speakers: Speakers, statuses: StatusObjects) {
    const { services, sessions, nodeStates } = statuses;
    this.nodeStates = sessions.length > 0 ? nodeStates : [];
    this.version = speakers.version;
    this.#writesStatus = {
      l2: services.l2 !== undefined && isSince(speakers.version, firstMetalLB.l2Status),
      bgp: services.bgp !== undefined && isSince(speakers.version, firstMetalLB.bgpStatus),
    };
    this.#said = {
      l2: saidBy(services.l2 ?? [], speakers),
      bgp: saidBy(services.bgp ?? [], speakers),
    };
    // Every BGPPeer has a session state where frr-k8s runs.
    this.#sessions = sessions.length > 0 ? new BgpSessions(statuses) : undefined;
  }

  /** False when a Service that is announced by L2 can lack its status. */
  get keepsL2(): boolean {
    return isSince(this.version, firstMetalLB.ownL2Status);
  }

  /** True when MetalLB writes a status for each Service that it announces so. */
  writesStatus(protocol: Protocol): boolean {
    return this.#writesStatus[protocol];
  }

  /** How live speakers on some nodes announce a Service. */
  of(
    service: string,
    protocol: Protocol,
    nodes: ReadonlySet<string>,
    addresses: readonly string[] = [],
  ): Announced {
    const said = (this.#said[protocol].get(service) ?? []).filter(({ isLive }) => isLive);
    const own = said.filter(({ node, label }) => node === label && nodes.has(node));
    if (own.length === 0) {
      const isUnclear = said.some(({ node, label }) => nodes.has(node) || nodes.has(label));
      return isUnclear ? 'two nodes' : 'silent';
    }
    if (protocol === 'l2') return 'announced';
    const sessions = this.#sessions;
    if (!sessions) return 'no sessions';
    const each = addresses.map((address) => announcedTo(own, familyOf(address), sessions));
    return worst.find((one) => each.includes(one)) ?? 'no session';
  }

  /**
   * The nodes without a live speaker that have a session to a peer of a Service. FRR keeps what a
   * speaker has told it: it announces the Service as long as it runs, whatever has changed since.
   */
  keptOn(service: string, addresses: readonly string[]): readonly string[] {
    const sessions = this.#sessions;
    if (!sessions) return [];
    const gone = (this.#said.bgp.get(service) ?? []).filter(({ isLive }) => !isLive);
    const isUp = (one: Said) =>
      addresses.some((address) => announcedTo([one], familyOf(address), sessions) === 'announced');
    return gone.filter(isUp).map(({ node }) => node);
  }
}

function familyOf(address: string): Family {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

/** How nodes announce an address of a family. */
function announcedTo(
  nodes: readonly Said[],
  family: Family,
  sessions: BgpSessions,
): 'announced' | 'old sessions' | NoRoute {
  const states = nodes.flatMap(({ node, peers }) =>
    peers.map((peer) => sessions.of(node, peer, family)),
  );
  if (states.includes('established')) return 'announced';
  if (states.includes('old')) return 'old sessions';
  const isOther = states.length > 0 && !states.includes('down');
  return isOther ? `no ${family} peer` : 'no session';
}

/** A node that announces a Service. */
interface Said {
  readonly node: string;
  /** The node in the label of the status. */
  readonly label: string;
  /** The BGPPeers that it announces the Service to. */
  readonly peers: readonly unknown[];
  /** False when its speaker is not ready. */
  readonly isLive: boolean;
}

/**
 * The nodes that speakers say they announce Services from. The status of a node that is gone stays
 * for a while, and is not live. MetalLB before 0.15 can leave a status that has labels alone. When
 * a node takes a Service over, it changes the label and not the status; when it withdraws the
 * Service, it leaves such a status. MetalLB: internal/k8s/controllers/layer2_status_controller.go.
 */
function saidBy(
  statuses: readonly LiveObject[],
  { nodes, pods }: Speakers,
): ReadonlyMap<string, readonly Said[]> {
  const said = new Map<string, Said[]>();
  for (const { metadata, status } of statuses) {
    const {
      'metallb.io/service-name': name,
      'metallb.io/service-namespace': namespace,
      'metallb.io/node': label = '',
    } = metadata.labels ?? {};
    const node = textAt(status, 'node');
    if (name === undefined || namespace === undefined || node === undefined) continue;
    const owners = listAt(metadata, 'ownerReferences').map((owner) => textAt(owner, 'uid'));
    const isOfPod =
      pods.size === 0 || owners.length === 0 || owners.some((uid) => pods.has(uid ?? ''));
    const isLive = isOfPod && (!nodes || nodes.has(node) || nodes.has(label));
    const service = liveObjectName('service', { metadata: { namespace, name } });
    addToGroup(said, service, { node, label, peers: listAt(status, 'peers'), isLive });
  }
  return said;
}
