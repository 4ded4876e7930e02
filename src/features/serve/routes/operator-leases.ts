import { occupancyOf } from '../../../allocate/supply.ts';
import { leaseNamespace, serviceName } from '../../../manifests/names.ts';
import { isHeld } from '../../../model/allocation.ts';
import { isLeaseClaim, type LeaseClaim } from '../../../model/claim.ts';
import type { Day } from '../../../model/day.ts';
import { leaseIdText } from '../../../model/lease.ts';
import { addToGroup, compareText, groupBy } from '../../../model/order.ts';
import { type Cluster, isOpenIn, type Naming, type Pools } from '../../../model/pools.ts';
import { formatAddress } from '../../../net/address.ts';
import { capacityOf } from '../../ask/capacity/capacity.ts';
import type { Pending } from '../../ask/capacity/pending.ts';
import type { WorkspaceSnapshot } from '../../ask/workspace-snapshot.ts';

/** The leases that the endpoints of the Akash operator answer for. */
export interface OperatorScope {
  /** The default is the default cluster of the pool file. */
  readonly cluster: string | undefined;
  /** The zone of new leases; the default is the default zone of the cluster. */
  readonly zone: string | undefined;
  /** Only leases of this provider; undefined for all providers. */
  readonly provider: string | undefined;
}

/** A claim of a lease with its address. */
export interface OperatorLease {
  readonly claim: LeaseClaim;
  /** The IPv4 address when the holder has both families. */
  readonly ip: string;
  /** The day of the allocation. */
  readonly since: string;
  /** The naming scheme of the cluster. */
  readonly naming: Naming;
}

export function namespaceOf({ claim, naming }: OperatorLease): string {
  return leaseNamespace(naming, claim.lease);
}

/** Returns the cluster of a scope; undefined when it is not declared. */
export function clusterIn(pools: Pools, { cluster }: OperatorScope): Cluster | undefined {
  const name = cluster ?? pools.defaultCluster;
  return pools.clusters.find((candidate) => candidate.name === name);
}

/**
 * Returns the addresses of every Akash lease of a scope by `owner/dseq/gseq/oseq`. Each claim has
 * an entry, sorted by the name of its Service, as in the operator. Claims without an address are
 * omitted.
 */
export function leasedIPs(
  { pools, table, claims }: WorkspaceSnapshot,
  scope: OperatorScope,
): ReadonlyMap<string, readonly OperatorLease[]> {
  const cluster = clusterIn(pools, scope);
  if (cluster === undefined) return new Map();
  const held = new Map<string, { readonly ip: string; readonly since: string }>();
  for (const record of table.values()) {
    if (!isHeld(record)) continue;
    const { holder, address, since } = record;
    if (address.family === 'ipv4' || !held.has(holder)) {
      held.set(holder, { ip: formatAddress(address), since });
    }
  }
  const found = new Map<string, OperatorLease[]>();
  for (const claim of [...claims.values()].flat().filter(isLeaseClaim)) {
    const given = held.get(claim.holder);
    if (given === undefined || !isMeant(claim, cluster, scope)) continue;
    const leased = { claim, ...given, naming: cluster.naming };
    const key = leaseKey(claim.lease);
    addToGroup(found, key, leased);
  }
  const nameOf = ({ claim }: OperatorLease): string => serviceName(cluster.naming, claim);
  for (const entries of found.values()) {
    entries.sort((left, right) => compareText(nameOf(left), nameOf(right)));
  }
  return found;
}

/** Returns `owner/dseq/gseq/oseq`, the key of a lease in the endpoints. */
export function leaseKey({
  owner,
  dseq,
  gseq,
  oseq,
}: Pick<LeaseClaim['lease'], 'owner' | 'dseq'> & {
  readonly gseq: number | string;
  readonly oseq: number | string;
}): string {
  return `${owner}/${dseq}/${gseq}/${oseq}`;
}

/** Groups entries by lease id with the provider, sorted by id. */
export function byLeaseId(
  leased: Iterable<readonly OperatorLease[]>,
): readonly [string, OperatorLease[]][] {
  const groups = groupBy([...leased].flat(), (entry) => leaseIdText(entry.claim.lease));
  return [...groups].sort(([left], [right]) => compareText(left, right));
}

function isMeant(claim: LeaseClaim, cluster: Cluster, { provider }: OperatorScope): boolean {
  if (claim.cluster !== cluster.name) return false;
  return provider === undefined || claim.lease.provider === provider;
}

/** The answer to `/usage`. */
export interface OperatorUsage {
  /** All allocatable IPv4 addresses for leases of the scope. */
  readonly Available: number;
  /**
   * Addresses that are held, retained, draining, or needed by an open branch or a waiting holder.
   */
  readonly InUse: number;
  /** Available minus InUse: what new leases may be promised. */
  readonly Free: number;
}

/**
 * Returns the answer to `/usage`; undefined when the cluster of the scope is not declared. The
 * client (Akash provider, cluster/inventory.go) subtracts InUse and its own reservations from
 * Available, so Available is not the number of free addresses.
 */
export function operatorUsage(
  snapshot: WorkspaceSnapshot,
  scope: OperatorScope,
  { day, pending }: { readonly day: Day; readonly pending: Pending },
): OperatorUsage | undefined {
  const { pools, table } = snapshot;
  const cluster = clusterIn(pools, scope);
  if (cluster === undefined) return undefined;
  const zone = scope.zone ?? cluster.defaultZone ?? pools.defaultZone;
  const occupancies = occupancyOf(pools, table, day);
  const available = pools.pools
    .filter((pool) => pool.zone === zone && isOpenIn(pool, cluster.name))
    .reduce((sum, { name }) => sum + (occupancies.get(name)?.ipv4.usable ?? 0n), 0n);
  const question = { day, cluster: cluster.name, zones: [zone], family: 'ipv4' } as const;
  const [row] = capacityOf(snapshot, question, pending).items;
  const promisable = BigInt(row?.promisable ?? 0);
  return {
    Available: Number(available),
    InUse: Number(available - promisable),
    Free: Number(promisable),
  };
}
