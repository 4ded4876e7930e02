import { type Cluster, type ClusterOn, isOn, type Pool, type Pools } from '../model/pools.ts';
import { repositoryFault } from '../model/repository-address.ts';
import { declaredNames } from '../text/message-text.ts';
import { isShortAccount, wholeName } from '../text/short-account.ts';
import { UsageError } from './failure.ts';

/** The cluster of leases/pools.yaml that `--cluster` names, or the default one. */
export function declaredCluster(
  { clusters, defaultCluster }: Pools,
  name: string = defaultCluster,
): Cluster {
  const cluster = clusters.find((candidate) => candidate.name === name);
  if (cluster) return cluster;
  throw undeclared(
    'cluster',
    name,
    clusters.map((candidate) => candidate.name),
  );
}

/** The same for a command that knows MetalLB only. Throws a UsageError for a cluster on another plane. */
export function metallbCluster(pools: Pools, name?: string): ClusterOn<'metallb'> {
  const cluster = declaredCluster(pools, name);
  if (isOn(cluster, 'metallb')) return cluster;
  throw new UsageError(
    `cluster ${cluster.name} is on Cilium in leases/pools.yaml, and this command is for MetalLB`,
  );
}

/** The pool of leases/pools.yaml that has a name, or the only one when the name is left out. */
export function declaredPool({ pools }: Pools, name: string | undefined): Pool {
  const [only, ...others] = pools;
  if (name === undefined && only && others.length === 0) return only;
  const pool = pools.find((candidate) => candidate.name === name);
  if (pool) return pool;
  const names = pools.map((candidate) => candidate.name);
  if (name === undefined) {
    throw new UsageError(`name one of the pools of leases/pools.yaml: ${names.join(', ')}`);
  }
  throw undeclared('pool', name, names);
}

/** A zone that a pool of leases/pools.yaml is in. */
export function declaredZone({ pools }: Pools, name: string): string {
  const zones = [...new Set(pools.map(({ zone }) => zone))];
  if (zones.includes(name)) return name;
  throw undeclared('zone', name, zones);
}

function undeclared(noun: 'cluster' | 'pool' | 'zone', name: string, known: readonly string[]) {
  const { hint } = declaredNames(noun, name, known);
  return new UsageError(`leases/pools.yaml declares no ${noun} ${name}; ${hint}`);
}

/** The owner that `--owner` names, of the holders that there are when its account is shortened. */
export function knownOwner(owner: string, holders: Iterable<string>): string {
  const whole = wholeName(owner, holders);
  if (!whole.ok) throw new UsageError(whole.reason);
  if (isShortAccount(whole.name)) throw new UsageError(`no holder has the account ${owner}`);
  return whole.name;
}

/**
 * Throws a UsageError for a URL that no engine may get. The URL is never printed: it may contain a
 * password.
 */
export function assertRepository(url: string, takesShort: boolean): void {
  const fault = repositoryFault(url, takesShort);
  if (fault !== undefined) throw new UsageError(`the address in --repo ${fault}`);
}
