import type { PoolIndex } from '../declarations/pools/pool-index.ts';
import type { Pool } from '../model/pools.ts';
import { InternalError } from '../model/problem.ts';
import type { Address, Family } from '../net/address.ts';
import type { FreeCounts, PoolOption } from './matching/contention.ts';
import type { AddressNeed } from './needs.ts';
import { compareOffers, type Offer, type Supplies, type Supply } from './supply.ts';

/** An address that a run gives to a holder. */
export interface Assignment {
  readonly need: AddressNeed;
  readonly pool: Pool;
  readonly address: Address;
}

/** Assigns addresses of the pools' supplies, one need at a time. */
export class Assigner {
  readonly supplies: Supplies;
  readonly assignments: Assignment[] = [];
  readonly #index: PoolIndex;

  constructor(index: PoolIndex, supplies: Supplies) {
    this.#index = index;
    this.supplies = supplies;
  }

  /** Assigns the pinned addresses, which {@link pinProblems} has passed. */
  assignPins(need: AddressNeed): void {
    for (const address of need.pins) {
      const pool = this.#index.of(address);
      if (!pool) throw new InternalError('a pin outside all pools passed pinProblems');
      this.#supply(pool, address.family).give(address);
      this.assignments.push({ need, pool, address });
    }
  }

  /**
   * Assigns from the pool with the best offer for all the families. Returns false if none has them.
   */
  assign(need: AddressNeed): boolean {
    const [only, ...others] = need.pools;
    const best = others.length > 0 ? this.#bestFirst(need)[0] : this.#ifItHasAll(need, only);
    if (best) this.#assignFrom(need, best);
    return best !== undefined;
  }

  /** Assigns from the pool of the option. Returns false without an option. */
  assignOption(need: AddressNeed, option: PoolOption | undefined): boolean {
    const pool = this.#index.named(option?.pool);
    if (pool) this.#assignFrom(need, pool);
    return pool !== undefined;
  }

  /**
   * Returns an option for each pool that has all the families: first those in which most is
   * retained for the holder, then in the order of the pool file.
   */
  options(need: AddressNeed): readonly PoolOption[] {
    return this.#optionsIn(need.pools, need);
  }

  /**
   * Returns the same options; of those in which as much is retained, the best offer comes first.
   */
  rankedOptions(need: AddressNeed): readonly PoolOption[] {
    return this.#optionsIn(this.#bestFirst(need), need);
  }

  /**
   * Returns the options of pools in which an address is retained for the holder. Only the first one
   * if all that it needs is retained there, because returning there takes nothing from other
   * holders.
   */
  returnOptions(need: AddressNeed): readonly PoolOption[] {
    if (need.keptForIt.length === 0) return [];
    const options = this.options(need).filter(({ uses }) => uses.length < need.families.length);
    return options[0]?.uses.length === 0 ? options.slice(0, 1) : options;
  }

  /** Returns the free addresses of all pools that any of the needs may use. */
  freeOf(needs: readonly AddressNeed[]): FreeCounts {
    const pools = [...new Set(needs.flatMap((need) => need.pools))];
    const free = (pool: Pool, family: Family) =>
      pool.state === 'active' ? Number(this.#supply(pool, family).free) : 0;
    return new Map(
      pools.map((pool) => [pool.name, { ipv4: free(pool, 'ipv4'), ipv6: free(pool, 'ipv6') }]),
    );
  }

  #optionsIn(pools: readonly Pool[], need: AddressNeed): readonly PoolOption[] {
    return pools
      .filter((pool) => this.#hasAll(need, pool))
      .map((pool) => ({ pool: pool.name, uses: this.#notRetained(need, pool) }))
      .sort((left, right) => left.uses.length - right.uses.length);
  }

  /** Returns the pools that have all the families, the best offer first. */
  #bestFirst(need: AddressNeed): readonly Pool[] {
    return need.pools
      .filter((pool) => this.#hasAll(need, pool))
      .map((pool) => ({ pool, offer: this.#worstOffer(need, pool) }))
      .sort((left, right) => compareOffers(left.offer, right.offer))
      .map(({ pool }) => pool);
  }

  #ifItHasAll(need: AddressNeed, pool: Pool | undefined): Pool | undefined {
    return pool && this.#hasAll(need, pool) ? pool : undefined;
  }

  #notRetained(need: AddressNeed, pool: Pool): readonly Family[] {
    return need.families.filter((family) => !this.#retained(need, pool, family));
  }

  #hasAll(need: AddressNeed, pool: Pool): boolean {
    return need.families.every((family) => {
      if (this.#retained(need, pool, family)) return true;
      return pool.state === 'active' && this.#supply(pool, family).free > 0n;
    });
  }

  #worstOffer(need: AddressNeed, pool: Pool): Offer {
    const offers = need.families.map((family) =>
      this.#retained(need, pool, family)
        ? ({ rank: 0, freeFrom: '' } as const)
        : this.#supply(pool, family).offerTo(need.holder.id),
    );
    return offers.reduce((worst, offer) => (compareOffers(worst, offer) < 0 ? offer : worst));
  }

  #assignFrom(need: AddressNeed, pool: Pool): void {
    for (const family of need.families) {
      const supply = this.#supply(pool, family);
      const kept = this.#retained(need, pool, family);
      const address = kept ? supply.give(kept) : supply.giveAny(need.holder.id);
      this.assignments.push({ need, pool, address });
    }
  }

  /** The address retained for the holder in this pool, unless the pool reserves it now. */
  #retained(need: AddressNeed, pool: Pool, family: Family): Address | undefined {
    if (need.keptForIt.length === 0) return undefined;
    return need.keptForIt.find(
      ({ address }) =>
        address.family === family &&
        this.#index.of(address) === pool &&
        this.#supply(pool, family).has(address),
    )?.address;
  }

  #supply(pool: Pool, family: Family): Supply {
    const supply = this.supplies.get(pool.name)?.[family];
    if (!supply) throw new InternalError(`pool ${pool.name} has no supply`);
    return supply;
  }
}
