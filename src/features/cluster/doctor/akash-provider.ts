import type { LiveObject } from '../../../model/live.ts';
import { fieldAt, listAt } from '../../../model/unstructured.ts';
import type { Finding } from '../diagnosis-answer.ts';
import { type Check, type Facts, isTenants, objectsOf, unknown } from './facts.ts';
import { ipOperator, providerSetting } from './provider-setting.ts';

/** The chart's name for the provider: a StatefulSet, a Deployment in old versions. */
const providerName = 'akash-provider';
/** The Service that a provider asks, in its own namespace. Akash provider: operator/ip, its chart. */
const operatorService = 'operator-ip';

/** A provider that runs. */
export interface Provider {
  readonly kind: 'statefulset' | 'deployment';
  readonly namespace: string;
  readonly object: LiveObject;
}

/** The Akash providers that run, of all namespaces. */
export function providersIn({
  statefulSets,
  deployments,
}: Pick<Facts, 'statefulSets' | 'deployments'>): readonly Provider[] {
  const named = (kind: Provider['kind'], objects: readonly LiveObject[]) =>
    objects
      .filter((object) => object.metadata.name === providerName && !isTenants(object))
      .filter((object) => fieldAt(object, 'spec', 'replicas') !== 0)
      .map((object) => ({ kind, namespace: object.metadata.namespace ?? '', object }));
  return [
    ...named('statefulset', objectsOf(statefulSets)),
    ...named('deployment', objectsOf(deployments)),
  ];
}

/** What to do about a setting of a provider that cannot be told. */
export function whereToLook({ kind, namespace }: Provider): Pick<Finding, 'fix' | 'command'> {
  return {
    fix: 'see where it takes its variables from: a ConfigMap that is not there, or a Secret, which nobody asks for',
    command: `kubectl -n ${namespace} describe ${kind} ${providerName}`,
  };
}

/** AKASH_PROVIDER: one finding for each provider. */
export const checkAkashProvider: Check = (facts) => {
  const code = 'AKASH_PROVIDER';
  if (!facts.statefulSets.known) return [unknown(code, facts.statefulSets.reason)];
  const providers = providersIn(facts);
  if (providers.length === 0) return [{ level: 'ok', code, found: 'no Akash provider runs' }];
  return providers.map((provider) => findingOf(provider, facts));
};

function findingOf(provider: Provider, facts: Facts): Finding {
  const code = 'AKASH_PROVIDER';
  const { kind, namespace } = provider;
  const name = `${namespace}/${providerName}`;
  const configs = objectsOf(facts.providerConfigs);
  const setting = providerSetting(ipOperator, provider.object, configs);
  if (setting === undefined) {
    if (!facts.providerConfigs.known) return unknown(code, facts.providerConfigs.reason);
    return {
      level: 'unknown',
      code,
      found: `what AKASH_IP_OPERATOR is at the provider ${name} cannot be told`,
      ...whereToLook(provider),
    };
  }
  if (setting === 'off') {
    const means = 'it bids on no order that wants a leased IP';
    return { level: 'ok', code, found: `the provider ${name} asks no IP operator`, means };
  }
  if (!facts.endpointSlices.known) return unknown(code, facts.endpointSlices.reason);
  const command = `kubectl -n ${namespace} set env ${kind}/${providerName} AKASH_IP_OPERATOR=false`;
  if (isAnswered(namespace, facts)) return answeredFinding(name, command, facts);
  return {
    level: 'problem',
    code,
    found: `the provider ${name} waits for an IP operator, and no ready pod stands behind the Service ${namespace}/${operatorService}`,
    means:
      "the provider waits for the IP operator's /health before it serves: :8443/status hangs, and it does not bid",
    fix: "let leasehold serve answer there (leasehold bootstrap serve); or set AKASH_IP_OPERATOR to false (the chart's ipoperator): it then bids on no order that wants a leased IP",
    command,
  };
}

/** Something answers: leasehold, or an operator that runs as well or instead. */
function answeredFinding(name: string, command: string, { operators }: Facts): Finding {
  const code = 'AKASH_PROVIDER';
  if (!operators.known) return unknown(code, operators.reason);
  if (operators.value.length === 0) {
    const found = `the provider ${name} asks what answers at ${operatorService}, and no Akash IP operator runs`;
    return { level: 'ok', code, found };
  }
  return {
    level: 'caution',
    code,
    found: `the provider ${name} asks the IP operator, which answers`,
    means:
      'without the operator, which must not run beside leasehold, the provider stops bidding until something else answers',
    fix: "let leasehold serve answer in its place (leasehold bootstrap serve), or set AKASH_IP_OPERATOR to false (the chart's ipoperator) before the operator is scaled to 0; the provider then bids on no order that wants a leased IP",
    command,
  };
}

function isAnswered(namespace: string, { endpointSlices }: Facts): boolean {
  return objectsOf(endpointSlices).some(
    (slice) =>
      slice.metadata.namespace === namespace &&
      slice.metadata.labels?.['kubernetes.io/service-name'] === operatorService &&
      listAt(slice, 'endpoints').some((one) => fieldAt(one, 'conditions', 'ready') !== false),
  );
}
