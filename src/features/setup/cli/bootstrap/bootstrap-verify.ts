import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { NewCommand, OptionsOf } from '../../../../core/cli/command-line.ts';
import { clusterOption, labelOption } from '../../../../core/cli/option-values.ts';
import { yamlText } from '../../../../core/manifests/yaml-text.ts';
import type { Cluster } from '../../../../core/model/pools.ts';
import { verifyJobObjects } from '../../bootstrap/verify-job.ts';
import { gitPodOf, podOptions } from './pod-options.ts';

/** `leasehold bootstrap verify`. */
export function bootstrapVerifyOptions(bare: NewCommand) {
  return podOptions(bare)
    .addOption(clusterOption())
    .option('--namespace <name>', 'where it runs', labelOption, 'leasehold')
    .option(
      '--name <name>',
      'of the CronJob and its ServiceAccount',
      labelOption,
      'leasehold-verify',
    )
    .option('--schedule <cron>', 'when it runs', scheduleValue, '*/15 * * * *')
    .option('--reach', 'also connect to each TCP port of each address', false)
    .option('--monitor', 'with a PrometheusRule, for the Prometheus Operator', false);
}

/** The objects that run `leasehold verify` for a cluster. */
export function verifyJobText(
  { name: cluster, plane }: Cluster,
  options: OptionsOf<typeof bootstrapVerifyOptions>,
): string {
  const { name, namespace, schedule } = options;
  return yamlText(
    verifyJobObjects({
      ...{ name, namespace, schedule, cluster, ...gitPodOf(options) },
      plane,
      reaches: options.reach,
      isMonitored: options.monitor,
    }),
  );
}

/** Five fields of cron, or a name such as `@hourly`. Kubernetes checks the rest. */
function scheduleValue(text: string): string {
  if (/^@[a-z]+$/.test(text) || /^[\d*/,\-A-Za-z?]+( [\d*/,\-A-Za-z?]+){4}$/.test(text))
    return text;
  throw new InvalidArgumentError("It is not a schedule such as '*/15 * * * *'.");
}
