import { InvalidArgumentError } from 'commander';
import { serveObjects } from '../../features/delivery/bootstrap/serve.ts';
import { yamlText } from '../../manifests/yaml-text.ts';
import { poolsPath } from '../../model/folders.ts';
import type { Cluster } from '../../model/pools.ts';
import { isHostName } from '../../world/http/request-checks.ts';
import { UsageError } from '../failure.ts';
import { assertRepository } from '../gitops-values.ts';

/** Where a provider looks for its IP operator. */
export const providerNamespace = 'akash-services';

/** What `leasehold bootstrap serve` is asked. */
export interface ServeTerms {
  readonly image: string;
  readonly repo: string;
  readonly branch: string;
  readonly secret?: string;
  readonly namespace: string;
  readonly name: string;
  readonly clusterDomain: string;
  readonly pendingRefs: readonly string[];
  /** Milliseconds. */
  readonly interval?: number;
  readonly monitor: boolean;
}

/** The objects by which `leasehold serve` answers for a cluster. */
export function serveText(cluster: string, terms: ServeTerms): string {
  const { image, repo: url, branch, secret, namespace, name, pendingRefs } = terms;
  assertRepository(url, true);
  if (secret !== undefined && url.startsWith('http://')) {
    throw new UsageError('--secret is sent only over https or ssh, not to the address in --repo');
  }
  const repository = { url, branch };
  return yamlText(
    serveObjects({
      ...{ name, namespace, image, repository, secret, cluster, pendingRefs },
      domain: terms.clusterDomain,
      interval: terms.interval,
      isMonitored: terms.monitor,
    }),
  );
}

/** What in these terms is likely to fail in the cluster, for a person. */
export function serveCautions({ name, provider }: Cluster, terms: ServeTerms): readonly string[] {
  const { repo, secret, namespace } = terms;
  const cautions: string[] = [];
  if (secret === undefined && !/^https?:/.test(repo)) {
    cautions.push('ssh wants a key and known hosts: say --secret, unless the image has them');
  }
  if (provider === undefined && namespace === providerNamespace) {
    cautions.push(
      `${poolsPath} names no Akash provider in cluster ${name}: say --namespace and --name`,
    );
  }
  return cautions;
}

/** The name of an image, with its registry, tag and digest as far as they are said. */
export function imageValue(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,510}$/.test(text)) return text;
  throw new InvalidArgumentError('It is not the name of an image.');
}

/** The DNS domain of a cluster. */
export function domainValue(text: string): string {
  const name = text.toLowerCase().replace(/^\.|\.$/g, '');
  if (isHostName(name)) return name;
  throw new InvalidArgumentError('It is not the domain of a cluster, such as cluster.local.');
}
