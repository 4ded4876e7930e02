import type { PoolIndex } from '../declarations/pools/pool-index.ts';
import type { Pool } from '../model/pools.ts';
import { InternalError } from '../model/problem.ts';
import type { Address, Family } from '../net/address.ts';
import type { FreeCounts, PoolOption } from './matching/contention.ts';
import type { AddressRequest } from './requests.ts';
import { compareOffers, type Offer, type Supplies, type Supply } from './supply.ts';

/** An address that a run gives to a holder. */
export interface Assignment {
  readonly request: AddressRequest;
  readonly pool: Pool;
  readonly address: Address;
}

/** Assigns addresses of the pools' supplies, one request at a time. */
export class Assigner {
  readonly supplies: Supplies;
  readonly assignments: Assignment[] = [];
  readonly #index: PoolIndex;

  constructor(index: PoolIndex, supplies: Supplies) {
    this.#index = index;
    this.supplies = supplies;
  }

  /** Assigns the pinned addresses, which {@link pinProblems} has passed. */
  assignPins(request: AddressRequest): void {
    for (const address of request.pins) {
      const pool = this.#index.of(address);
      if (!pool) throw new InternalError('a pin outside all pools passed pinProblems');
      this.#supply(pool, address.family).give(address);
      this.assignments.push({ request, pool, address });
    }
  }

  /**
   * Assigns from the pool with the best offer for all the families. Returns false if none has them.
   */
  assign(request: AddressRequest): boolean {
    const [best] = this.#bestFirst(request);
    if (best) this.#assignFrom(request, best);
    return best !== undefined;
  }

  /** Assigns from the pool of the option. Returns false without an option. */
  assignOption(request: AddressRequest, option: PoolOption | undefined): boolean {
    const pool = this.#index.named(option?.pool);
    if (pool) this.#assignFrom(request, pool);
    return pool !== undefined;
  }

  /**
   * Returns an option for each pool that has all the families: first those in which most is
   * retained for the holder, then in the order of the pool file.
   */
  options(request: AddressRequest): readonly PoolOption[] {
    return this.#optionsIn(request.pools, request);
  }

  /**
   * Returns the same options; of those in which as much is retained, the best offer comes first.
   */
  rankedOptions(request: AddressRequest): readonly PoolOption[] {
    return this.#optionsIn(this.#bestFirst(request), request);
  }

  /**
   * Returns the options of pools in which an address is retained for the holder. Only the first one
   * if all that it requests is retained there, because returning there takes nothing from other
   * holders.
   */
  returnOptions(request: AddressRequest): readonly PoolOption[] {
    if (request.keptForIt.length === 0) return [];
    const options = this.options(request).filter(
      ({ uses }) => uses.length < request.families.length,
    );
    return options[0]?.uses.length === 0 ? options.slice(0, 1) : options;
  }

  /** Returns the free addresses of all pools that any of the requests may use. */
  freeOf(requests: readonly AddressRequest[]): FreeCounts {
    const pools = [...new Set(requests.flatMap((request) => request.pools))];
    const free = (pool: Pool, family: Family) =>
      pool.state === 'active' ? Number(this.#supply(pool, family).free) : 0;
    return new Map(
      pools.map((pool) => [pool.name, { ipv4: free(pool, 'ipv4'), ipv6: free(pool, 'ipv6') }]),
    );
  }

  #optionsIn(pools: readonly Pool[], request: AddressRequest): readonly PoolOption[] {
    return pools
      .filter((pool) => this.#hasAll(request, pool))
      .map((pool) => ({ pool: pool.name, uses: this.#notRetained(request, pool) }))
      .sort((left, right) => left.uses.length - right.uses.length);
  }

  /** Returns the pools that have all the families, the best offer first. */
  #bestFirst(request: AddressRequest): readonly Pool[] {
    return request.pools
      .filter((pool) => this.#hasAll(request, pool))
      .map((pool) => ({ pool, offer: this.#worstOffer(request, pool) }))
      .sort((left, right) => compareOffers(left.offer, right.offer))
      .map(({ pool }) => pool);
  }

  #notRetained(request: AddressRequest, pool: Pool): readonly Family[] {
    return request.families.filter((family) => !this.#retained(request, pool, family));
  }

  #hasAll(request: AddressRequest, pool: Pool): boolean {
    return request.families.every((family) => {
      if (this.#retained(request, pool, family)) return true;
      return pool.state === 'active' && this.#supply(pool, family).free > 0n;
    });
  }

  #worstOffer(request: AddressRequest, pool: Pool): Offer {
    const offers = request.families.map((family) =>
      this.#retained(request, pool, family)
        ? ({ rank: 0, freeFrom: '' } as const)
        : this.#supply(pool, family).offerTo(request.holder.id),
    );
    return offers.reduce((worst, offer) => (compareOffers(worst, offer) < 0 ? offer : worst));
  }

  #assignFrom(request: AddressRequest, pool: Pool): void {
    for (const family of request.families) {
      const supply = this.#supply(pool, family);
      const kept = this.#retained(request, pool, family);
      const address = kept ? supply.give(kept) : supply.giveAny(request.holder.id);
      this.assignments.push({ request, pool, address });
    }
  }

  /** The address retained for the holder in this pool, unless the pool reserves it now. */
  #retained(request: AddressRequest, pool: Pool, family: Family): Address | undefined {
    return request.keptForIt.find(
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
