import type { Holder } from '../../../model/holder.ts';
import { compareText } from '../../../model/order.ts';
import { annotationPrefixes } from '../../../model/pools.ts';
import {
  type Address,
  familyName,
  isAddress,
  isBuggyIP,
  parseAddress,
} from '../../../net/address.ts';
import type { Metadata } from '../../manifest.ts';
import type { EmittedPool, EmittedSelector } from './pool-rules.ts';

/**
 * The fields of an emitted Service that MetalLB's rules are about. Absent ones get the API server's
 * defaults.
 */
export interface EmittedService {
  readonly metadata: Metadata;
  readonly spec: {
    readonly type: string;
    readonly loadBalancerIP?: string;
    readonly loadBalancerClass?: string;
    readonly ipFamilyPolicy?: string;
    readonly ipFamilies?: readonly string[];
    readonly externalTrafficPolicy?: string;
    readonly selector?: { readonly [label: string]: string };
    readonly ports: readonly { readonly port: number; readonly protocol: string }[];
  };
}

/** The facts of an emitted Service that MetalLB assigns an address by. */
export interface PinnedService {
  readonly metadata: Metadata;
  readonly pins: readonly Address[];
  readonly sharingKey: string;
  /** Only Services of one owner may share an address. */
  readonly owner: string;
  /** `Cluster`, or a text of `Local`, the namespace and the selector. */
  readonly backend: string;
  /** Such as `80/TCP`. */
  readonly ports: readonly string[];
}

/** The Services that share an address: the first one, and the user of each port. */
export interface Sharers {
  readonly first: PinnedService;
  readonly ports: Map<string, PinnedService>;
}

/**
 * Returns the pins and the sharing key of a Service, or the rule that it breaks. It is pinned in
 * one way only, which its MetalLB reads, has one pin per family and a sharing key, and lists no
 * port twice. MetalLB: controller/service.go.
 */
export function pinnedService(
  service: EmittedService,
  prefix: string,
  holder: Holder | undefined,
): PinnedService | string {
  const { annotations } = service.metadata;
  const { loadBalancerIP, ipFamilies = [], ipFamilyPolicy, ports } = service.spec;
  const others = annotationPrefixes.filter((other) => other !== prefix);
  const unread = Object.keys(annotations).find((key) =>
    others.some((other) => key.startsWith(`${other}/`)),
  );
  if (unread !== undefined) return `has ${unread}, but its MetalLB reads ${prefix}/`;
  const annotation = annotations[`${prefix}/loadBalancerIPs`];
  if ((annotation === undefined) === (loadBalancerIP === undefined)) {
    return 'must have spec.loadBalancerIP or the loadBalancerIPs annotation, and not both';
  }
  const pins = (annotation ?? loadBalancerIP ?? '').split(',').map(parseAddress);
  if (!pins.every(isAddress)) return 'has a pin that is not an address';
  const families = pins.map(({ family }) => familyName(family));
  const policy = pins.length === 1 ? 'SingleStack' : 'RequireDualStack';
  if (families.join() !== ipFamilies.join() || policy !== ipFamilyPolicy) {
    return 'has pins that do not fit its ipFamilies or ipFamilyPolicy';
  }
  const sharingKey = annotations[`${prefix}/allow-shared-ip`];
  if (!sharingKey) return 'has no sharing key';
  const portTexts = ports.map(({ port, protocol }) => `${port}/${protocol}`);
  if (new Set(portTexts).size < portTexts.length) return 'lists a port twice';
  return {
    metadata: service.metadata,
    pins,
    sharingKey,
    owner: ownerOf(service, holder),
    backend: backendOf(service),
    ports: portTexts,
  };
}

/** Explains why a pool does not give a Service its pin; undefined when it does. */
export function pinFault(
  { metadata, pins }: PinnedService,
  pool: EmittedPool | undefined,
  namespaceLabels: ReadonlyMap<string, Labels>,
): string | undefined {
  if (!pool) return 'is pinned to an address outside of all pools';
  const { name } = pool.metadata;
  const { namespaces, namespaceSelectors, serviceSelectors } = pool.spec.serviceAllocation ?? {};
  const { namespace = '', labels } = metadata;
  const listed = namespaces?.includes(namespace) ?? false;
  const selected =
    namespaceSelectors?.some((one) => matches(one, namespaceLabels.get(namespace) ?? {})) ?? false;
  if ((namespaces || namespaceSelectors) && !listed && !selected) {
    return `is in a namespace that pool ${name} is not open to`;
  }
  if (serviceSelectors && !serviceSelectors.some((one) => matches(one, labels))) {
    return `does not have the labels that pool ${name} requires`;
  }
  return pool.spec.avoidBuggyIPs && pins.some(isBuggyIP)
    ? `is pinned to an address that pool ${name} avoids`
    : undefined;
}

/**
 * Adds a Service to those that share an address, or explains why it cannot share it. Sharers have
 * one sharing key, one owner and one backend, and no port in common. MetalLB: allocator.go
 * sharingOK.
 */
export function joinSharers(sharers: Sharers, joiner: PinnedService): string | undefined {
  const { first, ports } = sharers;
  const nameOf = ({ metadata }: PinnedService): string => `${metadata.namespace}/${metadata.name}`;
  if (first.sharingKey !== joiner.sharingKey) return `${nameOf(first)} has another sharing key`;
  if (first.owner !== joiner.owner) return `${nameOf(first)} has another owner`;
  if (first.backend !== joiner.backend) {
    return `${nameOf(first)} has another traffic policy, or other pods with Local traffic`;
  }
  for (const port of joiner.ports) {
    const other = ports.get(port);
    if (other) return `${nameOf(other)} has the port ${port} too`;
    ports.set(port, joiner);
  }
  return undefined;
}

type Labels = { readonly [key: string]: string };

function matches({ matchLabels = {} }: EmittedSelector, labels: Labels): boolean {
  return Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
}

/**
 * Returns the anycast group of a Service that is in one, the namespace of a declared Service, or
 * the account of a lease. The labels alone cannot tell, because a declared Service has those of its
 * author.
 */
function ownerOf({ metadata }: EmittedService, holder: Holder | undefined): string {
  if (holder?.id.startsWith('anycast/')) return holder.id;
  const isDeclared = holder?.claims[0]?.kind === 'Service';
  const owner = isDeclared ? metadata.namespace : metadata.labels['akash.network/lease.id.owner'];
  return owner ?? '';
}

/**
 * Returns the backend that sharers must have in common: every node that announces the address needs
 * pods of all of them. MetalLB compares the selectors of different namespaces too, which is wrong:
 * k8salloc.go backendKey.
 */
function backendOf({ metadata, spec }: EmittedService): string {
  if (spec.externalTrafficPolicy !== 'Local') return 'Cluster';
  const selector = Object.entries(spec.selector ?? {});
  selector.sort(([left], [right]) => compareText(left, right));
  return JSON.stringify(['Local', metadata.namespace, selector]);
}
