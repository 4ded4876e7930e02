import { type Address, isAddress, isBuggyIP, parseAddress } from '../net/address.ts';
import type { EmittedPool, EmittedSelector, EmittedService } from './emitted.ts';
import type { Metadata } from './manifest.ts';

/** What MetalLB makes of an emitted Service; no more of it is kept. */
export interface PinnedService {
  readonly metadata: Metadata;
  readonly pins: readonly Address[];
  readonly sharingKey: string;
  readonly trafficPolicy: string;
  /** `80/TCP`. */
  readonly ports: readonly string[];
}

/** The Services on one address so far: what the first one says for all, and whose each port is. */
export interface Sharers {
  readonly first: PinnedService;
  readonly ports: Map<string, PinnedService>;
}

/**
 * A Service with its pins and sharing key, or the rule that it breaks: one way to pin, read by the
 * MetalLB that runs; a pin per family; a sharing key; no port twice. MetalLB: controller/service.go.
 */
export function pinnedService(service: EmittedService, prefix: string): PinnedService | string {
  const { annotations } = service.metadata;
  const { loadBalancerIP, ipFamilies, ipFamilyPolicy, ports } = service.spec;
  const foreign = Object.keys(annotations).find(
    (key) => key.startsWith('metallb.') && !key.startsWith(`${prefix}/`),
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
  const { metadata, spec } = service;
  const trafficPolicy = spec.externalTrafficPolicy;
  return { metadata, pins, sharingKey, trafficPolicy, ports: portTexts };
}

/** The rule by which a pool does not give a Service its pin, or undefined when it does. */
export function pinFault(
  { metadata, pins }: PinnedService,
  pool: EmittedPool | undefined,
  namespaceLabels: ReadonlyMap<string, Labels>,
): string | undefined {
  if (!pool) return 'is pinned to an address of no pool';
  const { name } = pool.metadata;
  const { namespaces, namespaceSelectors, serviceSelectors } = pool.spec.serviceAllocation;
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
 * then it is one of them: one sharing key, one tenant, one traffic policy, no port in common.
 * MetalLB: allocator.go sharingOK.
 */
export function joinSharers(sharers: Sharers, joiner: PinnedService): string | undefined {
  const { first, ports } = sharers;
  const beside = (other: PinnedService): string =>
    `${other.metadata.namespace}/${other.metadata.name}`;
  if (first.sharingKey !== joiner.sharingKey) return `another sharing key than ${beside(first)}`;
  if (ownerOf(first) !== ownerOf(joiner)) return `another owner than ${beside(first)}`;
  if (first.trafficPolicy !== joiner.trafficPolicy) {
    return `another traffic policy than ${beside(first)}`;
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

function ownerOf({ metadata }: PinnedService): string | undefined {
  return metadata.labels['akash.network/lease.id.owner'];
}
