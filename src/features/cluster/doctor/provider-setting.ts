import type { LiveObject } from '../../../model/live.ts';
import { fieldAt, listAt, textAt } from '../../../model/unstructured.ts';
import { containersOf } from './metallb-workload.ts';

/** A flag of an Akash provider, and what it is where nothing says it. */
interface ProviderSetting {
  readonly flag: string;
  readonly unset: 'on' | 'off';
}

/** Whether it waits for an IP operator. */
export const ipOperator: ProviderSetting = { flag: 'ip-operator', unset: 'off' };

/** Whether it writes NetworkPolicies into the namespaces of its leases. */
export const networkPolicies: ProviderSetting = {
  flag: 'deployment-network-policies-enabled',
  unset: 'on',
};

/**
 * What a setting of an Akash provider is: by its flag, by a variable of its own, or by one
 * of a ConfigMap of its namespace, where newer charts put it. Undefined when that is not to be read.
 */
export function providerSetting(
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
