import type { Holder } from '../model/claim.ts';
import type { Pool, Pools } from '../model/pools.ts';
import type { Address } from '../net/address.ts';
import { type AddressRange, compareRanges, firstReaching, rangeHas } from '../net/range.ts';

/** Finds pools by name, by address and by what a holder's claims allow. Changes nothing. */
export class PoolIndex {
  readonly pools: Pools;
  readonly #byName: ReadonlyMap<string, Pool>;
  /** All ranges of all pools in numeric order: pools never overlap. */
  readonly #ranges: readonly { readonly range: AddressRange; readonly pool: Pool }[];

  constructor(pools: Pools) {
    this.pools = pools;
    this.#byName = new Map(pools.pools.map((pool) => [pool.name, pool]));
    this.#ranges = pools.pools
      .flatMap((pool) => pool.ranges.map((range) => ({ range, pool })))
      .sort((left, right) => compareRanges(left.range, right.range));
  }

  /** The pool of that name. */
  named(name: string | undefined): Pool | undefined {
    return name === undefined ? undefined : this.#byName.get(name);
  }

  /** The pool that has the address, reserved or not; there is at most one. O(log n). */
  of(address: Address): Pool | undefined {
    const entry = this.#ranges[firstReaching(this.#ranges, ({ range }) => range, address)];
    return entry && rangeHas(entry.range, address) ? entry.pool : undefined;
  }

  /** The zone a holder's addresses come from: its own word, its pool's, its pin's, or the default. */
  zoneOf(holder: Holder): string {
    const pin = holder.pins[0];
    const pinned = pin && this.of(pin.address);
    const cluster = this.pools.clusters.find(({ name }) => name === holder.clusters[0]);
    const fallback = cluster?.defaultZone ?? this.pools.defaultZone;
    return holder.zone ?? this.named(holder.pool)?.zone ?? pinned?.zone ?? fallback;
  }

  /** The pools that the claims of a holder allow, in the order of the file. */
  allowed(holder: Holder): readonly Pool[] {
    const named = this.named(holder.pool);
    if (holder.pool !== undefined) return named ? [named] : [];
    const zone = this.zoneOf(holder);
    return this.pools.pools.filter((pool) => pool.zone === zone);
  }

  /** True when the claims of the holder allow an address of this pool. */
  allows(holder: Holder, pool: Pool): boolean {
    if (holder.pool !== undefined) return pool.name === holder.pool;
    return pool.zone === this.zoneOf(holder);
  }
}
