import type { Holder } from '../../model/holder.ts';
import { compareText } from '../../model/order.ts';
import { type Address, isAddress, isBuggyIP, parseAddress } from '../../net/address.ts';
import type { Metadata } from '../manifest.ts';
import type { EmittedPool, EmittedSelector, EmittedService } from './emitted.ts';

/** What MetalLB makes of an emitted Service; no more of it is kept. */
export interface PinnedService {
  readonly metadata: Metadata;
  readonly pins: readonly Address[];
  readonly sharingKey: string;
  /** Whose Services may stand on one address with it. */
  readonly owner: string;
  /** `Cluster`, or `Local` with the namespace and the selector of the pods. */
  readonly backend: string;
  /** `80/TCP`. */
  readonly ports: readonly string[];
}

/** The Services on one address so far: what the first one says for all, and whose each port is. */
export interface Sharers {
  readonly first: PinnedService;
  readonly ports: Map<string, PinnedService>;
}

/** What some MetalLB reads, or writes. */
const ofMetalLB = /^metallb\.(?:io|universe\.tf)\//;

/**
 * A Service with its pins and sharing key, or the rule that it breaks: one way to pin, read by the
 * MetalLB that runs; a pin per family; a sharing key; no port twice. MetalLB: controller/service.go.
 */
export function pinnedService(
  service: EmittedService,
  prefix: string,
  holder: Holder | undefined,
): PinnedService | string {
  const { annotations } = service.metadata;
  const { loadBalancerIP, ipFamilies = [], ipFamilyPolicy, ports } = service.spec;
  const foreign = Object.keys(annotations).find(
    (key) => ofMetalLB.test(key) && !key.startsWith(`${prefix}/`),
  );
  if (foreign !== undefined)
    return `has ${foreign}, but the MetalLB of the cluster reads ${prefix}/`;
  const annotation = annotations[`${prefix}/loadBalancerIPs`];
  if ((annotation === undefined) === (loadBalancerIP === undefined)) {
    return 'needs either spec.loadBalancerIP or the loadBalancerIPs annotation';
  }
  const pins = (annotation ?? loadBalancerIP ?? '').split(',').map(parseAddress);
  if (!pins.every(isAddress)) return 'has a pin that is no address';
  const families = pins.map(({ family }) => (family === 'ipv4' ? 'IPv4' : 'IPv6'));
  const policy = pins.length === 1 ? 'SingleStack' : 'RequireDualStack';
  if (families.join() !== ipFamilies.join() || policy !== ipFamilyPolicy) {
    return 'has pins of other families than its own';
  }
  const sharingKey = annotations[`${prefix}/allow-shared-ip`];
  if (!sharingKey) return 'has no sharing key';
  const portTexts = ports.map(({ port, protocol }) => `${port}/${protocol}`);
  if (new Set(portTexts).size < portTexts.length) return 'has one port twice';
  return {
    metadata: service.metadata,
    pins,
    sharingKey,
    owner: ownerOf(service, holder),
    backend: backendOf(service),
    ports: portTexts,
  };
}

/** The rule by which a pool does not give a Service its pin, or undefined when it does. */
export function pinFault(
  { metadata, pins }: PinnedService,
  pool: EmittedPool | undefined,
  namespaceLabels: ReadonlyMap<string, Labels>,
): string | undefined {
  if (!pool) return 'is pinned to an address of no pool';
  const { name } = pool.metadata;
  const { namespaces, namespaceSelectors, serviceSelectors } = pool.spec.serviceAllocation ?? {};
  const { namespace = '', labels } = metadata;
  const listed = namespaces?.includes(namespace) ?? false;
  const selected =
    namespaceSelectors?.some((one) => matches(one, namespaceLabels.get(namespace) ?? {})) ?? false;
  if ((namespaces || namespaceSelectors) && !listed && !selected) {
    return `is in a namespace that the pool ${name} is not open to`;
  }
  if (serviceSelectors && !serviceSelectors.some((one) => matches(one, labels))) {
    return `has not the labels that the pool ${name} is open to`;
  }
  return pool.spec.avoidBuggyIPs && pins.some(isBuggyIP)
    ? `is pinned to an address that the pool ${name} avoids`
    : undefined;
}

/**
 * The rule by which a Service cannot stand on an address beside those that do, or undefined, and
 * then it is one of them: one sharing key, one owner, one backend, no port in common.
 * MetalLB: allocator.go sharingOK.
 */
export function joinSharers(sharers: Sharers, joiner: PinnedService): string | undefined {
  const { first, ports } = sharers;
  const beside = (other: PinnedService): string =>
    `${other.metadata.namespace}/${other.metadata.name}`;
  if (first.sharingKey !== joiner.sharingKey) return `another sharing key than ${beside(first)}`;
  if (first.owner !== joiner.owner) return `another owner than ${beside(first)}`;
  if (first.backend !== joiner.backend) {
    return `another traffic policy, or other pods for Local traffic, than ${beside(first)}`;
  }
  for (const port of joiner.ports) {
    const other = ports.get(port);
    if (other) return `the port ${port}, as ${beside(other)}`;
    ports.set(port, joiner);
  }
  return undefined;
}

type Labels = { readonly [key: string]: string };

function matches({ matchLabels = {} }: EmittedSelector, labels: Labels): boolean {
  return Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
}

/**
 * Of a lease, its account; of a declared Service, its namespace; of a group over clusters or namespaces, the
 * group. Labels alone would not tell: a declared Service has those of its author.
 */
function ownerOf({ metadata }: EmittedService, holder: Holder | undefined): string {
  if (holder?.id.startsWith('anycast/')) return holder.id;
  const isDeclared = holder?.claims[0].kind === 'Service';
  const owner = isDeclared ? metadata.namespace : metadata.labels['akash.network/lease.id.owner'];
  return owner ?? '';
}

/**
 * What sharers must have in common, so that the nodes that answer for the address have the pods of all of them.
 * MetalLB compares selectors over namespaces too, and is wrong there: k8salloc.go backendKey.
 */
function backendOf({ metadata, spec }: EmittedService): string {
  if (spec.externalTrafficPolicy !== 'Local') return 'Cluster';
  const selector = Object.entries(spec.selector ?? {});
  selector.sort(([left], [right]) => compareText(left, right));
  return JSON.stringify(['Local', metadata.namespace, selector]);
}
