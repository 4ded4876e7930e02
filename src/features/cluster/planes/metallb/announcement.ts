import { fieldAt, type LiveObject, listAt, textAt } from '../../../../core/model/live.ts';
import { addToGroup, compareText } from '../../../../core/model/order.ts';
import { fewOf } from '../../../../core/model/problem.ts';
import type { DesiredClaim } from '../../live/claim-state.ts';
import { anySelects, selects } from '../../live/label-selector.ts';
import type { Snapshot } from '../../live/snapshot.ts';
import type { ClusterFinding, Detail } from '../../verification-answer.ts';
import { isNoNode, type NoNode, noEndpoints, notAnnounced, notLocal } from '../announcing.ts';
import type { AnnouncedServices, NoRoute, Protocol, Unclear } from './announced-services.ts';
import { refusedByFrr, unledNodes } from './metallb-findings.ts';
import { announcingNodes, type Speakers } from './speakers.ts';

/** The objects that decide whether MetalLB announces an address. */
export interface AnnouncementFacts {
  readonly live: Snapshot;
  /** The namespace of MetalLB. */
  readonly namespace: string;
  readonly nodes: readonly LiveObject[];
  readonly speakers: Speakers;
  /** The ready endpoints of each Service, by the name of the object; undefined when unknown. */
  readonly endpoints: ReadonlyMap<string, readonly unknown[]> | undefined;
  readonly announced: AnnouncedServices;
}

interface Advertisement {
  readonly name: string;
  readonly protocol: Protocol;
  readonly nodeSelectors: readonly unknown[];
  readonly spec: unknown;
}

/** The protocol of each kind of advertisement. */
const advertised: Readonly<Record<string, Protocol>> = {
  l2Advertisement: 'l2',
  bgpAdvertisement: 'bgp',
};

/** Whether packets can arrive at the Services of a cluster that have their addresses. */
export class Announcement {
  readonly #facts: AnnouncementFacts;
  /** By the pool that they name. */
  readonly #named = new Map<string, Advertisement[]>();
  /** Those that select pools by label, or all pools. */
  readonly #others: Advertisement[] = [];

  constructor(facts: AnnouncementFacts) {
    this.#facts = facts;
    for (const { kind, name, object } of facts.live.all()) {
      const protocol = advertised[kind];
      if (!protocol || object.metadata.namespace !== facts.namespace) continue;
      const spec = fieldAt(object, 'spec');
      this.#add({ name, protocol, nodeSelectors: listAt(spec, 'nodeSelectors'), spec });
    }
  }

  #add(advertisement: Advertisement): void {
    const { spec } = advertisement;
    const pools = listAt(spec, 'ipAddressPools').filter((pool) => typeof pool === 'string');
    for (const pool of pools) addToGroup(this.#named, pool, advertisement);
    const hasSelectors = listAt(spec, 'ipAddressPoolSelectors').length > 0;
    if (hasSelectors || pools.length === 0) this.#others.push(advertisement);
  }

