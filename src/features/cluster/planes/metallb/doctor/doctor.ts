import type { LiveCluster } from '../../../../../lib/kubernetes/live-cluster.ts';
import type { Finding } from '../../../diagnosis-answer.ts';
import type { CommonFacts, Expected } from '../../../doctor/facts.ts';
import { checkInterfaces, checkNodes } from './announcing.ts';
import {
  checkAdmission,
  checkConfiguration,
  checkForeignPools,
  checkWebhook,
} from './configuration.ts';
import type { MetalLBCheck } from './facts.ts';
import { gatherFacts } from './gather-facts.ts';
import { checkMetalLBKinds, checkPodSecurity, checkStrictARP } from './kubernetes.ts';
import { checkController, checkMetalLBNamespace, checkSpeakers } from './running.ts';
import { checkBGP, checkClass, checkMetrics, checkRelease } from './settings.ts';

const checks: readonly MetalLBCheck[] = [
  checkMetalLBNamespace,
  checkMetalLBKinds,
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
  checkMetrics,
];

/** What `leasehold doctor` finds of a cluster's MetalLB. */
export async function metallbFindings(
  live: LiveCluster,
  common: CommonFacts,
  expected: Expected,
): Promise<readonly Finding[]> {
  const facts = await gatherFacts(live, common, expected);
  return checks.flatMap((check) => check(facts, expected));
}
