import { type Cluster, isOn, type Pool, type Pools, poolsIn } from '../../core/model/pools.ts';
import type { LiveCluster } from '../../lib/kubernetes/live-cluster.ts';
import { beyondNativeBGP } from '../../lib/kubernetes/metallb-workload.ts';
import { checkAkashOperator, checkBarrier } from './akash-operator.ts';
import type { Diagnosis, Finding } from './diagnosis-answer.ts';
import { checkAkashPolicies, checkAkashProvider } from './doctor/akash-provider.ts';
import { checkInterfaces, checkNodes } from './doctor/announcing.ts';
import type { Check, Expected, Facts } from './doctor/facts.ts';
import { type Committed, gatherCommon, gatherFacts } from './doctor/gather-facts.ts';
import {
  checkAkashKinds,
  checkKubernetesVersion,
  checkMetalLBKinds,
  checkPodSecurity,
  checkStrictARP,
} from './doctor/kubernetes.ts';
import {
  checkAdmission,
  checkConfiguration,
  checkForeignPools,
  checkWebhook,
} from './doctor/metallb-configuration.ts';
import { checkController, checkMetalLBNamespace, checkSpeakers } from './doctor/metallb-running.ts';
import { checkBGP, checkClass, checkMetrics, checkRelease } from './doctor/metallb-settings.ts';
import { checkSecondBalancer } from './doctor/second-balancer.ts';
import { ciliumFindings } from './planes/cilium/doctor.ts';

/** The checks of a cluster on MetalLB, in the order of the codes (src/features/cluster/doctor/finding-codes.ts). */
const checks: readonly Check[] = [
  checkKubernetesVersion,
  checkMetalLBNamespace,
  checkMetalLBKinds,
  checkAkashKinds,
  checkController,
  checkRelease,
  checkClass,
  checkBGP,
  checkSpeakers,
  checkNodes,
  checkInterfaces,
  checkPodSecurity,
  checkStrictARP,
  checkWebhook,
  checkAdmission,
  checkConfiguration,
  checkForeignPools,
  checkSecondBalancer,
  checkAkashProvider,
  checkAkashOperator,
  checkMetrics,
  checkBarrier,
  checkAkashPolicies,
];

/**
 * Checks whether a live cluster meets what the pool file declares for it. Requests are sent one at
 * a time and change nothing: the only request with a writing verb is a dry run. A request that RBAC
 * denies becomes a finding of level `unknown`; every other failure throws EnvironmentError. The
 * checks that features add come last.
 */
export async function diagnose(
  live: LiveCluster,
  pools: Pools,
  cluster: Cluster,
  committed: Committed,
): Promise<Diagnosis> {
  const own = poolsIn(pools, cluster.name);
  const kinds = new Set(own.flatMap(({ advertise }) => advertise.map(({ kind }) => kind)));
  const expected: Expected = {
    cluster,
    advertises: { l2: kinds.has('l2'), bgp: kinds.has('bgp') },
    beyondNative: beyondNativeBGP(own),
    pools: own,
    leasedIPs: pools.emit.providerLeasedIP,
    providerHosts:
      cluster.provider !== undefined && cluster.routes !== undefined && pools.emit.providerHost,
    networkPolicies:
      cluster.naming === 'akash' && own.some(hasIPv6) ? pools.emit.networkPolicies : undefined,
  };
  const findings = [
    ...(isOn(cluster, 'cilium')
      ? await diagnoseCilium(live, expected)
      : checksOf(await gatherFacts(live, pools, cluster, committed), expected)),
  ];
  for (const check of committed.checks) findings.push(...(await check(live)));
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Diagnosis',
    cluster: cluster.name,
    asked: live.name,
    ok: findings.every((finding) => finding.level !== 'problem' && !isFixableUnknown(finding)),
    findings,
  };
}

function checksOf(facts: Facts, expected: Expected): readonly Finding[] {
  return checks.flatMap((check) => check(facts, expected));
}

/** The checks of a cluster on Cilium, in the order of the codes. */
async function diagnoseCilium(live: LiveCluster, expected: Expected): Promise<readonly Finding[]> {
  const facts = await gatherCommon(live);
  const own = await ciliumFindings(live, facts, expected);
  const before = [checkKubernetesVersion, checkAkashKinds];
  const after = [
    checkSecondBalancer,
    checkAkashProvider,
    checkAkashOperator,
    checkBarrier,
    checkAkashPolicies,
  ];
  return [
    ...before.flatMap((check) => check(facts, expected)),
    ...own,
    ...after.flatMap((check) => check(facts, expected)),
  ];
}

function hasIPv6({ ranges }: Pool): boolean {
  return ranges.some(({ from }) => from.family === 'ipv6');
}

/**
 * True for an unknown finding with a fix, usually a missing permission. Others do not fail doctor.
 */
function isFixableUnknown({ level, fix }: Finding): boolean {
  return level === 'unknown' && fix !== undefined;
}
