import type { LiveObject } from '../model/live.ts';
import { fieldAt, listAt, textAt } from '../model/live-field.ts';
import { containersOf } from './metallb-workload.ts';

/** The provider's variables for its flag --ip-operator, the chart's first. */
const names = ['AKASH_IP_OPERATOR', 'AP_IP_OPERATOR'];

/**
 * Whether an Akash provider waits for an IP operator: by its flag, by a variable of its own, or by one
 * of a ConfigMap of its namespace, where newer charts put it. Undefined when that is not to be read.
 */
export function ipOperatorSetting(
  provider: LiveObject,
  configs: readonly LiveObject[],
): 'on' | 'off' | undefined {
  const values = containersOf(provider).flatMap((container) => valuesIn(container, configs));
  if (values.some((value) => value !== undefined && isTrue(value))) return 'on';
  return values.includes(undefined) ? undefined : 'off';
}

/** What the setting is in a container; undefined stands for what is not to be read. */
function valuesIn(
  container: unknown,
  configs: readonly LiveObject[],
): readonly (string | undefined)[] {
  const flag = flagIn(container);
  if (flag !== undefined) return [flag];
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

/** `--ip-operator`, `--ip-operator=true`, also inside a shell line. */
function flagIn(container: unknown): string | undefined {
  const words = [...listAt(container, 'command'), ...listAt(container, 'args')].join(' ');
  const flag = /--ip-operator(?:=(\w+))?(?=\s|$)/.exec(words);
  return flag ? (flag[1] ?? 'true') : undefined;
}

/** What Go's strconv.ParseBool takes for true. */
function isTrue(value: string): boolean {
  return ['1', 't', 'true'].includes(value.toLowerCase());
}
