import { readDeclaration } from '../../core/declarations/declaration-file.ts';
import { PoolIndex } from '../../core/declarations/pools/pool-index.ts';
import { type Allocation, isFree, isHeld, recordsByHolder } from '../../core/model/allocation.ts';
import type { Day } from '../../core/model/day.ts';
import { type Lease, type LeaseId, leaseIdText } from '../../core/model/lease.ts';
import { type Cluster, isOpenIn, type Pool, type Pools } from '../../core/model/pools.ts';
import type { Problem } from '../../core/model/problem.ts';
import {
  type Address,
  compareAddresses,
  formatAddress,
  isBuggyIP,
} from '../../core/net/address.ts';
import { setHas } from '../../core/net/range-set.ts';
import type { Declared } from '../../core/tree/declared.ts';

/** The state of the repository into which live objects are imported. */
export interface RepositoryState
  extends Pick<
    Declared,
    'services' | 'leases' | 'claims' | 'table' | 'hostnames' | 'hostnameTable' | 'proofs' | 'policy'
  > {
  /** Includes the pools that the import adds. */
  readonly pools: Pools;
  readonly cluster: Cluster;
  /** The paths of all files below `leases/`. */
  readonly paths: readonly string[];
  /** Undefined when the day is unknown; every released address then counts as retained. */
  readonly today: Day | undefined;
  /** The text of a file below `leases/`. */
  textOf(path: string): string;
}

/** The pool of addresses that one holder can have together, or the reason why none can. */
export type PoolForAll =
  | { readonly ok: true; readonly pool: Pool }
  | { readonly ok: false; readonly reason: string };

/** The repository and the cluster that live objects are imported into, as before the import. Immutable. */
export class ImportTarget {
  readonly repository: RepositoryState;
  readonly #index: PoolIndex;
  readonly #held: ReadonlyMap<string, readonly Allocation[]>;

  constructor(repository: RepositoryState) {
    this.repository = repository;
    this.#index = new PoolIndex(repository.pools);
    this.#held = recordsByHolder(repository.table, isHeld);
  }

  /** The declared lease of an id; undefined when it is not declared. */
  declaredLease(id: LeaseId): Lease | undefined {
    const { cluster, leases } = this.repository;
    const text = leaseIdText(id);
    return leases.find((one) => one.cluster === cluster.name && leaseIdText(one.id) === text);
  }

  /** The addresses held by a holder, IPv4 first. */
  heldBy(holder: string): readonly Address[] {
    const held = this.#held.get(holder) ?? [];
    return held.map(({ address }) => address).sort(compareAddresses);
  }

  /** The pool that contains an address, regardless of who may use it. */
  poolOf(address: Address): Pool | undefined {
    return this.#index.of(address);
  }

  /** The zone that a declaration in a pool must name; undefined for the default zone. */
  zoneOf(pool: Pool): string | undefined {
    const { cluster, pools } = this.repository;
    return pool.zone === (cluster.defaultZone ?? pools.defaultZone) ? undefined : pool.zone;
  }

  /** The cluster that a declaration must name; undefined for the default cluster. */
  get clusterName(): string | undefined {
    const { cluster, pools } = this.repository;
    return cluster.name === pools.defaultCluster ? undefined : cluster.name;
  }

  /** The pool that contains all these addresses, if one holder can have them together. */
  poolForAll(addresses: readonly Address[]): PoolForAll {
    const [pool, ...others] = new Set(addresses.map((address) => this.poolOf(address)));
    const outside = addresses.filter((address) => this.poolOf(address) === undefined);
    if (outside.length > 0) return { ok: false, reason: `no pool has ${addressesText(outside)}` };
    if (!pool || others.length > 0)
      return { ok: false, reason: 'its addresses lie in different pools' };
    const reason = this.#whyNotIn(pool, addresses);
    return reason === undefined ? { ok: true, pool } : { ok: false, reason };
  }

  #whyNotIn(pool: Pool, addresses: readonly Address[]): string | undefined {
    const families = new Set(addresses.map(({ family }) => family));
    if (families.size < addresses.length) return 'it has two addresses of one family';
    const { name } = this.repository.cluster;
    if (!isOpenIn(pool, name)) return `the pool ${pool.name} is not announced by cluster ${name}`;
    const kept = addresses.find((address) => setHas(pool.reserved, address));
    if (kept) return `${formatAddress(kept)} is reserved in pool ${pool.name}`;
    const avoided = pool.avoidBuggyIPs && addresses.find(isBuggyIP);
    if (avoided) {
      return `${formatAddress(avoided)} ends in .0 or .255, which pool ${pool.name} avoids`;
    }
    return pool.state === 'draining' ? `the pool ${pool.name} is draining` : undefined;
  }

  /**
   * The reason why a new holder cannot get an address; undefined when it can, or when one of
   * `holders` has it.
   */
  takenText(address: Address, holders: ReadonlySet<string> = new Set()): string | undefined {
    const record = this.repository.table.get(formatAddress(address));
    const { today } = this.repository;
    if (!record || holders.has(record.holder)) return undefined;
    if (today !== undefined && isFree(record, today)) return undefined;
    const verb = isHeld(record) ? 'held by' : 'kept for';
    return `${formatAddress(address)} is ${verb} ${record.holder}`;
  }

  /** The first problem of a declaration on its own; undefined when it is valid. */
  problemOf(path: string, text: string): Problem | undefined {
    const read = readDeclaration(path, new TextEncoder().encode(text), this.repository.pools);
    return read.ok ? undefined : read.problems[0];
  }
}

/** Addresses as listed in a message. */
export function addressesText(addresses: readonly Address[]): string {
  return addresses.map(formatAddress).join(' and ');
}
