import { fieldAt, type LiveObject, listAt, textAt } from '../../../../core/model/live.ts';
import {
  type Family,
  formatAddress,
  isAddress,
  parseAddress,
} from '../../../../core/net/address.ts';
import { isReady } from './speakers.ts';

/** The reported BGP sessions of a cluster. */
export interface SessionObjects {
  /** BGPPeers, in MetalLB's namespace. */
  readonly peers: readonly LiveObject[];
  /** BGPSessionStates of frr-k8s. */
  readonly sessions: readonly LiveObject[];
  /** FRRNodeStates of frr-k8s. */
  readonly nodeStates: readonly LiveObject[];
  readonly nodes: readonly LiveObject[];
  /** The pods of MetalLB's namespace; undefined when unknown. */
  readonly pods: readonly LiveObject[] | undefined;
}

/**
 * What is known of a session to a peer. `old` when what frr-k8s says of it may have changed since;
 * `other family` when the peer takes no address of a family.
 */
export type SessionState = 'established' | 'down' | 'old' | 'other family';

interface Peer {
  /** Its address or interface, and its VRF. */
  readonly place: string;
  /** The only family that it takes; undefined for both. */
  readonly family: Family | undefined;
}

/** The BGP sessions that frr-k8s tells of. */
export class BgpSessions {
  readonly #peers: ReadonlyMap<string, Peer>;
  /** By node and place of the peer. */
  readonly #states = new Map<string, SessionState>();
  /** The nodes whose FRR may lack what MetalLB says. */
  readonly #refusing: ReadonlySet<string>;

  constructor({ peers, sessions, nodeStates, nodes, pods = [] }: SessionObjects) {
    this.#peers = new Map(peers.map((peer) => [peer.metadata.name, readPeer(peer)]));
    const refusing = nodeStates.filter((state) => refusalOf(state) !== undefined);
    this.#refusing = new Set(refusing.map(({ metadata }) => metadata.name));
    const isOld = oldness(nodes, pods);
    for (const session of sessions) {
      const { status } = session;
      const node = textAt(status, 'node') ?? '';
      const place = peerPlace(textAt(status, 'peer'), textAt(status, 'vrf'));
      const isUp = fieldAt(status, 'bgpStatus') === 'Established';
      this.#states.set(`${node} ${place}`, isOld(session) ? 'old' : isUp ? 'established' : 'down');
    }
  }

  /** The session of a node to a BGPPeer, for addresses of a family. */
  of(node: string, name: unknown, family: Family): SessionState {
    const peer = this.#peers.get(String(name));
    if (!peer) return 'down';
    if (peer.family !== undefined && peer.family !== family) return 'other family';
    const state = this.#states.get(`${node} ${peer.place}`) ?? 'down';
    return state === 'established' && this.#refusing.has(node) ? 'old' : state;
  }
}

/**
 * Why FRR on a node keeps the configuration that it has: frr-k8s could not convert or load the
 * newest. Undefined when it does not say so.
 */
export function refusalOf({ status }: LiveObject): string | undefined {
  const converted = textAt(status, 'lastConversionResult') ?? '';
  if (converted !== '' && converted !== 'success') return converted.trim();
  const loaded = textAt(status, 'lastReloadResult') ?? '';
  return loaded === '' || loaded === 'success' ? undefined : 'the reload failed';
}

/**
 * Finds the states that are no longer updated: the node is not ready, or its pod of frr-k8s is not.
 * Pods are known only in the namespace of MetalLB.
 */
function oldness(
  nodes: readonly LiveObject[],
  pods: readonly LiveObject[],
): (session: LiveObject) => boolean {
  const lost = nodes.filter(({ status }) =>
    listAt(status, 'conditions').some(
      (one) => textAt(one, 'type') === 'Ready' && textAt(one, 'status') !== 'True',
    ),
  );
  const lostNames = new Set(lost.map(({ metadata }) => metadata.name));
  const namespaces = new Set(pods.map(({ metadata }) => metadata.namespace));
  const ready = new Set(pods.filter(isReady).map((pod) => textAt(pod, 'metadata', 'uid')));
  return ({ metadata, status }) => {
    if (lostNames.has(textAt(status, 'node') ?? '')) return true;
    const owners = listAt(metadata, 'ownerReferences').map((owner) => textAt(owner, 'uid'));
    if (owners.length === 0 || !namespaces.has(metadata.namespace)) return false;
    return !owners.some((uid) => ready.has(uid));
  };
}

/** MetalLB 0.15 and later announces to a peer addresses of its own family alone, unless told otherwise. */
function readPeer({ spec }: LiveObject): Peer {
  const text = textAt(spec, 'peerAddress') ?? textAt(spec, 'interface');
  const address = parseAddress(text ?? '');
  const isOfOne = isAddress(address) && fieldAt(spec, 'dualStackAddressFamily') !== true;
  return {
    place: peerPlace(text, textAt(spec, 'vrf')),
    family: isOfOne ? address.family : undefined,
  };
}

/** A peer and its VRF. frr-k8s writes an IPv6 address in full, with dashes. */
function peerPlace(peer = '', vrf = ''): string {
  const address = parseAddress(peer.replaceAll('-', ':'));
  return `${isAddress(address) ? formatAddress(address) : peer} ${vrf}`;
}
