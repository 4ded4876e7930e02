import { holderOfGroup } from '../../declarations/claims.ts';
import { readDeclaration } from '../../declarations/declaration-file.ts';
import { type AllocationTable, isFree, isHeld } from '../../model/allocation.ts';
import type { Claim } from '../../model/claim.ts';
import type { Day } from '../../model/day.ts';
import { leasesFolder } from '../../model/folders.ts';
import type { ImportNote } from '../../model/input-file.ts';
import type { Lease } from '../../model/lease.ts';
import { compareText } from '../../model/order.ts';
import {
  type AnycastMember,
  type Cluster,
  isOpenIn,
  type Pool,
  type Pools,
} from '../../model/pools.ts';
import type { Position, Problem } from '../../model/problem.ts';
import type { DeclaredService, Reservation } from '../../model/service.ts';
import { type Address, compareAddresses, formatAddress, isBuggyIP } from '../../net/address.ts';
import { rangeSetOf, setHas } from '../../net/range-set.ts';

/** What of a tree decides how something live can be declared in it. */
export interface Standing {
  /** With those that the import adds. */
  readonly pools: Pools;
  readonly cluster: Cluster;
  readonly services: readonly (DeclaredService | Reservation)[];
  readonly leases: readonly Lease[];
  readonly claims: readonly Claim[];
  readonly table: AllocationTable;
  /** Of all files below `leases/`. */
  readonly paths: readonly string[];
  /** Undefined when nothing says what day it is: then all that was released is kept. */
  readonly today: Day | undefined;
}

/** What an import declares of something live, or finds declared. */
export interface Adopted {
  readonly kind: 'Service' | 'Reservation' | 'Lease';
  readonly name: string;
  readonly addresses: readonly Address[];
  readonly path: string;
  /** The declaration; undefined for one that is there already. */
  readonly text: string | undefined;
  readonly at: Position;
}

/**
 * Where live things are declared, one after the other: who has which address, which files there are, and what is
 * found on the way.
 */
export class Ground {
  readonly standing: Standing;
  readonly adopted: Adopted[] = [];
  readonly #changed: ImportNote[] = [];
  readonly #left: Left[] = [];
  readonly #groups = new Map<string, readonly AnycastMember[]>();
  readonly #keys = new Set<string>();
  readonly #paths: Set<string>;
  readonly #held = new Map<string, Address[]>();
  readonly #ranges: readonly { readonly pool: Pool; readonly set: ReturnType<typeof rangeSetOf> }[];

  constructor(standing: Standing) {
    this.standing = standing;
    this.#paths = new Set(standing.paths);
    this.#ranges = standing.pools.pools.map((pool) => ({ pool, set: rangeSetOf(pool.ranges) }));
    for (const record of standing.table.values()) {
      if (!isHeld(record)) continue;
      const own = this.#held.get(record.holder);
      if (own) own.push(record.address);
      else this.#held.set(record.holder, [record.address]);
    }
    for (const { namespace, sharingKey } of standing.services) {
      if (sharingKey !== undefined) this.#keys.add(`${namespace} ${sharingKey}`);
    }
  }

