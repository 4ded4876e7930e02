import type { Pool } from '../model/pools.ts';
import { InternalError } from '../model/problem.ts';
import type { Address, Family } from '../net/address.ts';
import type { PoolIndex } from './pool-index.ts';
import { chooseWays, type Free } from './returns.ts';
import { type Seat, seating } from './seating.ts';
import { compareOffers, type Offer, type Supplies, type Supply } from './supply.ts';
import type { Want } from './wants.ts';

/** An address given to a holder in this run. */
export interface Gift {
  readonly want: Want;
  readonly pool: Pool;
  readonly address: Address;
}

/** Gives addresses out of the pools' supplies, want by want; what it gave is gone for the next. */
export class Giver {
  readonly supplies: Supplies;
  readonly gifts: Gift[] = [];
  readonly #index: PoolIndex;

  constructor(index: PoolIndex, supplies: Supplies) {
    this.#index = index;
    this.supplies = supplies;
  }

  givePins(want: Want): void {
    for (const address of want.pins) {
      const pool = this.#index.of(address);
      if (!pool) throw new InternalError('a pin outside all pools passed the check of the pins');
      this.#supply(pool, address.family).give(address);
      this.gifts.push({ want, pool, address });
    }
  }

  /** Gives from the best pool that has all the families; false when none has. */
  give(want: Want): boolean {
    const [best] = want.pools
      .filter((pool) => this.#canGive(want, pool))
      .map((pool) => ({ pool, offer: this.#worstOffer(want, pool) }))
      .sort((left, right) => compareOffers(left.offer, right.offer));
    if (best) this.#giveFrom(want, best.pool);
    return best !== undefined;
  }

  /** Gives from the first pool the holder can return to; false when there is none. */
  giveReturning(want: Want): boolean {
    const [pool] = this.returnPools(want);
    if (pool) this.#giveFrom(want, pool);
    return pool !== undefined;
  }

  /** Gives wants with several pools to return to, and gives back those that found none left. */
  giveTorn(torn: readonly Want[], others: readonly Want[]): readonly Want[] {
    const zones = new Map<string, Want[]>();
    for (const want of torn) {
      const zone = want.pools[0]?.zone ?? '';
      const wants = zones.get(zone);
      if (wants) wants.push(want);
      else zones.set(zone, [want]);
    }
    return [...zones].flatMap(([zone, wants]) => {
      const rivals = others.filter((want) => want.pools[0]?.zone === zone);
      const chosen = this.#chosenPools(wants, rivals);
      return wants.filter((want) => {
        const pool = chosen.get(want);
        if (!pool) return !this.giveReturning(want);
        this.#giveFrom(want, pool);
        return false;
      });
    });
  }

  /**
   * Gives wants of one zone that may not all have the same pools; false, and nothing given, when they cannot all
   * be met.
   */
  giveSeats(wants: readonly Want[]): boolean {
    const free = this.#freeIn([...new Set(wants.flatMap((want) => want.pools))]);
    const chosen = seating(
      wants.map((want) => this.#seatsOf(want)),
      free,
    );
    for (const [index, want] of wants.entries()) {
      const pool = this.#index.named(chosen?.[index]);
      if (pool) this.#giveFrom(want, pool);
    }
    return chosen !== undefined;
  }

  /** Those where the most is kept first, then those with the best offer. */
  #seatsOf(want: Want): readonly Seat[] {
    return want.pools
      .filter((pool) => this.#canGive(want, pool))
      .map((pool) => ({
        seat: { pool: pool.name, uses: this.#unkept(want, pool) },
        offer: this.#worstOffer(want, pool),
      }))
      .sort(
        (left, right) =>
          left.seat.uses.length - right.seat.uses.length || compareOffers(left.offer, right.offer),
      )
      .map(({ seat }) => seat);
  }

  /**
   * The pools a holder can return to: those where the most is kept for it. One is enough where all
   * it wants is kept, because returning there takes nothing from anybody.
   */
  returnPools(want: Want): readonly Pool[] {
    const pools = want.pools
      .map((pool) => ({ pool, kept: want.families.length - this.#unkept(want, pool).length }))
      .filter(({ pool, kept }) => kept > 0 && this.#canGive(want, pool))
      .sort((left, right) => right.kept - left.kept);
    const isWhole = pools[0]?.kept === want.families.length;
    return (isWhole ? pools.slice(0, 1) : pools).map(({ pool }) => pool);
  }

  /** Where torn wants of one zone return so that the rivals can be met; empty when they cannot. */
  #chosenPools(torn: readonly Want[], rivals: readonly Want[]): ReadonlyMap<Want, Pool> {
    const ways = torn.map((want) =>
      this.returnPools(want).flatMap((pool) =>
        this.#unkept(want, pool).map((uses) => ({ pool: pool.name, uses })),
      ),
    );
    const single = (family: Family) =>
      rivals.filter((want) => !isDual(want) && want.families[0] === family).length;
    const need = {
      ipv4: single('ipv4'),
      ipv6: single('ipv6'),
      dual: rivals.filter(isDual).length,
    };
    const chosen = chooseWays(ways, need, this.#freeIn(torn[0]?.pools ?? [])) ?? [];
    return new Map(
      torn.flatMap((want, index) => {
        const pool = this.#index.named(chosen[index]?.pool);
        return pool ? [[want, pool] as const] : [];
      }),
    );
  }

  #freeIn(pools: readonly Pool[]): Free {
    const active = pools.filter((pool) => pool.state === 'active');
    const free = (pool: Pool, family: Family) => Number(this.#supply(pool, family).free);
    return new Map(
      active.map((pool) => [pool.name, { ipv4: free(pool, 'ipv4'), ipv6: free(pool, 'ipv6') }]),
    );
  }

  #unkept(want: Want, pool: Pool): readonly Family[] {
    return want.families.filter((family) => !this.#kept(want, pool, family));
  }

  #canGive(want: Want, pool: Pool): boolean {
    return want.families.every((family) => {
      if (this.#kept(want, pool, family)) return true;
      return pool.state === 'active' && this.#supply(pool, family).free > 0n;
    });
  }

  #worstOffer(want: Want, pool: Pool): Offer {
    const offers = want.families.map((family) =>
      this.#kept(want, pool, family)
        ? ({ rank: 0, freeFrom: '' } as const)
        : this.#supply(pool, family).offerTo(want.holder.id),
    );
    return offers.reduce((worst, offer) => (compareOffers(worst, offer) < 0 ? offer : worst));
  }

  #giveFrom(want: Want, pool: Pool): void {
    for (const family of want.families) {
      const supply = this.#supply(pool, family);
      const kept = this.#kept(want, pool, family);
      const address = kept ? supply.give(kept) : supply.giveAny(want.holder.id);
      this.gifts.push({ want, pool, address });
    }
  }

  /** The kept address that the holder may still have: a pool may have come to reserve it. */
  #kept(want: Want, pool: Pool, family: Family): Address | undefined {
    return want.keptForIt.find(
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

/** True for a want of both families. */
export function isDual(want: Want): boolean {
  return want.families.length === 2;
}
