import type { Holder } from '../../../model/holder.ts';
import { objectName } from '../../../model/live.ts';
import { ciliumKeys } from '../../../model/planes.ts';
import type { ClusterOn } from '../../../model/pools.ts';
import { InternalError } from '../../../model/problem.ts';
import { isRange, parseRange } from '../../../net/range.ts';
import { type Manifest, type Metadata, poolLabel } from '../../manifest.ts';
import {
  type EmittedService,
  type PinnedService,
  pinnedServiceOf,
  sharingFault,
} from '../pinned-services.ts';
import type { PlaneCheck } from '../plane.ts';
import { overlapFault, type PoolRange, poolWith } from '../pool-ranges.ts';

/** A selector of Services, as leasehold writes it. */
interface ServiceSelector {
  readonly matchLabels: { readonly [key: string]: string };
}

/** The fields of an emitted pool that LB-IPAM's rules are about. */
interface EmittedPool {
  readonly metadata: Metadata;
  readonly spec: {
    readonly blocks: readonly {
      readonly cidr?: string;
      readonly start?: string;
      readonly stop?: string;
    }[];
    readonly serviceSelector: ServiceSelector;
  };
}

/**
 * Checks all objects of one cluster against the rules of LB-IPAM. Cilium: operator/pkg/lbipam,
 * lbipam.go, service_store.go.
 */
export class CiliumCheck implements PlaneCheck {
  readonly #cluster: ClusterOn<'cilium'>;
  readonly #ranges: PoolRange<EmittedPool>[] = [];
  /** The names of the pools without an announcement so far. */
  readonly #unannounced = new Map<string, EmittedPool>();
  readonly #pools = new Set<string>();
  readonly #services: PinnedService[] = [];

  constructor(cluster: ClusterOn<'cilium'>) {
    this.#cluster = cluster;
  }

  add(manifest: Manifest, holder: Holder | undefined): void {
    switch (manifest.kind) {
      case 'CiliumLoadBalancerIPPool':
        this.#addPool(manifest as unknown as EmittedPool);
        break;
      case 'CiliumL2AnnouncementPolicy':
      case 'CiliumBGPAdvertisement':
        this.#addAnnouncement(manifest);
        break;
      case 'Service':
        this.#addService(manifest as unknown as EmittedService, holder);
        break;
    }
  }

  finish(): void {
    const overlap = overlapFault(this.#ranges);
    if (overlap) throw new InternalError(`cluster ${this.#cluster.name}: ${overlap}`);
    for (const pool of this.#unannounced.values()) this.#fail(pool, 'is not announced');
    for (const pinned of this.#services) this.#fail(pinned, this.#pinFault(pinned));
    const unshared = sharingFault(this.#services);
    if (unshared) this.#fail(unshared.pinned, unshared.fault);
  }

  #addPool(pool: EmittedPool): void {
    const { name } = pool.metadata;
    this.#fail(pool, selectorFault(pool.spec.serviceSelector, name));
    for (const { cidr, start, stop } of pool.spec.blocks) {
      const range = parseRange(cidr ?? `${start}-${stop}`);
      if (isRange(range)) this.#ranges.push({ range, pool });
      else this.#fail(pool, `blocks: ${range.reason}`);
    }
    this.#pools.add(name);
    this.#unannounced.set(name, pool);
  }

  /** Without a selector, a policy announces every Service, and a BGP advertisement none. */
  #addAnnouncement(manifest: Manifest): void {
    const { serviceSelector, advertisements = [] } = manifest.spec as unknown as {
      readonly serviceSelector?: ServiceSelector;
      readonly advertisements?: readonly { readonly selector: ServiceSelector }[];
    };
    const selectors = serviceSelector
      ? [serviceSelector]
      : advertisements.map((one) => one.selector);
    const pool = manifest.metadata.labels[poolLabel] ?? '';
    this.#fail(manifest, this.#pools.has(pool) ? undefined : `is of the unknown pool '${pool}'`);
    for (const selector of selectors) this.#fail(manifest, selectorFault(selector, pool));
    this.#unannounced.delete(pool);
  }

  #addService(service: EmittedService, holder: Holder | undefined): void {
    if (service.spec.type !== 'LoadBalancer') return;
    const { annotations } = service.metadata;
    const [keys, older] = ciliumKeys;
    const text = annotations[keys.addresses];
    if (text === undefined) this.#fail(service, `has no annotation ${keys.addresses}`);
    // The addresses of both ways are asked for together.
    if (service.spec.loadBalancerIP !== undefined || annotations[older.addresses] !== undefined) {
      this.#fail(service, 'is pinned in two ways');
    }
    if (service.spec.loadBalancerClass !== this.#cluster.plane.loadBalancerClass) {
      this.#fail(service, 'has a loadBalancerClass that its Cilium does not serve');
    }
    if (annotations[keys.crossNamespace] !== '*')
      this.#fail(service, 'shares in its namespace only');
    const sharingKey = annotations[keys.sharingKey];
    const pinned = pinnedServiceOf(service, { text: text ?? '', sharingKey, holder });
    if (typeof pinned === 'string') this.#fail(service, pinned);
    else this.#services.push(pinned);
  }

  /** LB-IPAM looks for each pin in the pools that select the Service. */
  #pinFault({ metadata, pins }: PinnedService): string | undefined {
    const pools = new Set(pins.map((pin) => poolWith(this.#ranges, pin)));
    const [pool] = pools;
    if (pools.size > 1) return 'has pins of two pools';
    if (!pool) return 'is pinned to an address outside of all pools';
    return metadata.labels[poolLabel] === pool.metadata.name
      ? undefined
      : `does not have the label of pool ${pool.metadata.name}`;
  }

  #fail(object: { readonly metadata: Metadata }, fault: string | undefined): void {
    if (fault === undefined) return;
    const kind = 'kind' in object ? String(object.kind) : 'Service';
    const name = objectName(kind, object.metadata);
    throw new InternalError(`${name} in cluster ${this.#cluster.name} ${fault}`);
  }
}

/** The label of the pool alone opens it: a pool without it would give its addresses to any Service. */
function selectorFault({ matchLabels }: ServiceSelector, pool: string): string | undefined {
  const isOwn = Object.keys(matchLabels).join() === poolLabel && matchLabels[poolLabel] === pool;
  return isOwn ? undefined : `does not select the Services of pool '${pool}'`;
}
