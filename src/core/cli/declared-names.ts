import type { ArgoCDCluster } from '../../features/setup/argocd.ts';
import type { Cluster, Pool, Pools } from '../model/pools.ts';
import { repositoryFault, serverFault } from '../model/repository-address.ts';
import { UsageError } from './failure.ts';

/** The cluster of leases/pools.yaml that `--cluster` names, or the default one. */
export function declaredCluster(
  { clusters, defaultCluster }: Pools,
  name: string = defaultCluster,
): Cluster {
  const cluster = clusters.find((candidate) => candidate.name === name);
  if (cluster) return cluster;
  const names = clusters.map((candidate) => candidate.name).join(', ');
  throw new UsageError(`leases/pools.yaml declares no cluster ${name}; it declares ${names}`);
}

/** The pool of leases/pools.yaml that has a name, or the only one when the name is left out. */
export function declaredPool({ pools }: Pools, name: string | undefined): Pool {
  const [only, ...others] = pools;
  if (name === undefined && only && others.length === 0) return only;
  const pool = pools.find((candidate) => candidate.name === name);
  if (pool) return pool;
  const names = pools.map((candidate) => candidate.name).join(', ');
  if (name === undefined) {
    throw new UsageError(`name one of the pools of leases/pools.yaml: ${names}`);
  }
  throw new UsageError(`leases/pools.yaml declares no pool ${name}; it declares ${names}`);
}

/** A zone that a pool of leases/pools.yaml is in. */
export function declaredZone({ pools }: Pools, name: string): string {
  const zones = [...new Set(pools.map(({ zone }) => zone))];
  if (zones.includes(name)) return name;
  throw new UsageError(`no pool is in zone ${name}; zones are ${zones.join(', ')}`);
}

/**
 * Throws a UsageError for a URL that no engine may get. The URL is never printed: it may contain a
 * password.
 */
export function assertRepository(url: string, takesShort: boolean): void {
  const fault = repositoryFault(url, takesShort);
  if (fault !== undefined) throw new UsageError(`the address in --repo ${fault}`);
}

/** The API server of the cluster that Argo CD runs in. */
const ownServer = 'https://kubernetes.default.svc';

/**
 * The clusters with their API servers, from the values of `--server`. A single cluster without one
 * is the cluster that Argo CD runs in. A UsageError when a cluster has no server, or two clusters
 * have the same: each would prune the objects of the other.
 */
export function clusterServers(
  clusters: readonly Pick<Cluster, 'name' | 'shards'>[],
  options: readonly string[],
): readonly ArgoCDCluster[] {
  const servers = serversOf(clusters, options);
  const [only] = clusters;
  if (clusters.length === 1 && only && !servers.has(only.name)) servers.set(only.name, ownServer);
  const names = clusters.map(({ name }) => name).filter((name) => !servers.has(name));
  if (names.length > 0) {
    throw new UsageError(`name the API server of ${names.join(', ')} with --server NAME=URL`);
  }
  assertDistinct(servers);
  return clusters.map(({ name, shards }) => ({
    name,
    server: servers.get(name) ?? ownServer,
    shards,
  }));
}

function serversOf(
  clusters: readonly Pick<Cluster, 'name' | 'shards'>[],
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
