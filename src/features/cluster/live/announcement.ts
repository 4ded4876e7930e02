import { fieldAt, type LiveObject, listAt, liveObjectName, textAt } from '../../../model/live.ts';
import { addToGroup } from '../../../model/order.ts';
import type { Detail } from '../verification-answer.ts';
import type { DesiredClaim } from './claim-state.ts';
import { anySelects, selects } from './label-selector.ts';
import type { Snapshot } from './snapshot.ts';
import { announcingNodes, isNoNode, type NoNode, type Speakers } from './speakers.ts';

/** What decides whether MetalLB announces an address. */
export interface AnnouncementFacts {
  readonly live: Snapshot;
  /** The namespace of MetalLB. */
  readonly namespace: string;
  readonly nodes: readonly LiveObject[];
  readonly speakers: Speakers;
  /** The ready endpoints of each Service, by the name of the object; undefined when unknown. */
  readonly endpoints: ReadonlyMap<string, readonly unknown[]> | undefined;
  readonly announced: Readonly<Record<Protocol, AnnouncedServices>>;
}

type Protocol = 'l2' | 'bgp';

/**
 * The Services of which MetalLB says that a node announces them, by the name of the object.
 * Undefined when it does not tell.
 */
type AnnouncedServices = ReadonlySet<string> | undefined;

