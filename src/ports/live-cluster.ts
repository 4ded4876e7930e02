import type { LiveKind, LiveObject } from '../model/live.ts';

/**
 * What a use case asks of a live cluster; nothing is ever changed there. Every method throws an
 * EnvironmentError when the cluster is not reached, or refuses the token or the request: a DeniedError
 * when it is its RBAC that refuses.
 */
export interface LiveCluster {
  /** Which cluster it is, for people: context and server. */
  readonly name: string;
  /**
   * Every object of a kind, of one namespace or of all, read page by page; undefined when the cluster
   * does not serve the kind.
   */
  list(kind: LiveKind, namespace?: string): Promise<readonly LiveObject[] | undefined>;
  /** The API server's version, such as `v1.34.1`. */
  version(): Promise<string>;
  /** What a dry run of creating an object answers. */
  dryRun(kind: LiveKind, object: LiveObject): Promise<DryRunAnswer>;
  /** The last lines of a pod's log; undefined when it has none, or its node does not answer. */
  log(namespace: string, pod: string, lines: number): Promise<string | undefined>;
}

/** `refused` is admission's or validation's word, `denied` means that one may not ask. */
export interface DryRunAnswer {
  readonly verdict: 'accepted' | 'refused' | 'denied' | 'failed';
  readonly message: string;
}
