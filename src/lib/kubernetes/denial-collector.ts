import type { LiveKind } from '../../core/model/kinds.ts';
import type { LiveObject } from '../../core/model/live.ts';
import { DeniedError, EnvironmentError } from '../../core/model/problem.ts';
import type { LiveCluster } from './live-cluster.ts';

/** Lists from a live cluster and collects what RBAC denies, to report all of it at once. */
export class DenialCollector implements Pick<LiveCluster, 'list'> {
  readonly #cluster: LiveCluster;
  readonly #denied = new Set<string>();
  #user = '';

  constructor(cluster: LiveCluster) {
    this.#cluster = cluster;
  }

  /** Lists as the cluster does; returns undefined also when RBAC denies the request. */
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

  /** Throws one EnvironmentError for everything that was denied; nothing if nothing was. */
  throwDenials(): void {
    if (this.#denied.size === 0) return;
    throw new EnvironmentError(
      `the cluster ${this.#cluster.name} does not let ${this.#user} ${[...this.#denied].join(', ')}; \`leasehold bootstrap rbac\` prints a role that does`,
    );
  }
}
