import { holderOfGroup, holderOfKey } from '../../core/declarations/claims.ts';
import { readDeclaration } from '../../core/declarations/declaration-file.ts';
import { type AllocationTable, isFree, isHeld } from '../../core/model/allocation.ts';
import type { Claim } from '../../core/model/claim.ts';
import type { Day } from '../../core/model/day.ts';
import type { DomainProofs } from '../../core/model/domain-proof.ts';
import type { Hostname, HostnameTable } from '../../core/model/hostname.ts';
import { type Lease, type LeaseId, leaseIdText } from '../../core/model/lease.ts';
import { addToGroup, sortedEntries } from '../../core/model/order.ts';
import type { Policy } from '../../core/model/policy.ts';
import {
  type AnycastMember,
  type Cluster,
  isOpenIn,
  type Pool,
  type Pools,
} from '../../core/model/pools.ts';
import type { Position, Problem } from '../../core/model/problem.ts';
import { declarationsFolder } from '../../core/model/repository-paths.ts';
import type { DeclaredService, Reservation } from '../../core/model/service.ts';
import {
  type Address,
  compareAddresses,
  formatAddress,
  isBuggyIP,
} from '../../core/net/address.ts';
import { rangeSetOf, setHas } from '../../core/net/range-set.ts';
import type { ImportNote } from '../../lib/foreign/source-reader.ts';
import type { ImportAnswerDeclaration } from './import-answer.ts';

/** The state of the repository into which live objects are imported. */
export interface RepositoryState {
  /** Includes the pools that the import adds. */
  readonly pools: Pools;
  readonly cluster: Cluster;
  readonly services: readonly (DeclaredService | Reservation)[];
  readonly leases: readonly Lease[];
  readonly claims: readonly Claim[];
  readonly table: AllocationTable;
  readonly hostnames: readonly Hostname[];
  readonly hostnameTable: HostnameTable;
  readonly proofs: DomainProofs;
  readonly policy: Policy | undefined;
  /** The paths of all files below `leases/`. */
  readonly paths: readonly string[];
  /** Undefined when the day is unknown; every released address then counts as retained. */
  readonly today: Day | undefined;
  /** The text of a file below `leases/`. */
  textOf(path: string): string;
}

/** A declaration of a live object, new or already present. */
export interface Adopted extends Pick<ImportAnswerDeclaration, 'kind' | 'name' | 'state'> {
  readonly addresses: readonly Address[];
  readonly hostnames: readonly string[];
  readonly path: string;
  /** The new text of the declaration; undefined when it is already present. */
  readonly text: string | undefined;
  readonly at: Position;
}

/**
 * Collects the declarations of an import one after the other: addresses by holder, used paths,
 * groups and notes.
 */
export class ImportContext {
  readonly repository: RepositoryState;
  readonly adopted: Adopted[] = [];
  /** Those that are declared, before the import and by it. */
  readonly hostnames: Hostname[];
  readonly #changed: ImportNote[] = [];
  readonly #left: Left[] = [];
  readonly #groups = new Map<string, readonly AnycastMember[]>();
  /** The holders of the used sharing keys. */
  readonly #keys = new Set<string>();
  readonly #paths: Set<string>;
  readonly #held = new Map<string, Address[]>();
  readonly #ranges: readonly { readonly pool: Pool; readonly set: ReturnType<typeof rangeSetOf> }[];

