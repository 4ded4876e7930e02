import type { Holder } from '../../../model/holder.ts';
import { objectName } from '../../../model/live.ts';
import type { ClusterOn, Pool } from '../../../model/pools.ts';
import { InternalError } from '../../../model/problem.ts';
import type { Manifest, Metadata } from '../../manifest.ts';
import { type EmittedService, type PinnedService, sharingFault } from '../pinned-services.ts';
import type { PlaneCheck } from '../plane.ts';
import { overlapFault, poolWith } from '../pool-ranges.ts';
import { annotationPrefix } from './pinning.ts';
import {
  advertisementFault,
  type EmittedAdvertisement,
  type EmittedPool,
  type EmittedRange,
  poolFault,
  rangesOf,
} from './pool-rules.ts';
import { pinFault, pinnedService } from './service-rules.ts';

/**
 * Checks all objects of one cluster against MetalLB's rules. MetalLB: config.go,
 * controller/service.go, allocator.go.
 */
export class MetalLBCheck implements PlaneCheck {
  readonly #cluster: ClusterOn<'metallb'>;
  /** Of the annotations that MetalLB reads. */
  readonly #prefix: string;
  readonly #namespaceLabels = new Map<string, Metadata['labels']>();
  readonly #ranges = new Map<string, readonly EmittedRange[]>();
  readonly #unannounced = new Map<string, EmittedPool>();
  readonly #services: PinnedService[] = [];
  readonly #declared: ReadonlySet<string>;
  readonly #open: ReadonlySet<string>;

  /** `pools` are the declared ones. Those with an open fence have no `serviceAllocation`. */
  constructor(cluster: ClusterOn<'metallb'>, pools: readonly Pick<Pool, 'name' | 'fence'>[]) {
    this.#cluster = cluster;
    this.#prefix = annotationPrefix(cluster.plane);
    this.#declared = new Set(pools.map(({ name }) => name));
    this.#open = new Set(pools.flatMap(({ name, fence }) => (fence === 'open' ? [name] : [])));
  }

  add(manifest: Manifest, holder: Holder | undefined): void {
    switch (manifest.kind) {
      case 'Namespace':
        this.#namespaceLabels.set(manifest.metadata.name, manifest.metadata.labels);
        break;
      case 'IPAddressPool':
        this.#addPool(manifest);
        break;
      case 'L2Advertisement':
      case 'BGPAdvertisement':
        this.#addAdvertisement(manifest);
        break;
      case 'Service':
        this.#addService(manifest, holder);
        break;
    }
  }

  finish(): void {
    const configurations = this.#configurations();
    for (const ranges of configurations) {
      const overlap = overlapFault(ranges);
      if (overlap) throw new InternalError(`cluster ${this.#cluster.name}: ${overlap}`);
    }
    for (const pool of this.#unannounced.values()) this.#fail(pool, 'has no advertisement');
    for (const ranges of configurations) this.#checkPins(ranges);
    const unshared = sharingFault(this.#services);
    if (unshared) this.#fail(unshared.pinned, unshared.fault);
  }

  #checkPins(ranges: readonly EmittedRange[]): void {
    for (const pinned of this.#services) {
      const pools = new Set(pinned.pins.map((pin) => poolWith(ranges, pin)));
      for (const pool of pools) this.#fail(pinned, pinFault(pinned, pool, this.#namespaceLabels));
      if (pools.size > 1) this.#fail(pinned, 'has pins of two pools');
    }
  }

  /**
   * Returns the ranges of the pools that MetalLB uses at one time. With `layout: both` the held
   * pools before the change and the declared ones after it, or the other way round.
   */
  #configurations(): readonly EmittedRange[][] {
    if (this.#cluster.plane.layout !== 'both') return [[...this.#ranges.values()].flat()];
    return [true, false].map((isDeclared) =>
      [...this.#ranges].flatMap(([name, ranges]) =>
        this.#declared.has(name) === isDeclared ? ranges : [],
      ),
    );
  }

  #addPool(manifest: Manifest): void {
    this.#inMetalLBNamespace(manifest);
    const pool = manifest as unknown as EmittedPool;
    this.#fail(pool, poolFault(pool, this.#open.has(pool.metadata.name) ? 'open' : 'closed'));
    const ranges = rangesOf(pool);
    if (typeof ranges === 'string') this.#fail(pool, ranges);
    else this.#ranges.set(pool.metadata.name, ranges);
    this.#unannounced.set(pool.metadata.name, pool);
  }

  #addAdvertisement(manifest: Manifest): void {
    this.#inMetalLBNamespace(manifest);
    const advertisement = manifest as unknown as EmittedAdvertisement;
    this.#fail(advertisement, advertisementFault(advertisement, this.#ranges));
    for (const name of advertisement.spec.ipAddressPools) this.#unannounced.delete(name);
  }

  /** MetalLB ignores Services of other types than LoadBalancer. */
  #addService(manifest: Manifest, holder: Holder | undefined): void {
    const service = manifest as unknown as EmittedService;
    if (service.spec.type !== 'LoadBalancer') return;
    const pinned = pinnedService(service, this.#prefix, holder);
    if (typeof pinned === 'string') this.#fail(service, pinned);
    else this.#services.push(pinned);
  }

  #inMetalLBNamespace(manifest: Manifest): void {
    const inside = manifest.metadata.namespace === this.#cluster.plane.namespace;
    this.#fail(manifest, inside ? undefined : "is not in MetalLB's namespace");
  }

  #fail(object: { readonly metadata: Metadata }, fault: string | undefined): void {
    if (fault === undefined) return;
    const kind = 'kind' in object ? String(object.kind) : 'Service';
    const name = objectName(kind, object.metadata);
    throw new InternalError(`${name} in cluster ${this.#cluster.name} ${fault}`);
  }
}
