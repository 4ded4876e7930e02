import type { LiveObject } from '../../../core/model/live.ts';
import type { Cluster, Pool } from '../../../core/model/pools.ts';
import type { Fact, Objects } from '../../../lib/kubernetes/doctor-checks.ts';
import type { Finding } from '../diagnosis-answer.ts';

/** The log of one pod of an Akash IP operator; `text` is undefined when the pod has no log. */
export interface PodLog {
  readonly namespace: string;
  readonly pod: string;
  readonly text: Fact<string | undefined>;
}

/** The requirements of the declarations for the live cluster. */
export interface Expected {
  readonly cluster: Cluster;
  readonly advertises: { readonly l2: boolean; readonly bgp: boolean };
  /** BGP features that the pools need and MetalLB's native mode does not support. */
  readonly beyondNative: readonly string[];
  /** The pools of the cluster, in the order of the file. */
  readonly pools: readonly Pool[];
  /** `emit.providerLeasedIP`. */
  readonly leasedIPs: boolean;
  /** `emit.providerHost`, of a cluster of an Akash provider that routes hostnames. */
  readonly providerHosts: boolean;
  /** `emit.networkPolicies`; undefined when no Akash lease can get an IPv6 address. */
  readonly networkPolicies: boolean | undefined;
  /** The names of the plane's pools in `dist/`: the first sync takes over live pools with these names. */
  readonly written: ReadonlySet<string>;
}

/** The state of a live cluster that is the same on every plane. Lists cover all namespaces unless noted. */
export interface CommonFacts {
  /** The API server's `gitVersion`. */
  readonly version: string;
  readonly namespaces: Objects;
  readonly deployments: Objects;
  readonly statefulSets: Objects;
  readonly nodes: Objects;
  readonly services: Objects;
  readonly leasedIPs: Objects;
  readonly providerHosts: Objects;
  /** Deployments of the Akash IP operator that are not scaled to 0. */
  readonly operators: Fact<readonly LiveObject[]>;
  readonly operatorLogs: Fact<readonly PodLog[]>;
  /** From the namespaces that an Akash provider runs in. */
  readonly providerConfigs: Objects;
  /** From the namespaces that an Akash provider runs in. */
  readonly endpointSlices: Objects;
}

/** Returns the findings of one code; none when the code does not apply. */
export type Check<Known = CommonFacts> = (facts: Known, expected: Expected) => readonly Finding[];

/**
 * True for the workload of an Akash tenant, whatever its name. Akash provider:
 * cluster/kube/builder.
 */
export function isTenantWorkload({ metadata }: LiveObject): boolean {
  return Object.hasOwn(metadata.labels ?? {}, 'akash.network/manifest-service');
}
