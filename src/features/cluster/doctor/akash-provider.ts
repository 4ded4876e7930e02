import type { LiveObject } from '../../../model/live.ts';
import { fieldAt, listAt, textAt } from '../../../model/unstructured.ts';
import type { Finding } from '../diagnosis-answer.ts';
import { type Check, type Facts, isTenants, objectsOf, unknown } from './facts.ts';
import { containersOf } from './metallb-workload.ts';

/** The chart's name for the provider: a StatefulSet, a Deployment in old versions. */
const providerName = 'akash-provider';
/** The Service that a provider asks, in its own namespace. Akash provider: operator/ip, its chart. */
const operatorService = 'operator-ip';

/** A provider that runs. */
interface Provider {
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
function whereToLook({ kind, namespace }: Provider): Pick<Finding, 'fix' | 'command'> {
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
  return providers.map((provider) => ipOperatorFinding(provider, facts));
};

function ipOperatorFinding(provider: Provider, facts: Facts): Finding {
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

/** AKASH_POLICIES: one finding for each provider; nothing when no Akash lease can get an IPv6 address. */
export const checkAkashPolicies: Check = (facts, expected) => {
  const code = 'AKASH_POLICIES';
  const { networkPolicies: ours } = expected;
  if (ours === undefined) return [];
  if (!facts.statefulSets.known) return [unknown(code, facts.statefulSets.reason)];
  return providersIn(facts).map((provider) => policiesFinding(provider, ours, facts));
};

function policiesFinding(provider: Provider, ours: boolean, { providerConfigs }: Facts): Finding {
  const code = 'AKASH_POLICIES';
  const { namespace, name } = provider.object.metadata;
  const theirs = providerSetting(networkPolicies, provider.object, objectsOf(providerConfigs));
  const whose = `the provider ${namespace}/${name}`;
  if (theirs === undefined) {
    if (!providerConfigs.known) return unknown(code, providerConfigs.reason);
    const found = `whether ${whose} writes NetworkPolicies cannot be told`;
    return { level: 'unknown', code, found, ...whereToLook(provider) };
  }
  if (theirs === 'off' && ours) {
    return {
      level: 'problem',
      code,
      found: `${whose} writes no NetworkPolicies, and leasehold writes them for leases with IPv6`,
      means: 'alone, such a policy shuts its pods off from IPv4, the ingress and one another',
      fix: 'set emit.networkPolicies: false in leases/pools.yaml and run leasehold synth',
    };
  }
  if (theirs === 'on' && !ours) {
    return {
      level: 'problem',
      code,
      found: `${whose} writes NetworkPolicies, and leasehold writes none`,
      means: 'those of the provider let no IPv6 in to port 80/TCP of a lease',
      fix: 'set emit.networkPolicies: true in leases/pools.yaml and run leasehold synth',
    };
  }
  const found = `${whose} writes ${theirs === 'on' ? '' : 'no '}NetworkPolicies, as emit.networkPolicies says`;
  return { level: 'ok', code, found };
}

/** A flag of an Akash provider, and what it is where nothing says it. */
interface ProviderSetting {
  readonly flag: string;
  readonly unset: 'on' | 'off';
}

/** Whether it waits for an IP operator. */
const ipOperator: ProviderSetting = { flag: 'ip-operator', unset: 'off' };

/** Whether it writes NetworkPolicies into the namespaces of its leases. */
const networkPolicies: ProviderSetting = {
  flag: 'deployment-network-policies-enabled',
  unset: 'on',
};

/**
 * What a setting of an Akash provider is: by its flag, by a variable of its own, or by one
 * of a ConfigMap of its namespace, where newer charts put it. Undefined when that is not to be read.
 */
function providerSetting(
  setting: ProviderSetting,
  provider: LiveObject,
  configs: readonly LiveObject[],
): 'on' | 'off' | undefined {
  const { namespace } = provider.metadata;
  const own = configs.filter(({ metadata }) => metadata.namespace === namespace);
  const values = containersOf(provider)
    .flatMap((container) => valuesIn(container, setting.flag, own))
    // An empty variable says nothing.
    .filter((value) => value !== '')
    .map((value) => value && (isTrue(value) ? 'on' : 'off'));
  const other = setting.unset === 'on' ? 'off' : 'on';
  if (values.includes(other)) return other;
  return values.includes(undefined) ? undefined : setting.unset;
}

/** What a flag is in a container; undefined stands for what is not to be read. */
function valuesIn(
  container: unknown,
  flag: string,
  configs: readonly LiveObject[],
): readonly (string | undefined)[] {
  const argument = argumentIn(container, flag);
  if (argument !== undefined) return [argument];
  const names = variablesOf(flag);
  const configNamed = (name: string | undefined): LiveObject | undefined =>
    configs.find(({ metadata }) => metadata.name === name);
  const own = listAt(container, 'env').find((one) => names.includes(textAt(one, 'name') ?? ''));
  if (own !== undefined) {
    const reference = fieldAt(own, 'valueFrom', 'configMapKeyRef');
    const config = configNamed(textAt(reference, 'name'));
    return [textAt(own, 'value') ?? textAt(config, 'data', textAt(reference, 'key') ?? '')];
  }
  return listAt(container, 'envFrom').flatMap((source): (string | undefined)[] => {
    const name = textAt(source, 'configMapRef', 'name');
    const config = configNamed(name);
    if (name !== undefined && config === undefined) return [undefined];
    return names.flatMap((setting) => textAt(config, 'data', setting) ?? []);
  });
}

/** The provider's variables for a flag, the chart's first. Without a prefix it reads none (chain-sdk: go/cli/configs.go). */
function variablesOf(flag: string): readonly string[] {
  const body = flag.toUpperCase().replaceAll('-', '_');
  return [`AKASH_${body}`, `AP_${body}`];
}

/** `--ip-operator`, `--ip-operator=true`, also inside a shell line. */
function argumentIn(container: unknown, flag: string): string | undefined {
  const words = [...listAt(container, 'command'), ...listAt(container, 'args')].join(' ');
  const found = new RegExp(`--${flag}(?:=(\\w+))?(?=\\s|$)`).exec(words);
  return found ? (found[1] ?? 'true') : undefined;
}

/** What Go's strconv.ParseBool takes for true. */
function isTrue(value: string): boolean {
  return ['1', 't', 'true'].includes(value.toLowerCase());
}
