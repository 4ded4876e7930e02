import type { Holder } from '../../model/holder.ts';
import { compareText } from '../../model/order.ts';
import {
  type Address,
  familyName,
  formatAddress,
  isAddress,
  parseAddress,
} from '../../net/address.ts';
import type { Metadata } from '../manifest.ts';

/**
 * The fields of an emitted Service that the rules of a plane are about. Absent ones get the API server's
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

/** The facts of an emitted Service that a plane assigns an address by. */
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
interface Sharers {
  readonly first: PinnedService;
  readonly ports: Map<string, PinnedService>;
}

/** How a plane reads the pins and the sharing key of a Service. */
interface ReadPins {
  /** The addresses, separated by commas. */
  readonly text: string;
  readonly sharingKey: string | undefined;
  readonly holder: Holder | undefined;
}

/**
 * Returns the facts of a Service, or the rule that it breaks: it has one pin per family and a
 * sharing key, and lists no port twice.
 */
export function pinnedServiceOf(
  service: EmittedService,
  { text, sharingKey, holder }: ReadPins,
): PinnedService | string {
  const { ipFamilies = [], ipFamilyPolicy, ports } = service.spec;
  const pins = text.split(',').map(parseAddress);
  if (!pins.every(isAddress)) return 'has a pin that is not an address';
  const families = pins.map(({ family }) => familyName(family));
  const policy = pins.length === 1 ? 'SingleStack' : 'RequireDualStack';
  if (families.join() !== ipFamilies.join() || policy !== ipFamilyPolicy) {
    return 'has pins that do not fit its ipFamilies or ipFamilyPolicy';
  }
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

/** Returns the first Service that cannot share an address with those before it, and why. */
export function sharingFault(
  services: readonly PinnedService[],
): { readonly pinned: PinnedService; readonly fault: string } | undefined {
  const sharers = new Map<string, Sharers>();
  for (const pinned of services) {
    for (const address of pinned.pins.map(formatAddress)) {
      const found = sharers.get(address) ?? { first: pinned, ports: new Map() };
      sharers.set(address, found);
      const fault = joinSharers(found, pinned);
      if (fault) return { pinned, fault: `cannot share ${address}: ${fault}` };
    }
  }
  return undefined;
}

/**
 * Adds a Service to those that share an address, or explains why it cannot share it. Sharers have
 * one sharing key, one owner and one backend, and no port in common. MetalLB: allocator.go
 * sharingOK. Cilium: service_store.go
 * isCompatible.
 */
function joinSharers(sharers: Sharers, joiner: PinnedService): string | undefined {
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
