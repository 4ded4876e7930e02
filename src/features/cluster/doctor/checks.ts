import type { Finding } from '../diagnosis-answer.ts';
import { checkAkashOperator, checkBarrier } from './akash-operator.ts';
import { checkAkashPolicies } from './akash-policies.ts';
import { checkAkashProvider } from './akash-provider.ts';
import type { Check, Expected, Facts } from './facts.ts';
import { checkForeignPools } from './foreign-pools.ts';
import { checkAkashKinds, checkMetalLBKinds } from './kinds.ts';
import { checkKubernetesVersion } from './kubernetes-version.ts';
import { checkBGP } from './metallb-bgp.ts';
import { checkConfiguration } from './metallb-configuration.ts';
import { checkMetrics, checkRelease } from './metallb-release.ts';
import {
  checkClass,
  checkController,
  checkMetalLBNamespace,
  checkSpeakers,
} from './metallb-running.ts';
import { checkPodSecurity } from './pod-security.ts';
import { checkStrictARP } from './strict-arp.ts';
import { checkAdmission, checkWebhook } from './webhook.ts';

/** In the order of the codes (src/model/codes/finding-codes.ts). */
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
  checkPodSecurity,
  checkStrictARP,
  checkWebhook,
  checkAdmission,
  checkConfiguration,
  checkForeignPools,
  checkAkashOperator,
  checkMetrics,
  checkBarrier,
  checkAkashProvider,
  checkAkashPolicies,
];

/** What of a live cluster stands in the way of leasehold, and what does not: all findings, in the order of their codes. */
export function findingsOf(facts: Facts, expected: Expected): readonly Finding[] {
  return checks.flatMap((check) => check(facts, expected));
}
