import { occupancyOf } from '../../../core/allocate/supply.ts';
import { PoolIndex } from '../../../core/declarations/pools/pool-index.ts';
import { leaseNamespace, serviceName } from '../../../core/manifests/names.ts';
import { type Allocation, isHeld } from '../../../core/model/allocation.ts';
import { type Claim, isLeaseClaim, type LeaseClaim } from '../../../core/model/claim.ts';
import type { Day } from '../../../core/model/day.ts';
import { leaseIdText } from '../../../core/model/lease.ts';
import { addToGroup, compareText, groupBy, sortedEntries } from '../../../core/model/order.ts';
import { type Cluster, isOpenIn, type Naming, type Pools } from '../../../core/model/pools.ts';
import { type Family, formatAddress } from '../../../core/net/address.ts';
import { type CapacityInput, capacityOf } from '../../../lib/forecast/capacity.ts';
import type { Pending } from '../../../lib/forecast/pending.ts';
import type { WorkspaceSnapshot } from '../../../lib/list/workspace-snapshot.ts';

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
  /** The IPv4 address when the holder has both families; behind a NAT its public address. */
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

type LeasedIPs = ReadonlyMap<string, readonly OperatorLease[]>;

/** The leases of a scope in the served snapshots. */
export class OperatorLeases {
  readonly scope: OperatorScope;
  readonly #made = new WeakMap<WorkspaceSnapshot, LeasedIPs>();

  constructor(scope: OperatorScope) {
    this.scope = scope;
  }

  /** Returns the leases by `owner/dseq/gseq/oseq`. */
  of(snapshot: WorkspaceSnapshot): LeasedIPs {
    const found = this.#made.get(snapshot);
    if (found) return found;
    const steps = leasedIPs(snapshot, this.scope);
    let step = steps.next();
    while (!step.done) step = steps.next();
    this.#made.set(snapshot, step.value);
    return step.value;
  }

  /** Finds the leases with pauses, so that requests are answered meanwhile. */
  async prepare(snapshot: WorkspaceSnapshot, pause: () => Promise<void>): Promise<void> {
    const steps = leasedIPs(snapshot, this.scope);
    let step = steps.next();
    for (; !step.done; step = steps.next()) await pause();
    this.#made.set(snapshot, step.value);
  }
}

/** The IPv4 address of a holder that has both families, and since when. */
type HeldAddress = Pick<OperatorLease, 'ip' | 'since'>;

/** Records and holders of a step, which take about a millisecond. */
const stepSize = 250;

/**
 * Finds the addresses of every Akash lease of a scope by `owner/dseq/gseq/oseq`, in steps. Each
 * claim has an entry, sorted by the name of its Service, as in the operator. Claims without an
 * address are omitted.
 */
function* leasedIPs(
  { pools, table, claims }: WorkspaceSnapshot,
  scope: OperatorScope,
): Generator<undefined, LeasedIPs, undefined> {
  const cluster = clusterIn(pools, scope);
  if (cluster === undefined) return new Map();
  const { naming } = cluster;
  const held = new Map<string, HeldAddress>();
  const index = new PoolIndex(pools);
  const found = new Map<string, OperatorLease[]>();
  for (const records of partsOf(table)) {
    for (const [, record] of records) noteHeld(held, record, index);
    yield;
  }
  for (const holders of partsOf(claims)) {
    for (const [holder, own] of holders) {
      const given = held.get(holder);
      if (given === undefined) continue;
      for (const claim of leaseClaims(own, cluster, scope)) {
        addToGroup(found, leaseKey(claim.lease), { claim, ...given, naming });
      }
    }
    yield;
  }
  const nameOf = ({ claim }: OperatorLease): string => serviceName(naming, claim);
  for (const entries of found.values()) {
    entries.sort((left, right) => compareText(nameOf(left), nameOf(right)));
  }
  return found;
}

function noteHeld(held: Map<string, HeldAddress>, record: Allocation, index: PoolIndex): void {
  const { holder, address, since } = record;
  if (!isHeld(record) || (address.family === 'ipv6' && held.has(holder))) return;
  const ip = formatAddress(index.publicAddress(address));
  held.set(holder, { ip, since });
}

function leaseClaims(
  claims: readonly Claim[],
  cluster: Cluster,
  { provider }: OperatorScope,
): readonly LeaseClaim[] {
  return claims
    .filter(isLeaseClaim)
    .filter(
      (claim) =>
        claim.cluster === cluster.name &&
        (provider === undefined || claim.lease.provider === provider),
    );
}

/** Returns the entries of a map in parts of a step. */
function* partsOf<Key, Value>(map: ReadonlyMap<Key, Value>): Generator<[Key, Value][]> {
  const entries = [...map];
  for (let start = 0; start < entries.length; start += stepSize) {
    yield entries.slice(start, start + stepSize);
  }
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
  return sortedEntries(groups);
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

interface UsageQuery {
  readonly day: Day;
  readonly pending: Pending;
  readonly input?: CapacityInput;
}

/**
 * Returns the answer to `/usage`; undefined when the cluster of the scope is not declared. The
 * client (Akash provider, cluster/inventory.go) subtracts InUse and its own reservations from
 * Available, so Available is not the number of free addresses.
 */
export function operatorUsage(
  snapshot: WorkspaceSnapshot,
  scope: OperatorScope,
  query: UsageQuery,
): OperatorUsage | undefined {
  const cluster = clusterIn(snapshot.pools, scope);
  if (cluster === undefined) return undefined;
  const zone = zoneIn(snapshot.pools, cluster, scope);
  const { available, free } = leasable(snapshot, cluster, { zone, family: 'ipv4' }, query);
  return { Available: Number(available), InUse: Number(available - free), Free: Number(free) };
}

/** True when the zone of a scope is the default one, or some pool is in it. */
export function isZoneDeclared({ pools }: Pools, { zone }: OperatorScope): boolean {
  return zone === undefined || pools.some((pool) => pool.zone === zone);
}

/** Returns the zone of a scope, in its cluster. */
export function zoneIn(pools: Pools, cluster: Cluster, { zone }: OperatorScope): string {
  return zone ?? cluster.defaultZone ?? pools.defaultZone;
}

/** The addresses of one family that leases of a zone may get. */
interface Leasable {
  /** All allocatable addresses. */
  readonly available: bigint;
  /** Those of them that new leases may be promised. */
  readonly free: bigint;
}

/** Counts the addresses of one family that leases of a cluster may get in a zone. */
export function leasable(
  snapshot: WorkspaceSnapshot,
  cluster: Cluster,
  { zone, family }: { readonly zone: string; readonly family: Family },
  { day, pending, input }: UsageQuery,
): Leasable {
  const { pools } = snapshot;
  // The usable addresses do not depend on the records.
  const occupancies = occupancyOf(pools, new Map(), day);
  const available = pools.pools
    .filter((pool) => pool.zone === zone && isOpenIn(pool, cluster.name))
    .reduce((sum, { name }) => sum + (occupancies.get(name)?.[family].usable ?? 0n), 0n);
  const question = { day, cluster: cluster.name, zones: [zone], family };
  const [row] = capacityOf(snapshot, question, pending, input).items;
  return { available, free: BigInt(row?.promisable ?? 0) };
}
