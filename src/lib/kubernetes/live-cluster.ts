import type { LiveKind } from '../../core/model/kinds.ts';
import type { LiveObject } from '../../core/model/live.ts';

/**
 * Read-only access to a live cluster. Every method throws an EnvironmentError when the cluster is
 * not reached, or refuses the token or the request; a DeniedError when RBAC refuses it.
 */
export interface LiveCluster {
  /** For people: context and server. */
  readonly name: string;
  /**
   * Every object of a kind in one namespace or in all; undefined when the cluster lacks the kind.
   */
  list(kind: LiveKind, namespace?: string): Promise<readonly LiveObject[] | undefined>;
  /** The API server's version, such as `v1.34.1`. */
  version(): Promise<string>;
  /** The result of creating an object as a dry run. */
  dryRun(kind: LiveKind, object: LiveObject): Promise<DryRunAnswer>;
  /** The last lines of a pod's log; undefined when it is empty or its node does not answer. */
  log(namespace: string, pod: string, lines: number): Promise<string | undefined>;
  /** The answer of a Service to a GET request that the API server passes on. */
  askService(service: ServicePort, path: string): Promise<ServiceAnswer>;
}

/** A port of a Service, by its name. */
export interface ServicePort {
  readonly namespace: string;
  readonly name: string;
  readonly port: string;
}

/** The JSON of an answer of status 200, undefined when it is none; or why there is no answer. */
export type ServiceAnswer =
  | { readonly isAnswered: true; readonly json: unknown }
  | { readonly isAnswered: false; readonly reason: string };

/** `refused`: by admission or validation. `denied`: the user may not create such objects. */
export interface DryRunAnswer {
  readonly verdict: 'accepted' | 'refused' | 'denied' | 'failed';
  readonly message: string;
}
