import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { NewCommand, OptionsOf } from '../../../../core/cli/command-line.ts';
import { clusterOption, labelOption, timeValue } from '../../../../core/cli/option-values.ts';
import { yamlText } from '../../../../core/manifests/yaml-text.ts';
import type { Cluster } from '../../../../core/model/pools.ts';
import { poolsPath } from '../../../../core/model/repository-paths.ts';
import { pendingRefsOption } from '../../../../lib/forecast/cli/pending-option.ts';
import { isHostName } from '../../../../lib/http/world/request-checks.ts';
import { serveObjects, usualDomain } from '../../bootstrap/serve.ts';
import { gitPodOf, podCautions, podOptions } from './pod-options.ts';

/** The namespace in which an Akash provider looks for its IP operator. */
export const providerNamespace = 'akash-services';

/** `leasehold bootstrap serve`. */
export function bootstrapServeOptions(bare: NewCommand) {
  return podOptions(bare)
    .addOption(clusterOption())
    .option('--namespace <name>', 'where a provider looks for it', labelOption, providerNamespace)
    .option('--name <name>', 'of the Deployment and the Service', labelOption, 'operator-ip')
    .option(
      '--cluster-domain <name>',
      'the DNS domain of the cluster that it runs in',
      domainValue,
      usualDomain,
    )
    .addOption(pendingRefsOption('count what open branches hold as in use'))
    .option(
      '--interval <time>',
      'the time between two polls of the remote, such as 30s; 5s when left out',
      timeValue,
    )
    .option('--monitor', 'with a ServiceMonitor, for the Prometheus Operator', false);
}

type ServeOptions = OptionsOf<typeof bootstrapServeOptions>;

/** The objects that run `leasehold serve` for a cluster. */
export function serveText(cluster: string, options: ServeOptions): string {
  const { namespace, name, pendingRefs } = options;
  return yamlText(
    serveObjects({
      ...{ name, namespace, cluster, pendingRefs, ...gitPodOf(options) },
      domain: options.clusterDomain,
      interval: options.interval,
      isMonitored: options.monitor,
    }),
  );
}

/** Warnings about options that are likely to fail in the cluster. */
export function serveCautions(
  { name, provider }: Cluster,
  options: ServeOptions,
): readonly string[] {
  const isLost = provider === undefined && options.namespace === providerNamespace;
  return [
    ...podCautions(options),
    ...(isLost
      ? [`${poolsPath} names no Akash provider in cluster ${name}: set --namespace and --name`]
      : []),
  ];
}

/** The DNS domain of a cluster. */
function domainValue(text: string): string {
  const name = text.toLowerCase().replace(/^\.|\.$/g, '');
  if (isHostName(name)) return name;
  throw new InvalidArgumentError('It is not the domain of a cluster, such as cluster.local.');
}
