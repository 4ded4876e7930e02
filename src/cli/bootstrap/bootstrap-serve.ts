import { InvalidArgumentError } from '@commander-js/extra-typings';
import { serveObjects, usualDomain } from '../../features/delivery/bootstrap/serve.ts';
import { yamlText } from '../../manifests/yaml-text.ts';
import type { Cluster } from '../../model/pools.ts';
import { poolsPath } from '../../model/repository-paths.ts';
import { isHostName } from '../../world/http/request-checks.ts';
import { type NewCommand, type OptionsOf, subcommand } from '../command-line.ts';
import { assertRepository } from '../declared-names.ts';
import { UsageError } from '../failure.ts';
import {
  clusterOption,
  engineBranchValue,
  labelOption,
  pendingRefsOption,
  timeValue,
} from '../option-values.ts';

/** The namespace in which an Akash provider looks for its IP operator. */
export const providerNamespace = 'akash-services';

/** `leasehold bootstrap serve`. */
export function bootstrapServeCommand(group: NewCommand) {
  const description = "leasehold serve in the cluster, in place of Akash's IP operator";
  return subcommand(group, 'serve', description)
    .addOption(clusterOption())
    .requiredOption('--image <image>', 'an image with leasehold, git and a shell', imageValue)
    .requiredOption('--repo <url>', 'the repository of the leases, https or ssh')
    .option('--branch <name>', 'the branch that is served', engineBranchValue, 'main')
    .option(
      '--secret <name>',
      'the Secret for git: identity and known_hosts (ssh), or username and password (https)',
      labelOption,
    )
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

type ServeOptions = OptionsOf<typeof bootstrapServeCommand>;

/** The objects that run `leasehold serve` for a cluster. */
export function serveText(cluster: string, options: ServeOptions): string {
  const { image, repo: url, branch, secret, namespace, name, pendingRefs } = options;
  assertRepository(url, true);
  if (secret !== undefined && url.startsWith('http://')) {
    throw new UsageError('--secret is sent only over https or ssh, not to the address in --repo');
  }
  const repository = { url, branch };
  return yamlText(
    serveObjects({
      ...{ name, namespace, image, repository, secret, cluster, pendingRefs },
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
  const { repo, secret, namespace } = options;
  const cautions: string[] = [];
  if (secret === undefined && !/^https?:/.test(repo)) {
    cautions.push('ssh needs a key and known hosts: use --secret, unless the image has them');
  }
  if (provider === undefined && namespace === providerNamespace) {
    cautions.push(
      `${poolsPath} names no Akash provider in cluster ${name}: set --namespace and --name`,
    );
  }
  return cautions;
}

/** The name of an image; registry, tag and digest are optional. */
function imageValue(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,510}$/.test(text)) return text;
  throw new InvalidArgumentError('It is not the name of an image.');
}

/** The DNS domain of a cluster. */
function domainValue(text: string): string {
  const name = text.toLowerCase().replace(/^\.|\.$/g, '');
  if (isHostName(name)) return name;
  throw new InvalidArgumentError('It is not the domain of a cluster, such as cluster.local.');
}
