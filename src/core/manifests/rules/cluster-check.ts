import type { Holder } from '../../model/holder.ts';
import { objectName } from '../../model/live.ts';
import type { Cluster, Pool } from '../../model/pools.ts';
import { InternalError } from '../../model/problem.ts';
import type { Manifest } from '../manifest.ts';
import type { PlaneCheck } from '../planes/plane.ts';
import { planeOf } from '../planes/planes.ts';
import { checkManifest } from './schema-check.ts';

/**
 * Checks all objects of one cluster against their schemas and the rules of its plane before they are
 * written. Each fault is a bug of leasehold: an InternalError with the object and the rule. A pool
 * is added before its advertisement; the order of other objects does not matter. {@link finish}
 * checks them together.
 */
export class ClusterCheck {
  readonly #cluster: string;
  readonly #plane: PlaneCheck;
  readonly #names = new Set<string>();

  /** `pools` are the declared ones. */
  constructor(cluster: Cluster, pools: readonly Pick<Pool, 'name' | 'fence'>[]) {
    this.#cluster = cluster.name;
    this.#plane = planeOf(cluster).check(cluster, pools);
  }

  /** Checks one object by itself. `holder` is the holder of the object, if it has one. */
  add(manifest: Manifest, holder?: Holder): void {
    checkManifest(manifest);
    // The kind is enough: leasehold writes no kind of two API groups.
    const name = objectName(manifest.kind, manifest.metadata);
    if (this.#names.has(name)) {
      throw new InternalError(`${name} in cluster ${this.#cluster} is written twice`);
    }
    this.#names.add(name);
    this.#plane.add(manifest, holder);
  }

  /** Checks all objects together. */
  finish(): void {
    this.#plane.finish();
  }
}
