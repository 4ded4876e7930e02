import { fieldAt, type LiveObject, listAt, textAt } from '../../../core/model/live.ts';
import { isTrue, objectsOf, unknown } from '../../../lib/kubernetes/doctor-checks.ts';
import { containersOf } from '../../../lib/kubernetes/metallb-workload.ts';
import type { Finding } from '../diagnosis-answer.ts';
import { type Check, type CommonFacts, isTenantWorkload } from './facts.ts';

/** The chart's name for the provider: a StatefulSet, a Deployment in old versions. */
const providerName = 'akash-provider';
/**
 * The Service of the IP operator, in the provider's namespace. Akash provider: operator/ip, chart.
 */
const operatorService = 'operator-ip';

/** A provider that is not scaled to 0. */
interface Provider {
  readonly kind: 'statefulset' | 'deployment';
  readonly namespace: string;
  readonly object: LiveObject;
}

/** The Akash providers that run, in all namespaces. */
export function providersIn({
  statefulSets,
  deployments,
}: Pick<CommonFacts, 'statefulSets' | 'deployments'>): readonly Provider[] {
  const named = (kind: Provider['kind'], objects: readonly LiveObject[]) =>
    objects
      .filter((object) => object.metadata.name === providerName && !isTenantWorkload(object))
      .filter((object) => fieldAt(object, 'spec', 'replicas') !== 0)
      .map((object) => ({ kind, namespace: object.metadata.namespace ?? '', object }));
  return [
    ...named('statefulset', objectsOf(statefulSets)),
    ...named('deployment', objectsOf(deployments)),
  ];
}

