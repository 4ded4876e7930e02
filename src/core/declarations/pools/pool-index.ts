import type { Holder } from '../../model/holder.ts';
import {
  advertiseFor,
  familiesOf,
  insideRanges,
  isOpenIn,
  type Pool,
  type Pools,
  publicAddress,
} from '../../model/pools.ts';
import { type Address, isBuggyIP } from '../../net/address.ts';
import { type AddressRange, compareRanges, firstReaching, rangeHas } from '../../net/range.ts';
import { setHas } from '../../net/range-set.ts';
import { clashIn } from './advertise-rules.ts';

/** Finds pools by name, by address and by the claims of a holder. Immutable. */
export class PoolIndex {
  readonly pools: Pools;
  readonly #byName: ReadonlyMap<string, Pool>;
  /** By cluster name; undefined for a cluster without its own. */
  readonly #defaultZones: ReadonlyMap<string, string | undefined>;
  /** All ranges of all pools in numeric order; they do not overlap. */
  readonly #ranges: readonly { readonly range: AddressRange; readonly pool: Pool }[];

  constructor(pools: Pools) {
    this.pools = pools;
    this.#defaultZones = new Map(
      pools.clusters.map(({ name, defaultZone }) => [name, defaultZone]),
    );
    this.#byName = new Map(pools.pools.map((pool) => [pool.name, pool]));
    this.#ranges = pools.pools
      .flatMap((pool) => pool.ranges.map((range) => ({ range, pool })))
      .sort((left, right) => compareRanges(left.range, right.range));
  }

  named(name: string | undefined): Pool | undefined {
    return name === undefined ? undefined : this.#byName.get(name);
  }

  /** The pool that contains the address, reserved or not. O(log n). */
  of(address: Address): Pool | undefined {
    const entry = this.#ranges[firstReaching(this.#ranges, ({ range }) => range, address)];
    return entry && rangeHas(entry.range, address) ? entry.pool : undefined;
  }

  /**
   * Why no new holder gets an address, even when it is free, such as `no pool has it`. Undefined when
   * one may.
   */
  withheld(address: Address): string | undefined {
    const pool = this.of(address);
    if (!pool) return 'no pool has it';
    return pool.state === 'draining' ? `pool ${pool.name} is draining` : reservation(pool, address);
  }

  /** The public address of an address of any pool; the address itself when no pool has it. */
  publicAddress(address: Address): Address {
    const pool = this.of(address);
    return pool ? publicAddress(pool, address) : address;
  }

  /** The public addresses of addresses, in their order; undefined when all are their own. */
  publicAddresses(addresses: readonly Address[]): readonly Address[] | undefined {
    const beyond = addresses.map((address) => this.publicAddress(address));
    return beyond.some((address, place) => address !== addresses[place]) ? beyond : undefined;
  }

  /** The addresses of all pools that a public address is for, as ranges in numeric order. */
  behind(address: Address): readonly AddressRange[] {
    return this.pools.pools.flatMap((pool) => insideRanges(pool, address)).sort(compareRanges);
  }

  /**
   * The zone of a holder's addresses: its own zone, that of its pool, that of its pin, or the
   * default zone. A holder in clusters with different default zones gets the one of the pool file.
   */
  zoneOf(holder: Holder): string {
    const pin = holder.pins[0];
    const pinned = pin && this.of(pin.address);
    return (
      holder.zone ?? this.named(holder.pool)?.zone ?? pinned?.zone ?? this.#defaultZone(holder)
    );
  }

  /** The pools that the claims of a holder allow, in the order of the file. */
  allowed(holder: Holder): readonly Pool[] {
    return this.pools.pools.filter((pool) => this.allows(holder, pool));
  }

  /** True when the claims of the holder allow an address of this pool. */
  allows(holder: Holder, pool: Pool): boolean {
    return this.isWanted(holder, pool) && obstacle(holder, pool) === undefined;
  }

  /** True for the pool that the claims name; without a name, for the pools of their zone. */
  isWanted(holder: Holder, pool: Pool): boolean {
    if (holder.pool !== undefined) return pool.name === holder.pool;
    return pool.zone === this.zoneOf(holder);
  }

  #defaultZone({ clusters: [first = '', ...others] }: Holder): string {
    const zone = this.#defaultZones.get(first);
    const isOne = others.every((cluster) => this.#defaultZones.get(cluster) === zone);
    return zone !== undefined && isOne ? zone : this.pools.defaultZone;
  }
}

/** A reason why a pool cannot serve a holder, even if its claims allow the pool. */
export interface Obstacle {
  readonly code: 'POOL_CLOSED' | 'ANYCAST_NOT_BGP' | 'ADVERTISEMENT_REFUSED';
  /** A clause about the pool, such as `pool edge is not announced in cluster west`. */
  readonly reason: string;
}

/** Returns why a pool never gives one of its addresses; undefined when it may. */
export function reservation(pool: Pool, address: Address): string | undefined {
  if (setHas(pool.reserved, address)) return `pool ${pool.name} reserves it`;
  return pool.avoidBuggyIPs && isBuggyIP(address)
    ? `pool ${pool.name} avoids addresses that end in .0 or .255`
    : undefined;
}

/**
 * The obstacle between a holder and a pool, if any:
 *
 * - a cluster of the holder does not announce the pool;
 * - the advertisement of the holder is by L2 and the pool is announced by BGP, or the other way;
 * - with it, MetalLB refuses the advertisements of the pool together;
 * - the holder is in several clusters and the pool is announced by L2, where one node of one cluster
 *   answers for an address (MetalLB: L2Advertisement).
 */
export function obstacle(
  { clusters, advertisement }: Pick<Holder, 'clusters' | 'advertisement'>,
  pool: Pool,
): Obstacle | undefined {
  const closed = clusters.find((cluster) => !isOpenIn(pool, cluster));
  if (closed !== undefined) {
    const reason = `pool ${pool.name} is not announced in cluster ${closed}`;
    return { code: 'POOL_CLOSED', reason };
  }
  const kinds = new Set(pool.advertise.map(({ kind }) => kind));
  if (advertisement && !kinds.has(advertisement.kind)) {
    const [own, other] = [advertisement.kind, ...kinds].map((kind) => kind.toUpperCase());
    const reason = `advertisement ${advertisement.name} is by ${own}, and pool ${pool.name} is announced by ${other}`;
    return { code: 'ADVERTISEMENT_REFUSED', reason };
  }
  const clash = advertisement && clashIn(advertiseFor(pool, advertisement), familiesOf(pool));
  if (clash) {
    const [one, other] = clash.map(({ name }) => name);
    const reason = `advertisement ${advertisement.name} sends the advertisements ${one} and ${other} of pool ${pool.name} to the same peers and nodes, with different localPref`;
    return { code: 'ADVERTISEMENT_REFUSED', reason };
  }
  if (clusters.length < 2 || !kinds.has('l2')) return undefined;
  const reason = `pool ${pool.name} is announced by L2, and an address of it cannot be in clusters ${clusters.join(', ')}`;
  return { code: 'ANYCAST_NOT_BGP', reason };
}
