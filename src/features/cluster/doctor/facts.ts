import type { FindingCode } from '../../../model/codes/finding-codes.ts';
import type { LiveObject } from '../../../model/live.ts';
import type { Cluster } from '../../../model/pools.ts';
import type { Finding } from '../diagnosis-answer.ts';
import type { ClusterFinding } from '../verification-answer.ts';

/** What a cluster answered to one question; or why it may not be asked, as one sentence. */
export type Fact<Value> =
  | { readonly known: true; readonly value: Value }
  | { readonly known: false; readonly reason: string };

/** The objects of a kind; undefined when the cluster does not serve it. */
export type Objects = Fact<readonly LiveObject[] | undefined>;

/** What a dry run of a pool that overlaps itself was answered (ports/live-cluster.ts DryRunAnswer). */
export interface DryRun {
  readonly verdict: 'accepted' | 'refused' | 'denied' | 'failed';
  readonly message: string;
}

/** The log of one pod of an Akash IP operator; its text is undefined when it has none. */
export interface PodLog {
  readonly namespace: string;
  readonly pod: string;
  readonly text: Fact<string | undefined>;
}

/** What the declared cluster wants of the live one. */
export interface Expected {
  readonly cluster: Cluster;
  readonly advertises: { readonly l2: boolean; readonly bgp: boolean };
  /** What pools ask of BGP that MetalLB's native mode cannot do. */
  readonly beyondNative: readonly string[];
  /** `emit.providerLeasedIP`. */
  readonly leasedIPs: boolean;
  /** `emit.networkPolicies`; undefined when no Akash lease can get an IPv6 address. */
  readonly networkPolicies: boolean | undefined;
}

/** Everything that was asked of a live cluster. Lists are of all namespaces unless they say otherwise. */
export interface Facts {
  /** The API server's version, as it says it. */
  readonly version: string;
  readonly namespaces: Objects;
  readonly deployments: Objects;
  readonly daemonSets: Objects;
  readonly statefulSets: Objects;
  /** Of kube-system; undefined when it has no ConfigMap that tells. */
  readonly kubeProxy: Fact<KubeProxy | undefined>;
  readonly webhooks: Objects;
  readonly addressPools: Objects;
  readonly l2Advertisements: Objects;
  readonly bgpAdvertisements: Objects;
  readonly leasedIPs: Objects;
  /** Undefined when there is nothing to ask: no namespace, or no such kind. */
  readonly dryRun: DryRun | undefined;
  /** What parts of MetalLB say of their configuration, when they refuse it; undefined before 0.15.3. */
  readonly refusedConfigurations: Fact<readonly ClusterFinding[] | undefined>;
  /** The names of IPAddressPools without our label that `dist/` has: the first sync takes them over. */
  readonly takenOver: readonly string[];
  /** IPAddressPools of somebody else that have addresses of ours. */
  readonly overlaps: Fact<readonly ClusterFinding[]>;
  /** Deployments that are an Akash IP operator with replicas. */
  readonly operators: Fact<readonly LiveObject[]>;
  readonly operatorLogs: Fact<readonly PodLog[]>;
  /** ConfigMaps of the namespaces that an Akash provider runs in. */
  readonly providerConfigs: Objects;
  /** EndpointSlices of the namespaces that an Akash provider runs in. */
  readonly endpointSlices: Objects;
}

/** One thing to look at. */
export type Check = (facts: Facts, expected: Expected) => readonly Finding[];

/** The finding that something may not be looked at. */
export function unknown(code: FindingCode, reason: string): Finding {
  const fix =
    'grant what leasehold bootstrap rbac --doctor prints, to the ServiceAccount that --account names, and run leasehold doctor again';
  const command = 'npx --no leasehold bootstrap rbac --doctor | kubectl apply -f -';
  return { level: 'unknown', code, found: reason, fix, command };
}

/** True for what a tenant of an Akash provider runs, whatever he calls it (Akash provider: cluster/kube/builder). */
export function isTenants({ metadata }: LiveObject): boolean {
  return Object.hasOwn(metadata.labels ?? {}, 'akash.network/manifest-service');
}

/** The objects of an answer that is known: none when the kind is not served. */
export function objectsOf(answer: Objects): readonly LiveObject[] {
  return answer.known ? (answer.value ?? []) : [];
}

/** How kube-proxy serves, of its KubeProxyConfiguration. */
export interface KubeProxy {
  /** `iptables`, `ipvs`, `nftables`; empty for the platform's default. */
  readonly mode: string;
  readonly strictARP: boolean;
}
