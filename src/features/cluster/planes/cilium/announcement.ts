import { poolLabel } from '../../../../core/manifests/manifest.ts';
import { type Day, daysBetween, parseDay } from '../../../../core/model/day.ts';
import { fieldAt, type LiveObject, listAt, numberAt, textAt } from '../../../../core/model/live.ts';
import { parseAddress } from '../../../../core/net/address.ts';
import type { Desired } from '../../desired.ts';
import type { DesiredClaim } from '../../live/claim-state.ts';
import { selects } from '../../live/label-selector.ts';
import { isLabelled } from '../../live/object-state.ts';
import type { Seen } from '../../live/snapshot.ts';
import {
  isNoNode,
  type NoNode,
  noEndpoints,
  notAnnounced,
  notLocal,
  readyEndpoints,
} from '../announcing.ts';
import { type Gathered, listBeside, type PlaneEvidence } from '../plane.ts';

/** The nodes that announce, or why none does. */
type Announcing = ReadonlySet<string> | NoNode;

/** A BGP peer of a node. */
interface Peer {
  readonly node: string;
  /** The name of its CiliumBGPPeerConfig. */
  readonly config: string | undefined;
  readonly isEstablished: boolean;
}

/** What decides whether Cilium announces a Service. */
interface Facts {
  readonly namespace: string;
  readonly nodes: readonly LiveObject[];
  readonly leases: readonly LiveObject[];
  readonly peerConfigs: readonly LiveObject[];
  readonly peers: readonly Peer[];
}

/**
 * Whether Cilium announces the Services that have their addresses. By L2 a node that announces one
 * keeps a Lease for it. By BGP it is known to which peers an advertisement goes and whether their
 * sessions are established, and not which prefixes they get. Cilium: pkg/l2announcer, pkg/bgp.
 */
export async function ciliumAnnouncement(
  { cluster: { plane }, claims }: Desired,
  { live, list, asked }: Gathered,
): Promise<PlaneEvidence['announcementOf']> {
  const services = claims.flatMap(({ service }) => live.get(service) ?? []);
  const slices = await listBeside(services, 'endpointSlice', asked);
  const endpoints = slices && readyEndpoints(slices);
  const facts: Facts = {
    namespace: plane.namespace,
    nodes: (await list('node')) ?? [],
    leases: (await list('l2Lease')) ?? [],
    peerConfigs: (await list('ciliumBGPPeerConfig')) ?? [],
    peers: ((await list('ciliumBGPNodeConfig')) ?? []).flatMap(peersOf),
  };
  const announcements = [...live.all()].filter(
    ({ kind }) => kind === 'ciliumL2Policy' || kind === 'ciliumBGPAdvertisement',
  );
  return (wanted) => {
    const service = live.get(wanted.service);
    if (!service) return [];
    const all = announcements.filter((one) => selectsService(one, service));
    const [own, others] = [all.filter(isLabelled), all.filter((one) => !isLabelled(one))];
    // One that is missing is told as not applied.
    if (own.length === 0 && wanted.objects.some(({ name }) => !live.get(name))) return [];
    if (all.length === 0) return [notAnnounced(wanted, notSelected)];
    const ready = endpoints && (endpoints.get(wanted.service) ?? []);
    if (ready?.length === 0)
      return [noEndpoints(wanted, service, 'so nothing answers at its address')];
    const fault = silence(own, { service, wanted, ready }, facts);
    if (!fault) return [];
    const isByOthers = !silence(others, { service, wanted, ready }, facts);
    return [notAnnounced(wanted, isByOthers ? onlyBy(others, fault) : fault)];
  };
}

/** A Service that may be announced, with its ready endpoints as far as they are known. */
interface Announced {
  readonly service: LiveObject;
  readonly wanted: DesiredClaim;
  readonly ready: readonly unknown[] | undefined;
}

/** Why no announcement reaches anybody; undefined when one does. */
function silence(
  some: readonly Seen[],
  { service, wanted, ready }: Announced,
  facts: Facts,
): NoNode | undefined {
  const found = [byL2(some, service, wanted, facts), byBGP(some, wanted, facts)];
  const faults = found.flatMap((one) => (one ? [faultOf(one, service, ready)] : []));
  return faults.includes(undefined) ? undefined : (faults[0] ?? notSelected);
}