  /** The addresses that a holder has, IPv4 first. */
  heldBy(holder: string): readonly Address[] {
    return [...(this.#held.get(holder) ?? [])].sort(compareAddresses);
  }

  /** The first of some sharing keys that no other address of the namespace has here; it is taken then. */
  freeKey(namespace: string, keys: readonly string[]): string | undefined {
    const key = keys.find((one) => !this.#keys.has(`${namespace} ${one}`));
    if (key !== undefined) this.#keys.add(`${namespace} ${key}`);
    return key;
  }

  /** True when a name is of no group here, and no address is of a group that had it. */
  isFreeGroup(name: string): boolean {
    const isKnown = this.standing.pools.anycast.some((group) => group.name === name);
    const records = [...this.standing.table.values()];
    return (
      !isKnown &&
      !this.#groups.has(name) &&
      !records.some(({ holder }) => holder === holderOfGroup({ name }))
    );
  }

  /** Adds members to a group of the pool file, or writes a new one. */
  join(name: string, members: readonly AnycastMember[]): void {
    this.#groups.set(name, [...(this.#groups.get(name) ?? []), ...members]);
  }

  /** The members that are added, by the names of their groups. */
  get groups(): ReadonlyMap<string, readonly AnycastMember[]> {
    return this.#groups;
  }

  /** The pool that has an address, whoever may use it. */
  poolOf(address: Address): Pool | undefined {
    return this.#ranges.find(({ set }) => setHas(set, address))?.pool;
  }

  /** The zone that a declaration on a pool must name; undefined where it is the default one. */
  zoneOf(pool: Pool): string | undefined {
    const { cluster, pools } = this.standing;
    return pool.zone === (cluster.defaultZone ?? pools.defaultZone) ? undefined : pool.zone;
  }

  /** The cluster that a declaration must name; undefined where it is the default one. */
  get clusterName(): string | undefined {
    const { cluster, pools } = this.standing;
    return cluster.name === pools.defaultCluster ? undefined : cluster.name;
  }

  /** The pool of some addresses, when a holder can have them together; else why not. */
  placeOf(addresses: readonly Address[]): Pool | string {
    const pools = addresses.map((address) => this.poolOf(address));
    const outside = addresses.filter((_, index) => pools[index] === undefined);
    if (outside.length > 0) return `no pool has ${textOf(outside)}`;
    const [pool] = pools;
    if (!pool || pools.some((other) => other !== pool)) {
      return 'its addresses lie in different pools';
    }
    const families = new Set(addresses.map(({ family }) => family));
    if (families.size < addresses.length) return 'it has two addresses of one family';
    const { name } = this.standing.cluster;
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

  /** Why an address cannot be given to a new holder, or to one of these: another holder has it, or it is kept for one. */
  takenText(address: Address, holders: ReadonlySet<string> = new Set()): string | undefined {
    const record = this.standing.table.get(formatAddress(address));
    const { today } = this.standing;
    if (!record || holders.has(record.holder)) return undefined;
    if (today !== undefined && isFree(record, today)) return undefined;
    const verb = isHeld(record) ? 'held by' : 'kept for';
    return `${formatAddress(address)} is ${verb} ${record.holder}`;
  }

  /** Tells of something that it is not declared; nobody else gets its addresses. */
  leave(subject: string, reason: string, addresses: readonly Address[], at: Position): void {
    this.#left.push({ subject, reason, addresses, at });
  }

  /** Tells of something that it is declared in another way than it is. */
  change(subject: string, message: string, at: Position): void {
    this.#changed.push({ effect: 'changed', subject, message, at });
  }

  /** All that was told. What of the addresses of things that are left is reserved shows when everything is adopted. */
  get notes(): readonly ImportNote[] {
    const reserved = new Set([...this.reserved.values()].flat().map(formatAddress));
    const left = this.#left.map(({ subject, reason, addresses, at }): ImportNote => {
      const own = addresses.filter((address) => reserved.has(formatAddress(address)));
      const sequel =
        own.length > 0 ? `; ${textOf(own)} is reserved, so that nobody else gets it` : '';
      return { effect: 'left', subject, message: `${reason}${sequel}`, at };
    });
    return [...this.#changed, ...left];
  }

  /** A path below `leases/` that no file has, with a folder of its own for names that leasehold has itself. */
  freePath(folder: string, name: string): string {
    const { cluster, pools } = this.standing;
    const own = ['allocations', 'keys'].includes(folder) ? `namespace-${folder}` : folder;
    const home =
      pools.clusters.length > 1
        ? `${leasesFolder}/${cluster.name}/${own}`
        : `${leasesFolder}/${own}`;
    for (let count = 1; ; count += 1) {
      const path = `${home}/${name}${count === 1 ? '' : `.${count}`}.yaml`;
      if (!this.#paths.has(path)) return path;
    }
  }

  /** What is wrong with a declaration, by itself. */
  problemOf(path: string, text: string): Problem | undefined {
    const read = readDeclaration(path, new TextEncoder().encode(text), this.standing.pools);
    return read.ok ? undefined : read.problems[0];
  }

  adopt(adopted: Adopted): void {
    this.#paths.add(adopted.path);
    this.adopted.push(adopted);
  }

  /** The addresses of what is left that somebody else could get, by the names of their pools, in order. */
  get reserved(): ReadonlyMap<string, readonly Address[]> {
    const had = new Set(
      this.adopted.flatMap(({ addresses, text }) =>
        text === undefined ? [] : addresses.map(formatAddress),
      ),
    );
    const found = new Map<string, Map<string, Address>>();
    for (const address of this.#left.flatMap(({ addresses }) => addresses)) {
      const text = formatAddress(address);
      const pool = this.poolOf(address);
      const record = this.standing.table.get(text);
      if (!pool || had.has(text) || setHas(pool.reserved, address) || (record && isHeld(record)))
        continue;
      const known = found.get(pool.name) ?? new Map<string, Address>();
      found.set(pool.name, known.set(text, address));
    }
    return new Map(
      [...found]
        .sort(([left], [right]) => compareText(left, right))
        .map(([pool, addresses]) => [pool, [...addresses.values()].sort(compareAddresses)]),
    );
  }
}

/** Something live that is not declared. */
interface Left {
  readonly subject: string;
  readonly reason: string;
  readonly addresses: readonly Address[];
  readonly at: Position;
}

/** Addresses as a message names them. */
export function textOf(addresses: readonly Address[]): string {
  return addresses.map(formatAddress).join(' and ');
}