  /**
   * The Service of a claim without a status, when MetalLB may say only in an event that no node has
   * the interfaces that it is announced on, or that a node announces it.
   */
  askedByEvents(wanted: DesiredClaim): LiveObject | undefined {
    const { live, announced, nodes } = this.#facts;
    const isLimited = this.#advertisementsOf(wanted).some(
      ({ protocol, spec }) =>
        listAt(spec, 'interfaces').length > 0 ||
        (protocol === 'l2' && announced.writesStatus('l2') && !announced.keepsL2),
    );
    const all = new Set(nodes.map(({ metadata }) => metadata.name));
    const isAnnounced = announced.of(wanted.service, 'l2', all) !== 'silent';
    return isLimited && !isAnnounced ? live.get(wanted.service) : undefined;
  }

  /**
   * Why no packet arrives at a Service that has its addresses, or why that is not known; none when
   * packets can arrive.
   */
  detailsOf(wanted: DesiredClaim, events: SpeakerEvents): readonly Detail[] {
    const { endpoints } = this.#facts;
    const service = this.#facts.live.get(wanted.service);
    if (!service) return [];
    const advertisements = this.#advertisementsOf(wanted);
    if (advertisements.length === 0) return this.#notSelected(wanted);
    const ready = endpoints && (endpoints.get(wanted.service) ?? []);
    const unserved =
      ready?.length === 0 ? [noEndpoints(wanted, service, 'so MetalLB does not announce it')] : [];
    const nodes = this.#nodesFor(wanted, advertisements);
    if (isNoNode(nodes))
      return [this.#keptByFrr(wanted) ?? notAnnounced(wanted, nodes), ...unserved];
    if (unserved.length > 0) return unserved;
    const isLocal = textAt(service, 'spec', 'externalTrafficPolicy') === 'Local';
    if (isLocal && ready && !ready.some((one) => nodes.has(textAt(one, 'nodeName') ?? ''))) {
      return [notAnnounced(wanted, notLocal('MetalLB'))];
    }
    const fault = this.#faultOf(wanted, advertisements, nodes, events);
    return fault ? [fault] : [];
  }

  /** Why no protocol announces a Service for certain, by the surest source; undefined when one does. */
  #faultOf(
    wanted: DesiredClaim,
    advertisements: readonly Advertisement[],
    nodes: ReadonlySet<string>,
    events: SpeakerEvents,
  ): Detail | undefined {
    const { announced, speakers } = this.#facts;
    const protocols = [...new Set(advertisements.map(({ protocol }) => protocol))];
    const states = protocols.map((protocol) => {
      if (!announced.writesStatus(protocol)) return 'no status';
      const own = advertisements.filter((one) => one.protocol === protocol);
      const from = this.#nodesFor(wanted, own);
      return isNoNode(from)
        ? 'silent'
        : announced.of(wanted.service, protocol, from, wanted.addresses);
    });
    if (states.includes('announced')) return undefined;
    const failure = events.failures.get(wanted.service);
    if (failure !== undefined) {
      const fix = `set ${wanted.announcedBy.interfaces} to interfaces that the nodes have, and run \`leasehold synth\``;
      return notAnnounced(wanted, { reason: `MetalLB: ${failure}`, fix });
    }
    const whyUnclear = unclearTexts(announced, protocols);
    const unclear = states.find((state): state is Unclear => state in whyUnclear);
    if (unclear) return unknown(wanted, whyUnclear[unclear]);
    const kept = this.#keptByFrr(wanted);
    if (kept) return kept;
    const noRoute = states.find((state): state is NoRoute => state in noRoutes);
    if (noRoute) return notAnnounced(wanted, noRoutes[noRoute]);
    if (protocols.includes('l2') && !announced.keepsL2) {
      const node = this.#announcedLast(nodes, events.announcing.get(wanted.service));
      if (node !== undefined) return unknown(wanted, lostText(announced, node));
    }
    const [namespace, daemonSet] = speakers.name.split('/');
    return notAnnounced(wanted, {
      reason: `no node announces it: MetalLB has no ${kindsText(protocols)} of a live speaker for it`,
      fix: 'see what the speakers log',
      command: `kubectl -n ${namespace} logs daemonset/${daemonSet} -c speaker`,
    });
  }

  /** A node with an event that it announces a Service, from after the start of its speaker. */
  #announcedLast(nodes: ReadonlySet<string>, times: ReadonlyMap<string, string> = new Map()) {
    return [...times].flatMap(([node, time]) => {
      const start = this.#facts.speakers.started.get(node) ?? '';
      return nodes.has(node) && start !== '' && start.replace(/Z$/, '') <= time ? [node] : [];
    })[0];
  }

  /** FRR announces a Service as a speaker that is not ready any more has told it. */
  #keptByFrr(wanted: DesiredClaim): Detail | undefined {
    const nodes = this.#facts.announced.keptOn(wanted.service, wanted.addresses);
    if (nodes.length === 0) return undefined;
    const message = `no MetalLB speaker that announces it is ready, and FRR on ${fewOf(nodes, 3)} keeps what one told it last: whether it announces the address is not known`;
    return unknown(wanted, message);
  }

  /** Nodes whose FRR refuses the newest configuration, or keeps the one of a speaker that is gone. */
  findings(claims: readonly DesiredClaim[]): readonly ClusterFinding[] {
    const { announced, speakers } = this.#facts;
    const kept = claims.flatMap(({ service, addresses }) => announced.keptOn(service, addresses));
    const nodes = [...new Set(kept)].sort(compareText);
    return [...refusedByFrr(announced.nodeStates), ...unledNodes(nodes, speakers.name)];
  }

  #nodesFor(
    { announcedBy }: DesiredClaim,
    advertisements: readonly Advertisement[],
  ): ReadonlySet<string> | NoNode {
    const { nodes, speakers } = this.#facts;
    return announcingNodes(nodes, advertisements, speakers, announcedBy);
  }

  /** No advertisement is for the Service. One that is missing is told as not applied. */
  #notSelected(wanted: DesiredClaim): readonly Detail[] {
    const { live } = this.#facts;
    const isMissing = wanted.objects.some(
      ({ kind, name }) => (kind === 'addressPool' || advertised[kind]) && !live.get(name),
    );
    return isMissing ? [] : [notAnnounced(wanted, notSelected)];
  }

  /** The live advertisements of a claim's pool that are for its Service. */
  #advertisementsOf({ objects, service }: DesiredClaim): readonly Advertisement[] {
    const { live } = this.#facts;
    const pool = objects.find(({ kind }) => kind === 'addressPool');
    const found = pool && live.get(pool.name);
    if (!found) return [];
    const { name, labels } = found.metadata;
    const others = this.#others.filter(({ spec }) => selectsPool(spec, labels));
    const all = new Set([...(this.#named.get(name) ?? []), ...others]);
    const serviceLabels = live.get(service)?.metadata.labels;
    return [...all].filter(({ spec }) =>
      anySelects(listAt(spec, 'serviceSelectors'), serviceLabels),
    );
  }
}

/** The events of speakers about Services, by the name of the object. */
export interface SpeakerEvents {
  /** Why one could not announce it. */
  readonly failures: ReadonlyMap<string, string>;
  /** The nodes that announced it, each with the newest time. */
  readonly announcing: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

function lostText({ version }: AnnouncedServices, node: string): string {
  return `MetalLB ${version} has no ServiceL2Status for it, as when another node had it for a moment, and ${node} has announced it since its speaker started: whether it still does is not known`;
}

/** Why no peer gets a route to an address. */
const noRoutes: Readonly<Record<NoRoute, NoNode>> = {
  'no session': {
    reason: 'no BGP session to the peers that MetalLB announces it to is established',
    fix: 'see the sessions; frr-k8s updates them every two minutes',
    command: 'kubectl get bgpsessionstates.frrk8s.metallb.io -A',
  },
  'no ipv4 peer': noPeer('IPv4'),
  'no ipv6 peer': noPeer('IPv6'),
};

function noPeer(family: string): NoNode {
  return {
    reason: `no BGPPeer that MetalLB announces it to takes ${family} addresses`,
    fix: `add a BGPPeer with an ${family} address, or set dualStackAddressFamily of one`,
  };
}

const statusKinds = { l2: 'ServiceL2Status', bgp: 'ServiceBGPStatus' } as const;

function kindsText(protocols: readonly Protocol[]): string {
  return protocols.map((protocol) => statusKinds[protocol]).join(' and no ');
}

/** Why it is not known whether MetalLB announces an address. */
function unclearTexts(
  announced: AnnouncedServices,
  protocols: readonly Protocol[],
): Readonly<Record<Unclear, string>> {
  const lacking = protocols.filter((protocol) => !announced.writesStatus(protocol));
  const metallb = `MetalLB ${announced.version}`;
  return {
    'no status': `${metallb} writes no ${kindsText(lacking)} here: whether it announces the address is not known`,
    'no sessions':
      'the cluster has no BGPSessionState, which frr-k8s writes: whether a BGP session is established is not known',
    'old sessions':
      'frr-k8s on the nodes that announce it is not ready, or refuses its configuration: whether FRR announces the address is not known',
    'two nodes': `${metallb} has a ServiceL2Status that names two nodes, as after one has failed: whether one of them announces the address is not known`,
  };
}

const notSelected: NoNode = {
  reason: 'no L2Advertisement or BGPAdvertisement is for its pool and its labels',
  fix: 'give it the labels that `leasehold list -o values` prints, or apply its advertisement',
};

/** An advertisement without pools and selectors is for all pools. */
function selectsPool(spec: unknown, labels: LiveObject['metadata']['labels']): boolean {
  const selectors = listAt(spec, 'ipAddressPoolSelectors');
  return selectors.length === 0 || selectors.some((selector) => selects(selector, labels));
}

/** A claim whose Service has its addresses, where MetalLB does not tell whether it announces them. */
export function unknown({ service }: DesiredClaim, message: string): Detail {
  return {
    state: 'unknown',
    object: service,
    message,
    hint: 'try it: run `leasehold verify --reach` on a machine with a route to the addresses',
  };
}
