import type { LiveKind, LiveObject } from '../../model/live.ts';
import { DeniedError, EnvironmentError } from '../../model/problem.ts';
import type { LiveCluster } from '../../ports/live-cluster.ts';

/** A live cluster that is asked everything before anybody hears what its RBAC does not allow. */
export class GatheredDenials implements Pick<LiveCluster, 'list'> {
  readonly #cluster: LiveCluster;
  readonly #denied = new Set<string>();
  #user = '';

  constructor(cluster: LiveCluster) {
    this.#cluster = cluster;
  }

  /** As the cluster lists; undefined also when it must not. */
  async list(kind: LiveKind, namespace?: string): Promise<readonly LiveObject[] | undefined> {
    try {
      return await this.#cluster.list(kind, namespace);
    } catch (failure) {
      if (!(failure instanceof DeniedError)) throw failure;
      this.#denied.add(failure.request);
      this.#user = failure.user;
      return undefined;
    }
  }

  /** Throws one EnvironmentError for all that was denied, if anything was. */
  end(): void {
    if (this.#denied.size === 0) return;
    throw new EnvironmentError(
      `the cluster ${this.#cluster.name} does not let ${this.#user} ${[...this.#denied].join(', ')}; leasehold bootstrap rbac prints a role that does`,
    );
  }
}
