import type { Inventory } from '../../../core/model/akash/inventory.ts';
import type { LiveObject } from '../../../core/model/live.ts';
import type { Cluster, Pool } from '../../../core/model/pools.ts';
import type { ServiceAnswer } from '../../../lib/kubernetes/live-cluster.ts';
import type { Finding } from '../diagnosis-answer.ts';
import type { ClusterFinding } from '../verification-answer.ts';
import type { FindingCode } from './finding-codes.ts';

/** The result of one request to a cluster, or the reason why RBAC denies it, as one sentence. */
export type Fact<Value> =
  | { readonly known: true; readonly value: Value }
  | { readonly known: false; readonly reason: string };

/** The objects of a kind; undefined when the cluster does not serve it. */
export type Objects = Fact<readonly LiveObject[] | undefined>;

/** The result of a dry run of a pool that overlaps itself (ports/live-cluster.ts DryRunAnswer). */
export interface DryRun {
  readonly verdict: 'accepted' | 'refused' | 'denied' | 'failed';
  readonly message: string;
}

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
  /** Undefined when none is declared for the cluster. */
  readonly inventory: Inventory | undefined;
}

/** The state of a live cluster. Lists cover all namespaces unless noted. */
export interface Facts {
  /** The API server's `gitVersion`. */
  readonly version: string;
  readonly namespaces: Objects;
  readonly deployments: Objects;
  readonly daemonSets: Objects;
  readonly statefulSets: Objects;
  readonly nodes: Objects;
  readonly services: Objects;
  /** From MetalLB's namespace. */
  readonly pods: Objects;
  /** What speakers say of Services on pools whose interfaces their nodes lack, without repeats. */
  readonly interfaceFailures: Fact<readonly string[]>;
  /** From kube-system; undefined when it has no such ConfigMap. */
  readonly kubeProxy: Fact<KubeProxy | undefined>;
  readonly webhooks: Objects;
  readonly addressPools: Objects;
  readonly l2Advertisements: Objects;
  readonly bgpAdvertisements: Objects;
  readonly leasedIPs: Objects;
  readonly providerHosts: Objects;
  /** Undefined when the namespace does not exist or the kind is not served. */
  readonly dryRun: DryRun | undefined;
  /** Errors of MetalLB components that reject their configuration; undefined before 0.15.3. */
  readonly refusedConfigurations: Fact<readonly ClusterFinding[] | undefined>;
  /** Names of live IPAddressPools without our label that `dist/` has: the first sync takes over. */
  readonly takenOver: readonly string[];
  /** Unmanaged IPAddressPools that overlap a declared pool or each other. */
  readonly overlaps: Fact<readonly ClusterFinding[]>;
  /** Deployments of the Akash IP operator that are not scaled to 0. */
  readonly operators: Fact<readonly LiveObject[]>;
  readonly operatorLogs: Fact<readonly PodLog[]>;
  /** From the namespaces that an Akash provider runs in. */
  readonly providerConfigs: Objects;
  /** From the namespaces that an Akash provider runs in. */
  readonly endpointSlices: Objects;
  /** Undefined when no inventory is declared. */
  readonly inventory: InventoryFacts | undefined;
}

/** What Akash's inventory operator works with, and what it says. */
export interface InventoryFacts {
  readonly storageClasses: Objects;
  /** From the namespace of the operator. */
  readonly configs: Objects;
  /** The operator's `/v1/inventory`. */
  readonly answer: Fact<ServiceAnswer>;
}

/** Returns the findings of one code; none when the code does not apply. */
export type Check = (facts: Facts, expected: Expected) => readonly Finding[];

/** The finding that RBAC denies a request, and how to grant it. */
export function unknown(code: FindingCode, reason: string): Finding {
  const fix =
    'apply what leasehold bootstrap rbac --doctor prints, for the ServiceAccount that --account names, and run leasehold doctor again';
  const command = 'npx --no leasehold bootstrap rbac --doctor | kubectl apply -f -';
  return { level: 'unknown', code, found: reason, fix, command };
}

/**
 * True for the workload of an Akash tenant, whatever its name. Akash provider:
 * cluster/kube/builder.
 */
export function isTenantWorkload({ metadata }: LiveObject): boolean {
  return Object.hasOwn(metadata.labels ?? {}, 'akash.network/manifest-service');
}

/** True for the texts that Go's strconv.ParseBool reads as true. */
export function isTrue(value: string): boolean {
  return ['1', 't', 'true'].includes(value.toLowerCase());
}

/** The objects of a fact; none when it is unknown or the kind is not served. */
export function objectsOf(fact: Objects): readonly LiveObject[] {
  return fact.known ? (fact.value ?? []) : [];
}

/** The settings of kube-proxy's KubeProxyConfiguration that matter to MetalLB. */
export interface KubeProxy {
  /** `iptables`, `ipvs`, `nftables`; empty for the platform's default. */
  readonly mode: string;
  readonly strictARP: boolean;
}
