import {
  fieldAt,
  type LiveObject,
  listAt,
  liveObjectName,
  textAt,
} from '../../../core/model/live.ts';
import { firstMetalLB, isSince } from '../../../core/model/metallb-versions.ts';
import { addToGroup } from '../../../core/model/order.ts';
import { formatAddress, isAddress, parseAddress } from '../../../core/net/address.ts';
import type { Speakers } from './speakers.ts';

/** How MetalLB announces an address. */
export type Protocol = 'l2' | 'bgp';

/** What the statuses of MetalLB are read from; undefined for a kind that the cluster lacks. */
export interface StatusObjects {
  /** ServiceL2Statuses and ServiceBGPStatuses. */
  readonly services: Readonly<Record<Protocol, readonly LiveObject[] | undefined>>;
  /** BGPPeers, in MetalLB's namespace. */
  readonly peers: readonly LiveObject[];
  /** BGPSessionStates of frr-k8s. */
  readonly sessions: readonly LiveObject[] | undefined;
}

/**
 * What MetalLB says of a Service: `yes` when a node announces it. `down` when it is announced by BGP,
 * and no session to its peers is established. The others are not known: `no sessions` when the
 * cluster does not tell of sessions, and `two nodes` for a status that names two nodes.
 */
export type Announced = 'yes' | 'down' | 'no sessions' | 'two nodes';

/** What MetalLB says of the Services that it announces. */
export class AnnouncedServices {
  /** Of the speakers, `major.minor.patch`. */
  readonly version: string;
  readonly #told: Readonly<Record<Protocol, boolean>>;
  /** The nodes of each Service, by the name of the object, with the BGPPeers. */
  readonly #said: Readonly<Record<Protocol, ReadonlyMap<string, readonly Said[]>>>;
  /** The established sessions, as `node peer` with the name of the BGPPeer. */
  readonly #sessions: ReadonlySet<string> | undefined;

  constructor(speakers: Speakers, { services, peers, sessions }: StatusObjects) {
    this.version = speakers.version;
    this.#told = {
      l2: services.l2 !== undefined && isSince(speakers.version, firstMetalLB.l2Status),
      bgp: services.bgp !== undefined && isSince(speakers.version, firstMetalLB.bgpStatus),
    };
    this.#said = {
      l2: saidBy(services.l2 ?? [], speakers),
      bgp: saidBy(services.bgp ?? [], speakers),
    };
    // Every BGPPeer has a session state where frr-k8s runs.
    this.#sessions = sessions && sessions.length > 0 ? sessionsOf(sessions, peers) : undefined;
  }

  /** True when MetalLB writes a status for each Service that it announces so. */
  tells(protocol: Protocol): boolean {
    return this.#told[protocol];
  }

  /** What speakers on some nodes say of a Service; undefined when none announces it. */
  of(service: string, protocol: Protocol, nodes: ReadonlySet<string>): Announced | undefined {
    const said = this.#said[protocol].get(service) ?? [];
    const own = said.filter(({ node, label }) => node === label && nodes.has(node));
    if (own.length === 0) {
      const isUnclear = said.some(({ node, label }) => nodes.has(node) || nodes.has(label));
      return isUnclear ? 'two nodes' : undefined;
    }
    if (protocol === 'l2') return 'yes';
    const sessions = this.#sessions;
    if (!sessions) return 'no sessions';
    return own.some(({ node, peers }) => peers.some((peer) => sessions.has(`${node} ${peer}`)))
      ? 'yes'
      : 'down';
  }
}

/** A node that announces a Service. */
interface Said {
  readonly node: string;
  /** The node in the label of the status. */
  readonly label: string;
  /** The BGPPeers that it announces the Service to. */
  readonly peers: readonly unknown[];
}

/**
 * The nodes that speakers say they announce Services from. The status of a node that is gone stays
 * for a while, and does not count. MetalLB before 0.15 can leave a status that has labels alone. When
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
    if (!isOfPod || (nodes && !nodes.has(node) && !nodes.has(label))) continue;
    const service = liveObjectName('service', { metadata: { namespace, name } });
    addToGroup(said, service, { node, label, peers: listAt(status, 'peers') });
  }
  return said;
}

function sessionsOf(
  states: readonly LiveObject[],
  peers: readonly LiveObject[],
): ReadonlySet<string> {
  const names = new Map<string, string[]>();
  for (const { metadata, spec } of peers) {
    const peer = textAt(spec, 'peerAddress') ?? textAt(spec, 'interface') ?? '';
    addToGroup(names, `${peerText(peer)} ${textAt(spec, 'vrf') ?? ''}`, metadata.name);
  }
  return new Set(
    states.flatMap(({ status }) => {
      if (fieldAt(status, 'bgpStatus') !== 'Established') return [];
      const peer = peerText(textAt(status, 'peer') ?? '');
      const found = names.get(`${peer} ${textAt(status, 'vrf') ?? ''}`);
      return (found ?? []).map((name) => `${textAt(status, 'node') ?? ''} ${name}`);
    }),
  );
}

/** The canonical text of a peer. frr-k8s writes an IPv6 address in full, with dashes. */
function peerText(peer: string): string {
  const address = parseAddress(peer.replaceAll('-', ':'));
  return isAddress(address) ? formatAddress(address) : peer;
}