interface Advertisement {
  readonly name: string;
  readonly protocol: Protocol;
  readonly nodeSelectors: readonly unknown[];
  readonly interfaces: readonly unknown[];
  readonly spec: unknown;
}

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
      if (kind !== 'l2Advertisement' && kind !== 'bgpAdvertisement') continue;
      if (object.metadata.namespace !== facts.namespace) continue;
      const protocol = kind === 'l2Advertisement' ? 'l2' : 'bgp';
      this.#add({
        name,
        protocol,
        nodeSelectors: listAt(object, 'spec', 'nodeSelectors'),
        interfaces: listAt(object, 'spec', 'interfaces'),
        spec: fieldAt(object, 'spec'),
      });
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
   * The Service of a claim, when it could be that no node has the interfaces that it is announced
   * on, which MetalLB says only in an event.
   */
  mayLackInterfaces(wanted: DesiredClaim): LiveObject | undefined {
    const { live, announced } = this.#facts;
    const isLimited = this.#advertisementsOf(wanted).some(
      ({ interfaces }) => interfaces.length > 0,
    );
    const isAnnounced = announced.l2?.has(wanted.service) ?? false;
    return isLimited && !isAnnounced ? live.get(wanted.service) : undefined;
  }

  /**
   * Why no packet arrives at a Service that has its addresses; none when packets can arrive, and
   * when it is not known. `failures` has what speakers said (announceFailures).
   */
  detailsOf(wanted: DesiredClaim, failures: ReadonlyMap<string, string>): readonly Detail[] {
    const { nodes, speakers, endpoints } = this.#facts;
    const service = this.#facts.live.get(wanted.service);
    const advertisements = this.#advertisementsOf(wanted);
    if (!service || advertisements.length === 0) return [];
    const ready = endpoints && (endpoints.get(wanted.service) ?? []);
    const unserved = ready?.length === 0 ? [noEndpoints(wanted, service)] : [];
    const found = announcingNodes(nodes, advertisements, speakers, wanted.announcedBy);
    if (isNoNode(found)) return [notAnnounced(wanted, found), ...unserved];
    if (unserved.length > 0) return unserved;
    const isLocal = textAt(service, 'spec', 'externalTrafficPolicy') === 'Local';
    if (isLocal && ready && !ready.some((one) => found.has(textAt(one, 'nodeName') ?? ''))) {
      return [notAnnounced(wanted, notLocal)];
    }
    const said = this.#refusal(wanted, advertisements, failures);
    return said ? [notAnnounced(wanted, said)] : [];
  }

  /** What MetalLB itself says against an announcement, where it tells. */
  #refusal(
    { service, announcedBy }: DesiredClaim,
    advertisements: readonly Advertisement[],
    failures: ReadonlyMap<string, string>,
  ): NoNode | undefined {
    const { announced, speakers } = this.#facts;
    const told = [...new Set(advertisements.map(({ protocol }) => protocol))];
    if (told.some((protocol) => announced[protocol]?.has(service))) return undefined;
    const failure = failures.get(service);
    if (failure !== undefined) {
      const fix = `set ${announcedBy.interfaces} to interfaces that the nodes have, and run leasehold synth`;
      return { reason: `MetalLB: ${failure}`, fix };
    }
    if (told.some((protocol) => announced[protocol] === undefined)) return undefined;
    const [namespace, daemonSet] = speakers.name.split('/');
    return {
      reason: `no node announces it: MetalLB has no ${told.map((protocol) => statusKinds[protocol]).join(' and no ')} for it`,
      fix: 'see what the speakers log',
      command: `kubectl -n ${namespace} logs daemonset/${daemonSet} -c speaker`,
    };
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

const statusKinds = { l2: 'ServiceL2Status', bgp: 'ServiceBGPStatus' } as const;

/** An advertisement without pools and selectors is for all pools. */
function selectsPool(spec: unknown, labels: LiveObject['metadata']['labels']): boolean {
  const selectors = listAt(spec, 'ipAddressPoolSelectors');
  return selectors.length === 0 || selectors.some((selector) => selects(selector, labels));
}

const notLocal: NoNode = {
  reason:
    'externalTrafficPolicy is Local, and no ready endpoint is on a node that MetalLB can announce it from',
  fix: 'run its pods on such a node, or use externalTrafficPolicy: Cluster',
};

function notAnnounced({ service }: DesiredClaim, { reason, fix, command }: NoNode): Detail {
  const hint = command === undefined ? fix : `${fix}: ${command}`;
  return { state: 'not announced', object: service, message: reason, hint };
}

function noEndpoints({ service }: DesiredClaim, { metadata }: LiveObject): Detail {
  const { namespace, name } = metadata;
  return {
    state: 'no endpoints',
    object: service,
    message: 'has no ready endpoint, so MetalLB does not announce it',
    hint: `check that its pods run and that its selector matches them: kubectl -n ${namespace} get endpointslices -l kubernetes.io/service-name=${name}`,
  };
}

/** The ready endpoints of each Service, by the name of the object. MetalLB: EndpointCanServe. */
export function readyEndpoints(
  slices: readonly LiveObject[],
): ReadonlyMap<string, readonly unknown[]> {
  const ready = new Map<string, unknown[]>();
  for (const slice of slices) {
    const name = slice.metadata.labels?.['kubernetes.io/service-name'];
    if (name === undefined) continue;
    const { namespace = '' } = slice.metadata;
    const service = liveObjectName('service', { metadata: { namespace, name } });
    for (const endpoint of listAt(slice, 'endpoints')) {
      if (canServe(fieldAt(endpoint, 'conditions'))) addToGroup(ready, service, endpoint);
    }
  }
  return ready;
}

/** A missing `ready` means ready. */
function canServe(conditions: unknown): boolean {
  return fieldAt(conditions, 'ready') !== false || fieldAt(conditions, 'serving') === true;
}

/**
 * The Services that have a status of MetalLB, by the name of the object. Undefined when MetalLB is
 * not known to write such statuses: there are none, and no `ConfigurationState` of a speaker, which
 * MetalLB 0.15.3 and later writes beside them.
 */
export function announcedServices(
  statuses: readonly LiveObject[] | undefined,
  configurationStates: readonly LiveObject[],
): AnnouncedServices {
  const names = (statuses ?? []).flatMap(({ metadata: { labels } }) => {
    const name = labels?.['metallb.io/service-name'];
    const namespace = labels?.['metallb.io/service-namespace'];
    if (name === undefined || namespace === undefined) return [];
    return [liveObjectName('service', { metadata: { namespace, name } })];
  });
  const isWritten = configurationStates.some(
    ({ metadata }) => metadata.labels?.['metallb.io/component-type'] === 'speaker',
  );
  return statuses && (names.length > 0 || isWritten) ? new Set(names) : undefined;
}