  constructor(repository: RepositoryState) {
    this.repository = repository;
    this.hostnames = [...repository.hostnames];
    this.#paths = new Set(repository.paths);
    this.#ranges = repository.pools.pools.map((pool) => ({ pool, set: rangeSetOf(pool.ranges) }));
    for (const record of repository.table.values()) {
      if (!isHeld(record)) continue;
      addToGroup(this.#held, record.holder, record.address);
    }
    for (const service of repository.services) {
      const { sharingKey } = service;
      if (sharingKey !== undefined) this.#keys.add(holderOfKey(service, sharingKey));
    }
  }

  /** The declared lease of an id; undefined when it is not declared. */
  declaredLease(id: LeaseId): Lease | undefined {
    const { cluster, leases } = this.repository;
    const text = leaseIdText(id);
    return leases.find((one) => one.cluster === cluster.name && leaseIdText(one.id) === text);
  }

  /** The addresses held by a holder, IPv4 first. */
  heldBy(holder: string): readonly Address[] {
    return [...(this.#held.get(holder) ?? [])].sort(compareAddresses);
  }

  /** True when no other address of the namespace has the sharing key. */
  isFreeKey(namespace: string, key: string): boolean {
    const holder = this.#holderOfKey(namespace, key);
    return !this.#keys.has(holder) && !this.#held.has(holder);
  }

  /** Marks a sharing key of the namespace as used. */
  takeKey(namespace: string, key: string): void {
    this.#keys.add(this.#holderOfKey(namespace, key));
  }

  #holderOfKey(namespace: string, key: string): string {
    return holderOfKey({ cluster: this.repository.cluster.name, namespace }, key);
  }

  /** True when neither a group nor a record of one uses the name. */
  isFreeGroup(name: string): boolean {
    const isKnown = this.repository.pools.anycast.some((group) => group.name === name);
    const records = [...this.repository.table.values()];
    return (
      !isKnown &&
      !this.#groups.has(name) &&
      !records.some(({ holder }) => holder === holderOfGroup({ name }))
    );
  }

  /** Adds members to a group of the pool file, creating the group if needed. */
  join(name: string, members: readonly AnycastMember[]): void {
    this.#groups.set(name, [...(this.#groups.get(name) ?? []), ...members]);
  }

  /** The added members, by the name of their group. */
  get groups(): ReadonlyMap<string, readonly AnycastMember[]> {
    return this.#groups;
  }

  /** The pool that contains an address, regardless of who may use it. */
  poolOf(address: Address): Pool | undefined {
    return this.#ranges.find(({ set }) => setHas(set, address))?.pool;
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

  /**
   * The pool that contains all these addresses if one holder can have them together; otherwise the
   * reason why not.
   */
  placeOf(addresses: readonly Address[]): Pool | string {
    const pools = addresses.map((address) => this.poolOf(address));
    const outside = addresses.filter((_, index) => pools[index] === undefined);
    if (outside.length > 0) return `no pool has ${addressesText(outside)}`;
    const [pool] = pools;
    if (!pool || pools.some((other) => other !== pool)) {
      return 'its addresses lie in different pools';
    }
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
    if (pool.state === 'draining') return `the pool ${pool.name} is draining`;
    return pool;
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

  /**
   * Notes that an object is not declared. Its addresses are reserved if another holder could get
   * them.
   */
  leave(subject: string, reason: string, addresses: readonly Address[], at: Position): void {
    this.#left.push({ subject, reason, addresses, at });
  }

  /** Notes that an object is declared differently from how it is. */
  change(subject: string, message: string, at: Position): void {
    this.#changed.push({ effect: 'changed', subject, message, at });
  }

  /** All notes. Whether the addresses of an object are reserved is known only at the end. */
  get notes(): readonly ImportNote[] {
    const reserved = new Set([...this.reserved.values()].flat().map(formatAddress));
    const left = this.#left.map(({ subject, reason, addresses, at }): ImportNote => {
      const own = addresses.filter((address) => reserved.has(formatAddress(address)));
      const sequel =
        own.length > 0
          ? `; ${addressesText(own)} is reserved, so that no other holder gets it`
          : '';
      return { effect: 'left', subject, message: `${reason}${sequel}`, at };
    });
    return [...this.#changed, ...left];
  }

  /** An unused path in the {@link declarationsFolder} of a namespace or an owner. */
  freePath(namespace: string, name: string): string {
    const { cluster, pools } = this.repository;
    const several = pools.clusters.length > 1;
    const home = declarationsFolder(several ? cluster.name : undefined, namespace);
    for (let count = 1; ; count += 1) {
      const path = `${home}/${name}${count === 1 ? '' : `.${count}`}.yaml`;
      if (!this.#paths.has(path)) return path;
    }
  }

  /** The first problem of a declaration on its own; undefined when it is valid. */
  problemOf(path: string, text: string): Problem | undefined {
    const read = readDeclaration(path, new TextEncoder().encode(text), this.repository.pools);
    return read.ok ? undefined : read.problems[0];
  }

  adopt(adopted: Adopted): void {
    this.#paths.add(adopted.path);
    this.adopted.push(adopted);
  }

  /** The addresses of undeclared objects that another holder could get, sorted, by pool name. */
  get reserved(): ReadonlyMap<string, readonly Address[]> {
    const had = new Set(
      this.adopted.flatMap(({ addresses, state }) =>
        state === 'added' ? addresses.map(formatAddress) : [],
      ),
    );
    const found = new Map<string, Map<string, Address>>();
    for (const address of this.#left.flatMap(({ addresses }) => addresses)) {
      const text = formatAddress(address);
      const pool = this.poolOf(address);
      const record = this.repository.table.get(text);
      if (!pool || had.has(text) || setHas(pool.reserved, address) || (record && isHeld(record)))
        continue;
      const known = found.get(pool.name) ?? new Map<string, Address>();
      found.set(pool.name, known.set(text, address));
    }
    return new Map(
      sortedEntries(found).map(([pool, addresses]) => [
        pool,
        [...addresses.values()].sort(compareAddresses),
      ]),
    );
  }
}

/** A live object that is not declared. */
interface Left {
  readonly subject: string;
  readonly reason: string;
  readonly addresses: readonly Address[];
  readonly at: Position;
}

/** Addresses as listed in a message. */
export function addressesText(addresses: readonly Address[]): string {
  return addresses.map(formatAddress).join(' and ');
}
