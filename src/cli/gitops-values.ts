import { InvalidArgumentError } from 'commander';
import type { ArgoCDCluster } from '../features/delivery/argocd.ts';
import type { ArtifactSource, GitSource } from '../features/delivery/flux.ts';
import { isBranchName } from '../model/branch-name.ts';
import type { Cluster } from '../model/pools.ts';
import { artifactFault, repositoryFault, serverFault } from '../model/repository-url.ts';
import { dnsLabel } from '../text/name-fields.ts';
import { UsageError } from './failure.ts';

/** Refuses an address that no engine may be given. It is never printed: it may hold a password. */
export function assertRepository(url: string, takesShort: boolean): void {
  const fault = repositoryFault(url, takesShort);
  if (fault !== undefined) throw new UsageError(`the address in --repo ${fault}`);
}

/** Where Flux takes manifests from: one of a git repository and an artifact of a registry. */
export function sourceValue(
  asked: {
    readonly repo?: string;
    readonly oci?: string;
    readonly branch: string;
    readonly tag: string;
  },
  folder: string,
): GitSource | ArtifactSource {
  const { repo, oci, branch, tag } = asked;
  if (repo !== undefined) return { kind: 'GitRepository', url: repo, branch, folder };
  if (oci !== undefined) return { kind: 'OCIRepository', url: oci, tag };
  throw new UsageError('say with --repo or --oci where Flux takes the manifests from');
}

/** Refuses an address of an artifact that Flux may not be given. It is never printed: it may hold a password. */
export function assertArtifact(url: string): void {
  const fault = artifactFault(url);
  if (fault !== undefined) throw new UsageError(`the address in --oci ${fault}`);
}

/** A tag of an artifact. */
export function tagValue(text: string): string {
  if (/^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/.test(text)) return text;
  throw new InvalidArgumentError('It is not a tag of letters, digits, . _ and -.');
}

/** The name of an object or a namespace. */
export function labelValue(text: string): string {
  if (dnsLabel.safeParse(text).success) return text;
  throw new InvalidArgumentError('It is not a name of lower-case letters, digits and -.');
}

/** The name of an AppProject that is not Argo CD's own, which other Applications are in. */
export function projectValue(text: string): string {
  if (text !== 'default') return labelValue(text);
  throw new InvalidArgumentError('It is the project of everything else.');
}

/** A branch. Flux itself may fill in what stands in braces after a $. */
export function branchValue(text: string): string {
  if (isBranchName(text) && !text.includes('$')) return text;
  throw new InvalidArgumentError('It is not the name of a branch.');
}

/** A branch or a tag by its full name: a shorter one may name either. */
export function revisionValue(text: string): string {
  const [, name = ''] = /^refs\/(?:heads|tags)\/(.*)$/s.exec(text) ?? [];
  if (isBranchName(name) && !name.includes('$')) return text;
  throw new InvalidArgumentError('It is not a full name such as refs/heads/main.');
}

/** The API server of the cluster that Argo CD runs in. */
const ownServer = 'https://kubernetes.default.svc';

/**
 * The clusters with their API servers, as `--server` says them; one cluster alone is Argo CD's own when it does
 * not. A UsageError when a cluster has none, or two have one: each would prune what is the other's.
 */
export function clusterServers(
  clusters: readonly Pick<Cluster, 'name' | 'shards'>[],
  said: readonly string[],
): readonly ArgoCDCluster[] {
  const servers = serversOf(clusters, said);
  const [only] = clusters;
  if (clusters.length === 1 && only && !servers.has(only.name)) servers.set(only.name, ownServer);
  const names = clusters.map(({ name }) => name).filter((name) => !servers.has(name));
  if (names.length > 0) {
    throw new UsageError(
      `say with --server NAME=URL where the API server of ${names.join(', ')} is`,
    );
  }
  assertApart(servers);
  return clusters.map(({ name, shards }) => ({
    name,
    server: servers.get(name) ?? ownServer,
    shards,
  }));
}

function serversOf(
  clusters: readonly Pick<Cluster, 'name' | 'shards'>[],
  said: readonly string[],
): Map<string, string> {
  const servers = new Map<string, string>();
  for (const text of said) {
    const [, name = '', url = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    if (!clusters.some((cluster) => cluster.name === name)) {
      const names = clusters.map((cluster) => cluster.name).join(', ');
      throw new UsageError(`--server is NAME=URL, with one of these names: ${names}`);
    }
    const fault = serverFault(url);
    if (fault !== undefined) throw new UsageError(`the URL of ${name} in --server ${fault}`);
    if (servers.has(name)) throw new UsageError(`--server names ${name} twice`);
    servers.set(name, url);
  }
  return servers;
}

function assertApart(servers: ReadonlyMap<string, string>): void {
  const first = new Map<string, string>();
  for (const [name, url] of servers) {
    const { host, pathname } = new URL(url);
    const place = `${host}${pathname.replace(/\/+$/, '')}`;
    const other = first.get(place);
    if (other !== undefined) {
      throw new UsageError(`${other} and ${name} have one API server, expected one for each`);
    }
    first.set(place, name);
  }
}