/** The fix for a setting of a provider that cannot be determined. */
function settingHint({ kind, namespace }: Provider): Pick<Finding, 'fix' | 'command'> {
  return {
    fix: 'check where it takes its variables from: a ConfigMap that does not exist, or a Secret, which leasehold does not read',
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

function ipOperatorFinding(provider: Provider, facts: CommonFacts): Finding {
  const code = 'AKASH_PROVIDER';
  const { namespace } = provider;
  const name = `${namespace}/${providerName}`;
  const configs = objectsOf(facts.providerConfigs);
  const setting = providerSetting(ipOperator, provider.object, configs);
  if (setting === undefined) {
    if (!facts.providerConfigs.known) return unknown(code, facts.providerConfigs.reason);
    return {
      level: 'unknown',
      code,
      found: `the value of AKASH_IP_OPERATOR at the provider ${name} cannot be determined`,
      ...settingHint(provider),
    };
  }
  if (setting === 'off') {
    const means = 'it does not bid on orders for leased IPs';
    return { level: 'ok', code, found: `the provider ${name} uses no IP operator`, means };
  }
  if (!facts.endpointSlices.known) return unknown(code, facts.endpointSlices.reason);
  const off = turningOff(provider);
  if (hasReadyEndpoint(namespace, facts)) return answeredFinding(name, off, facts);
  return {
    level: 'problem',
    code,
    found: `the provider ${name} waits for an IP operator, but the Service ${namespace}/${operatorService} has no ready pod`,
    means:
      "the provider waits for the IP operator's /health before it serves: :8443/status hangs, and it does not bid",
    fix: `run \`leasehold serve\` there (\`leasehold bootstrap serve\`), or ${off.fix}: the provider then does not bid on orders for leased IPs`,
    ...off.command,
  };
}

/** How a provider stops to use an IP operator. A flag outdoes the environment, and no command of kubectl changes it. */
function turningOff({ kind, namespace, object }: Provider) {
  const containers = containersOf(object);
  if (containers.some((one) => argumentIn(one, ipOperator.flag) !== undefined)) {
    return { fix: `set --${ipOperator.flag}=false in its command line`, command: {} };
  }
  const names = variablesOf(ipOperator.flag);
  const set = containers.flatMap((one) => variableIn(one, names) ?? []);
  const name = textAt(set[0], 'name') ?? names[0];
  return {
    fix: `set ${name} to false (the chart's ipoperator)`,
    command: {
      command: `kubectl -n ${namespace} set env ${kind}/${providerName} ${name}=false`,
    },
  };
}

/** The Service has a ready endpoint: leasehold serve, an IP operator, or both. */
function answeredFinding(
  name: string,
  off: ReturnType<typeof turningOff>,
  { operators }: CommonFacts,
): Finding {
  const code = 'AKASH_PROVIDER';
  if (!operators.known) return unknown(code, operators.reason);
  if (operators.value.length === 0) {
    const found = `the Service ${operatorService} answers the provider ${name}, and no Akash IP operator runs`;
    return { level: 'ok', code, found };
  }
  return {
    level: 'caution',
    code,
    found: `the provider ${name} uses the IP operator, which answers`,
    means:
      'without the operator, which must not run beside leasehold, the provider stops bidding until something else answers',
    fix: `run \`leasehold serve\` in its place (\`leasehold bootstrap serve\`), or ${off.fix} before the operator is scaled to 0: the provider then does not bid on orders for leased IPs`,
    ...off.command,
  };
}

function hasReadyEndpoint(namespace: string, { endpointSlices }: CommonFacts): boolean {
  return objectsOf(endpointSlices).some(
    (slice) =>
      slice.metadata.namespace === namespace &&
      slice.metadata.labels?.['kubernetes.io/service-name'] === operatorService &&
      listAt(slice, 'endpoints').some((one) => fieldAt(one, 'conditions', 'ready') !== false),
  );
}

/** AKASH_POLICIES: one finding for each provider; nothing when no lease can get an IPv6 address. */
export const checkAkashPolicies: Check = (facts, expected) => {
  const code = 'AKASH_POLICIES';
  const { networkPolicies: ours } = expected;
  if (ours === undefined) return [];
  if (!facts.statefulSets.known) return [unknown(code, facts.statefulSets.reason)];
  return providersIn(facts).map((provider) => policiesFinding(provider, ours, facts));
};

function policiesFinding(
  provider: Provider,
  ours: boolean,
  { providerConfigs }: CommonFacts,
): Finding {
  const code = 'AKASH_POLICIES';
  const { namespace, name } = provider.object.metadata;
  const theirs = providerSetting(networkPolicies, provider.object, objectsOf(providerConfigs));
  const subject = `the provider ${namespace}/${name}`;
  if (theirs === undefined) {
    if (!providerConfigs.known) return unknown(code, providerConfigs.reason);
    const found = `it cannot be determined whether ${subject} writes NetworkPolicies`;
    return { level: 'unknown', code, found, ...settingHint(provider) };
  }
  if (theirs === 'off' && ours) {
    return {
      level: 'problem',
      code,
      found: `${subject} writes no NetworkPolicies, but leasehold writes them for leases with IPv6`,
      means: 'on its own, such a policy cuts its pods off from IPv4, the ingress and each other',
      fix: 'set emit.networkPolicies: false in leases/pools.yaml and run `leasehold synth`',
    };
  }
  if (theirs === 'on' && !ours) {
    return {
      level: 'problem',
      code,
      found: `${subject} writes NetworkPolicies, but leasehold writes none`,
      means: "the provider's policies block IPv6 to port 80/TCP of a lease",
      fix: 'set emit.networkPolicies: true in leases/pools.yaml and run `leasehold synth`',
    };
  }
  const found = `${subject} writes ${theirs === 'on' ? '' : 'no '}NetworkPolicies, which agrees with emit.networkPolicies`;
  return { level: 'ok', code, found };
}

/** A boolean flag of an Akash provider. */
interface ProviderSetting {
  readonly flag: string;
  /** The provider's default. */
  readonly unset: 'on' | 'off';
}

/** The provider waits for an IP operator. */
const ipOperator: ProviderSetting = { flag: 'ip-operator', unset: 'off' };

/** The provider writes NetworkPolicies into the namespaces of its leases. */
const networkPolicies: ProviderSetting = {
  flag: 'deployment-network-policies-enabled',
  unset: 'on',
};

/**
 * Reads a setting of an Akash provider from its flag, from its own environment, or from a ConfigMap
 * in its namespace, where newer charts put it. Returns undefined when the value cannot be read.
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
    // An empty variable leaves the default.
    .filter((value) => value !== '')
    .map((value) => value && (isTrue(value) ? 'on' : 'off'));
  const other = setting.unset === 'on' ? 'off' : 'on';
  if (values.includes(other)) return other;
  return values.includes(undefined) ? undefined : setting.unset;
}

/** The values of a flag in a container; undefined for a value that cannot be read. */
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
  const own = variableIn(container, names);
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

/** The first of some variables that the environment of a container has. */
function variableIn(container: unknown, names: readonly string[]): unknown {
  return listAt(container, 'env').find((one) => names.includes(textAt(one, 'name') ?? ''));
}

/**
 * The environment variables of a flag, the chart's first. The provider ignores names without these
 * prefixes (chain-sdk: go/cli/configs.go).
 */
function variablesOf(flag: string): readonly string[] {
  const body = flag.toUpperCase().replaceAll('-', '_');
  return [`AKASH_${body}`, `AP_${body}`];
}

/** Finds `--ip-operator` or `--ip-operator=true`, also inside a shell command. */
function argumentIn(container: unknown, flag: string): string | undefined {
  const words = [...listAt(container, 'command'), ...listAt(container, 'args')].join(' ');
  const found = new RegExp(`--${flag}(?:=(\\w+))?(?=\\s|$)`).exec(words);
  return found ? (found[1] ?? 'true') : undefined;
}