/** What is announced only by objects that are not of leasehold, which may be deleted any time. */
function onlyBy(others: readonly Seen[], { reason, ...fault }: NoNode): NoNode {
  const names = others.map(({ name }) => name).join(', ');
  return { ...fault, reason: `only ${names}, not of leasehold, announces it: ${reason}` };
}

/** Why the nodes that announce a Service send it no packets; undefined when they do. */
function faultOf(
  announcing: Announcing,
  service: LiveObject,
  ready: readonly unknown[] | undefined,
): NoNode | undefined {
  if (isNoNode(announcing)) return announcing;
  const isLocal = textAt(service, 'spec', 'externalTrafficPolicy') === 'Local';
  const isFed = ready?.some((one) => announcing.has(textAt(one, 'nodeName') ?? ''));
  return isLocal && isFed === false ? notLocal('Cilium') : undefined;
}

/** A policy, or an advertisement, that is for a Service. Without a selector, a policy is for all. */
function selectsService({ kind, object }: Seen, { metadata }: LiveObject): boolean {
  const labels = {
    ...metadata.labels,
    'io.kubernetes.service.name': metadata.name,
    'io.kubernetes.service.namespace': metadata.namespace ?? '',
  };
  const spec = fieldAt(object, 'spec');
  if (kind === 'ciliumL2Policy') {
    const selector = fieldAt(spec, 'serviceSelector');
    const isOn = fieldAt(spec, 'loadBalancerIPs') === true;
    return isOn && (selector === undefined || selects(selector, labels));
  }
  return listAt(spec, 'advertisements').some((one) => {
    const selector = fieldAt(one, 'selector');
    const isOn = listAt(one, 'service', 'addresses').includes('LoadBalancerIP');
    return isOn && selector !== undefined && selects(selector, labels);
  });
}

/** The node with the Lease of a Service; undefined when no policy is for it. */
function byL2(
  announcements: readonly Seen[],
  { metadata }: LiveObject,
  { announcedBy }: DesiredClaim,
  { namespace, nodes, leases }: Facts,
): Announcing | undefined {
  const policies = announcements.filter(({ kind }) => kind === 'ciliumL2Policy');
  if (policies.length === 0) return undefined;
  const isAllowed = nodes.some((node) =>
    policies.some(({ object }) => {
      const selector = fieldAt(object, 'spec', 'nodeSelector');
      return selector === undefined || selects(selector, node.metadata.labels);
    }),
  );
  if (!isAllowed) {
    const reason = 'no node has the labels of its CiliumL2AnnouncementPolicy';
    return { reason, fix: `label a node, or change ${announcedBy.nodeSelectors}` };
  }
  const name = `cilium-l2announce-${metadata.namespace}-${metadata.name}`;
  const lease = leases.find((one) => one.metadata.name === name);
  const holder = lease && isRenewed(lease, leases) && textAt(lease, 'spec', 'holderIdentity');
  if (holder && nodes.some((node) => node.metadata.name === holder)) return new Set([holder]);
  const state = lease ? 'renews its Lease' : 'has the Lease';
  return {
    reason: `no node ${state} ${name}, so none answers for it`,
    fix: 'check that Cilium runs with l2announcements and kubeProxyReplacement, and what its agents log',
    command: `kubectl -n ${namespace} logs daemonset/cilium -c cilium-agent`,
  };
}

/** Seconds by which the clocks of nodes may differ. */
const clockSkew = 30;

/** The newest renewal of any Lease in the namespace is the time in the cluster. */
function isRenewed(lease: LiveObject, leases: readonly LiveObject[]): boolean {
  const now = leases.reduce((newest, one) => Math.max(newest, renewed(one)), 0);
  const seconds = numberAt(lease, 'spec', 'leaseDurationSeconds') ?? 0;
  return now - renewed(lease) <= seconds + clockSkew;
}

