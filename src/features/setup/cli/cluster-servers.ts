import { UsageError } from '../../../core/cli/failure.ts';
import { serverFault } from '../../../core/model/repository-address.ts';

/** The API server of the cluster that Argo CD runs in. */
const ownServer = 'https://kubernetes.default.svc';

/**
 * The clusters with their API servers, from the values of `--server`. A single cluster without one
 * is the cluster that Argo CD runs in. A UsageError when a cluster has no server, or two clusters
 * have the same: each would prune the objects of the other.
 */
export function clusterServers<One extends { readonly name: string }>(
  clusters: readonly One[],
  options: readonly string[],
): readonly (One & { readonly server: string })[] {
  const servers = serversOf(clusters, options);
  const [only] = clusters;
  if (clusters.length === 1 && only && !servers.has(only.name)) servers.set(only.name, ownServer);
  const names = clusters.map(({ name }) => name).filter((name) => !servers.has(name));
  if (names.length > 0) {
    throw new UsageError(`name the API server of ${names.join(', ')} with --server NAME=URL`);
  }
  assertDistinct(servers);
  return clusters.map((one) => ({ ...one, server: servers.get(one.name) ?? ownServer }));
}

function serversOf(
  clusters: readonly { readonly name: string }[],
  options: readonly string[],
): Map<string, string> {
  const servers = new Map<string, string>();
  for (const text of options) {
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

function assertDistinct(servers: ReadonlyMap<string, string>): void {
  const first = new Map<string, string>();
  for (const [name, url] of servers) {
    const { host, pathname } = new URL(url);
    const place = `${host}${pathname.replace(/\/+$/, '')}`;
    const other = first.get(place);
    if (other !== undefined) {
      throw new UsageError(`${other} and ${name} have the same API server, expected one for each`);
    }
    first.set(place, name);
  }
}
