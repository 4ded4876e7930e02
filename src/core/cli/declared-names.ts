import type { Cluster, Pool, Pools } from '../model/pools.ts';
import { repositoryFault } from '../model/repository-address.ts';
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
