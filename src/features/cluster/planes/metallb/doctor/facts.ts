import type { Fact, Objects } from '../../../../../lib/kubernetes/doctor-checks.ts';
import type { Check, CommonFacts } from '../../../doctor/facts.ts';
import type { ClusterFinding } from '../../../verification-answer.ts';

/** The result of a dry run of a pool that overlaps itself (lib/kubernetes/live-cluster.ts DryRunAnswer). */
export interface DryRun {
  readonly verdict: 'accepted' | 'refused' | 'denied' | 'failed';
  readonly message: string;
}

/** The state of a live cluster on MetalLB. */
export interface MetalLBFacts extends CommonFacts {
  /** From MetalLB's namespace. */
  readonly daemonSets: Objects;
  /** From MetalLB's namespace. */
  readonly pods: Objects;
  /** Messages of speakers about Services on pools whose interfaces their nodes lack, without repeats. */
  readonly interfaceFailures: Fact<readonly string[]>;
  /** From kube-system; undefined when it has no such ConfigMap. */
  readonly kubeProxy: Fact<KubeProxy | undefined>;
  readonly webhooks: Objects;
  readonly addressPools: Objects;
  readonly l2Advertisements: Objects;
  readonly bgpAdvertisements: Objects;
  /** Undefined when the namespace does not exist or the kind is not served. */
  readonly dryRun: DryRun | undefined;
  /** Errors of MetalLB components that reject their configuration; undefined before 0.15.3. */
  readonly refusedConfigurations: Fact<readonly ClusterFinding[] | undefined>;
  /** Names of live IPAddressPools without our label that `dist/` has: the first sync takes over. */
  readonly takenOver: readonly string[];
  /** Unmanaged IPAddressPools that overlap a declared pool or each other. */
  readonly overlaps: Fact<readonly ClusterFinding[]>;
}

/** The settings of kube-proxy's KubeProxyConfiguration that matter to MetalLB. */
export interface KubeProxy {
  /** `iptables`, `ipvs`, `nftables`; empty for the platform's default. */
  readonly mode: string;
  readonly strictARP: boolean;
}

/** A check of MetalLB. */
export type MetalLBCheck = Check<MetalLBFacts>;
