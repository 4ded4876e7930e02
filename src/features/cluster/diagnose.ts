import { type Cluster, type Pool, type Pools, poolsIn } from '../../core/model/pools.ts';
import type { LiveCluster } from '../../lib/kubernetes/live-cluster.ts';
import { beyondNativeBGP } from '../../lib/kubernetes/metallb-workload.ts';
import { checkAkashOperator, checkBarrier } from './akash-operator.ts';
import type { Diagnosis, Finding } from './diagnosis-answer.ts';
import { checkAkashPolicies, checkAkashProvider } from './doctor/akash-provider.ts';
import { checkInterfaces, checkNodes } from './doctor/announcing.ts';
import type { Check, Expected } from './doctor/facts.ts';
import { type Committed, gatherFacts } from './doctor/gather-facts.ts';
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

/** All checks, in the order of the codes (src/features/cluster/doctor/finding-codes.ts). */
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
  const facts = await gatherFacts(live, pools, cluster, committed);
  const findings: Finding[] = checks.flatMap((check) => check(facts, expected));
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

function hasIPv6({ ranges }: Pool): boolean {
  return ranges.some(({ from }) => from.family === 'ipv6');
}

/**
 * True for an unknown finding with a fix, usually a missing permission. Others do not fail doctor.
 */
function isFixableUnknown({ level, fix }: Finding): boolean {
  return level === 'unknown' && fix !== undefined;
}
