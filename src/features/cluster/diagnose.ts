import { type Cluster, type Pool, type Pools, poolsIn } from '../../core/model/pools.ts';
import type { LiveCheck } from '../../lib/kubernetes/doctor-checks.ts';
import type { LiveCluster } from '../../lib/kubernetes/live-cluster.ts';
import { beyondNativeBGP } from '../../lib/kubernetes/metallb-workload.ts';
import { checkAkashOperator, checkBarrier } from './akash-operator.ts';
import type { Diagnosis, Finding } from './diagnosis-answer.ts';
import { checkAkashPolicies, checkAkashProvider } from './doctor/akash-provider.ts';
import type { Check, Expected } from './doctor/facts.ts';
import { findingCodes } from './doctor/finding-codes.ts';
import { gatherCommon } from './doctor/gather-facts.ts';
import { checkAkashKinds, checkKubernetesVersion } from './doctor/kubernetes.ts';
import { checkSecondBalancer } from './doctor/second-balancer.ts';
import { livePlanes } from './planes/planes.ts';

/** The committed state of the cluster's tree. */
export interface Committed extends Pick<Expected, 'written'> {
  /** The checks of features, for what else is declared for the cluster. */
  readonly checks: readonly LiveCheck[];
}

/** The checks that are the same on every plane. */
const commonChecks: readonly Check[] = [
  checkKubernetesVersion,
  checkAkashKinds,
  checkSecondBalancer,
  checkAkashProvider,
  checkAkashOperator,
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
    written: committed.written,
  };
  const facts = await gatherCommon(live);
  const findings = inOrder([
    ...commonChecks.flatMap((check) => check(facts, expected)),
    ...(await livePlanes[cluster.plane.kind].findings(live, facts, expected)),
  ]);
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

/** In the order of the codes. */
function inOrder(findings: readonly Finding[]): Finding[] {
  const order: readonly string[] = Object.keys(findingCodes);
  return [...findings].sort((one, other) => order.indexOf(one.code) - order.indexOf(other.code));
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