/** When a Lease was renewed, in seconds since 2000; 0 when that is not known. */
function renewed(lease: LiveObject): number {
  const text = textAt(lease, 'spec', 'renewTime') ?? '';
  const day = parseDay(text.slice(0, 10));
  const [, hours, minutes, seconds] = /T(\d\d):(\d\d):(\d\d)/.exec(text) ?? [];
  if (!day || seconds === undefined) return 0;
  const days = daysBetween('2000-01-01' as Day, day);
  return days * 86_400 + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** The nodes with an established session to a peer that gets the addresses; undefined when no advertisement is for it. */
function byBGP(
  announcements: readonly Seen[],
  { addresses }: DesiredClaim,
  { peerConfigs, peers }: Facts,
): Announcing | undefined {
  const own = announcements.filter(({ kind }) => kind === 'ciliumBGPAdvertisement');
  if (own.length === 0) return undefined;
  const families = [...new Set(addresses.map(familyIn))];
  const found = families.map((family): Announcing => {
    const configs = peerConfigs.filter((config) =>
      own.some(({ object }) => choosesFor(config, family, object.metadata.labels)),
    );
    if (configs.length === 0) return notChosen(own, family);
    const names = new Set(configs.map(({ metadata }) => metadata.name));
    const asked = peers.filter(({ config }) => config !== undefined && names.has(config));
    if (asked.length === 0) return noPeer([...names]);
    const up = asked.filter(({ isEstablished }) => isEstablished);
    return up.length === 0 ? noSession : new Set(up.map(({ node }) => node));
  });
  return found.find(isNoNode) ?? found[0];
}

/** True when a CiliumBGPPeerConfig gives its peers, in a family, the advertisements with some labels. */
export function choosesFor(
  config: LiveObject,
  family: string,
  labels: LiveObject['metadata']['labels'],
): boolean {
  return listAt(config, 'spec', 'families').some((one) => {
    const selector = fieldAt(one, 'advertisements');
    const isOf = textAt(one, 'afi') === family && textAt(one, 'safi') === 'unicast';
    return isOf && selector !== undefined && selects(selector, labels);
  });
}

function familyIn(text: string): string {
  const address = parseAddress(text);
  return 'family' in address ? address.family : 'ipv4';
}

/** The peers of a node, in all of its instances. */
function peersOf({ metadata: { name: node }, ...config }: LiveObject): readonly Peer[] {
  const states = listAt(config, 'status', 'bgpInstances');
  return listAt(config, 'spec', 'bgpInstances').flatMap((instance) => {
    const own = states.find((one) => textAt(one, 'name') === textAt(instance, 'name'));
    return listAt(instance, 'peers').map((peer): Peer => {
      const state = listAt(own, 'peers').find(
        (one) => textAt(one, 'name') === textAt(peer, 'name'),
      );
      const isEstablished = textAt(state, 'peeringState') === 'established';
      return { node, config: textAt(peer, 'peerConfigRef', 'name'), isEstablished };
    });
  });
}

const notSelected: NoNode = {
  reason: 'no CiliumL2AnnouncementPolicy or CiliumBGPAdvertisement is for its labels',
  fix: 'give it the labels that `leasehold list -o values` prints, or apply its advertisement',
};

function notChosen(own: readonly Seen[], family: string): NoNode {
  const [pool = ''] = own.flatMap(({ object }) => object.metadata.labels?.[poolLabel] ?? []);
  return {
    reason: `no CiliumBGPPeerConfig selects its CiliumBGPAdvertisement for ${family}`,
    fix: choosingHint(pool, family),
  };
}

/** How a CiliumBGPPeerConfig comes to choose the advertisements of a pool. */
export function choosingHint(pool: string, family: string): string {
  return `add to the ${family} family of one: advertisements: { matchLabels: { ${poolLabel}: ${pool} } }`;
}

function noPeer(configs: readonly string[]): NoNode {
  const [name = ''] = configs.toSorted();
  return {
    reason: `no node has a BGP peer with the CiliumBGPPeerConfig ${name}`,
    fix: 'name it in peerConfigRef of a peer of a CiliumBGPClusterConfig that selects nodes',
  };
}

const noSession: NoNode = {
  reason: 'no BGP session to the peers that get it is established',
  fix: 'see the sessions',
  command: 'kubectl get ciliumbgpnodeconfigs -o yaml',
};
