import { occupancyOf } from '../../../allocate/occupancy.ts';
import { leaseNamespace, serviceName } from '../../../manifests/names.ts';
import { isHeld } from '../../../model/allocation.ts';
import { isLeaseClaim, type LeaseClaim } from '../../../model/claim.ts';
import type { Day } from '../../../model/day.ts';
import { leaseIdText } from '../../../model/lease.ts';
import { compareText } from '../../../model/order.ts';
import { type Cluster, isOpenIn, type Naming, type Pools } from '../../../model/pools.ts';
import { formatAddress } from '../../../net/address.ts';
import { capacityOf } from '../../ask/capacity/capacity.ts';
import type { Pending } from '../../ask/capacity/pending.ts';
import type { WorkspaceSnapshot } from '../../ask/workspace-snapshot.ts';

/** For which leases the endpoints of Akash's operator answer. */
export interface OperatorScope {
  /** Undefined for the default one of the pool file. */
  readonly cluster: string | undefined;
  /** Where an Akash lease gets an address; undefined for the cluster's default zone. */
  readonly zone: string | undefined;
  /** Leases of this provider alone; undefined for those of any. */
  readonly provider: string | undefined;
}

/** A claim of a lease and the address that it stands on. */
export interface LeasedIP {
  readonly claim: LeaseClaim;
  /** IPv4, where it has both. */
  readonly ip: string;
  /** The day it was given. */
  readonly since: string;
  /** Of the cluster: what the names of its objects are made by. */
  readonly naming: Naming;
}

/** The namespace that a lease has in its cluster. */
export function namespaceOf({ claim, naming }: LeasedIP): string {
  return leaseNamespace(naming, claim.lease);
}

/** The cluster of a scope; undefined when the pool file declares none of that name. */
export function clusterIn(pools: Pools, { cluster }: OperatorScope): Cluster | undefined {
  const name = cluster ?? pools.defaultCluster;
  return pools.clusters.find((candidate) => candidate.name === name);
}

/**
 * What every Akash lease of a scope has, by `owner/dseq/gseq/oseq`: one entry for each claim, in the order of the names
 * of their Services, as that operator lists them. A claim without an address is left out, and takes nothing from the others.
 */
export function leasedIPs(
  { pools, table, claims }: WorkspaceSnapshot,
  scope: OperatorScope,
): ReadonlyMap<string, readonly LeasedIP[]> {
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
  const found = new Map<string, LeasedIP[]>();
  for (const claim of [...claims.values()].flat().filter(isLeaseClaim)) {
    const given = held.get(claim.holder);
    if (given === undefined || !isMeant(claim, cluster, scope)) continue;
    const leased = { claim, ...given, naming: cluster.naming };
    const key = leaseKey(claim.lease);
    const others = found.get(key);
    if (others) others.push(leased);
    else found.set(key, [leased]);
  }
  const nameOf = ({ claim }: LeasedIP): string => serviceName(cluster.naming, claim);
  for (const entries of found.values()) {
    entries.sort((left, right) => compareText(nameOf(left), nameOf(right)));
  }
  return found;
}

/** `owner/dseq/gseq/oseq`: how the endpoints name a lease. */
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

/** By lease id with the provider, in the order of the ids. */
export function byLeaseId(leased: Iterable<readonly LeasedIP[]>): readonly [string, LeasedIP[]][] {
  const groups = new Map<string, LeasedIP[]>();
  for (const entry of [...leased].flat()) {
    const id = leaseIdText(entry.claim.lease);
    const group = groups.get(id);
    if (group) group.push(entry);
    else groups.set(id, [entry]);
  }
  return [...groups].sort(([left], [right]) => compareText(left, right));
}

function isMeant(claim: LeaseClaim, cluster: Cluster, { provider }: OperatorScope): boolean {
  if (claim.cluster !== cluster.name) return false;
  return provider === undefined || claim.lease.provider === provider;
}

/** The answer to `/usage`. */
export interface OperatorUsage {
  /** All IPv4 addresses that leases of the scope can get at all. */
  readonly Available: number;
  /** Those of them that no new lease gets: held, retained, in a pool that is draining, held by an open branch, or for a holder that waits. */
  readonly InUse: number;
  /** The difference: what a new lease may be promised. */
  readonly Free: number;
}

/**
 * Akash provider, cluster/inventory.go: the client takes Available minus InUse, and what it reserved itself and has not seen
 * in use, for what is left, so Available is not what is free. Undefined when the pool file declares no such cluster.
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
