import type { PoolIndex } from '../declarations/pools/pool-index.ts';
import type { AllocationTable } from '../model/allocation.ts';
import type { Day } from '../model/day.ts';
import type { Pool } from '../model/pools.ts';
import { InternalError, type Problem } from '../model/problem.ts';
import type { Address, Family } from '../net/address.ts';
import type { Free, Seat } from './matching/contention.ts';
import { giveZone } from './matching/zone.ts';
import { pinProblems } from './pins.ts';
import type { Want } from './requests.ts';
import { compareOffers, type Offer, type Supplies, type Supply, suppliesOf } from './supply.ts';
import { shortageProblems } from './unsatisfiable.ts';

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
    const [best] = this.#bestFirst(want);
    if (best) this.#giveFrom(want, best);
    return best !== undefined;
  }

  /** Gives from the pool of a seat; false without one. */
  giveSeat(want: Want, seat: Seat | undefined): boolean {
    const pool = this.#index.named(seat?.pool);
    if (pool) this.#giveFrom(want, pool);
    return pool !== undefined;
  }

  /** A seat in each pool that can give all the families: where the most is kept first, then as the file has them. */
  seats(want: Want): readonly Seat[] {
    return this.#seatsIn(want.pools, want);
  }

  /** The same, but where as much is kept those with the best offer first. */
  rankedSeats(want: Want): readonly Seat[] {
    return this.#seatsIn(this.#bestFirst(want), want);
  }

  /**
   * The seats that a holder can return to: those of pools where something is kept for it. One is enough where
   * all it wants is kept, because returning there takes nothing from anybody.
   */
  returnSeats(want: Want): readonly Seat[] {
    if (want.keptForIt.length === 0) return [];
    const seats = this.seats(want).filter(({ uses }) => uses.length < want.families.length);
    return seats[0]?.uses.length === 0 ? seats.slice(0, 1) : seats;
  }

  /** What the pools that any of the wants may have can still give. */
  freeOf(wants: readonly Want[]): Free {
    const pools = [...new Set(wants.flatMap((want) => want.pools))];
    const free = (pool: Pool, family: Family) =>
      pool.state === 'active' ? Number(this.#supply(pool, family).free) : 0;
    return new Map(
      pools.map((pool) => [pool.name, { ipv4: free(pool, 'ipv4'), ipv6: free(pool, 'ipv6') }]),
    );
  }

  #seatsIn(pools: readonly Pool[], want: Want): readonly Seat[] {
    return pools
      .filter((pool) => this.#canGive(want, pool))
      .map((pool) => ({ pool: pool.name, uses: this.#unkept(want, pool) }))
      .sort((left, right) => left.uses.length - right.uses.length);
  }

  /** The pools that can give all the families, the one with the best offer first. */
  #bestFirst(want: Want): readonly Pool[] {
    return want.pools
      .filter((pool) => this.#canGive(want, pool))
      .map((pool) => ({ pool, offer: this.#worstOffer(want, pool) }))
      .sort((left, right) => compareOffers(left.offer, right.offer))
      .map(({ pool }) => pool);
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

/**
 * Gives every want its addresses, so that all are met whenever all can be met: pins first, which have no choice; then
 * wants with one pool, a named one or the pool of the holder's other address; then those of each zone.
 */

/** What was given, in no particular order, and why the rest could not be. */
export interface Giving {
  readonly gifts: readonly Gift[];
  readonly problems: readonly Problem[];
}

/**
 * Gives all wants what they lack. `wants` are in the order of their holders' ids. With a problem about
 * pins no want with a pin is given anything, so a shortage reported beside it is one in any case.
 */
export function giveAddresses(
  index: PoolIndex,
  wants: readonly Want[],
  table: AllocationTable,
  today: Day,
): Giving {
  const pinned = pinProblems(index, wants, table, today);
  const meant = pinned.length > 0 ? wants.filter((want) => want.pins.length === 0) : wants;
  const giver = new Giver(index, suppliesOf(index, table, today));
  for (const want of meant) giver.givePins(want);
  const open = meant.filter((want) => want.families.length > 0);
  const bound = open.filter((want) => want.pools.length === 1);
  const unmet = [
    ...bound.filter((want) => !giver.give(want)),
    ...zonesOf(open.filter((want) => want.pools.length !== 1)).flatMap((zone) =>
      giveZone(giver, zone),
    ),
  ];
  const short = shortageProblems(unmet, giver.supplies);
  return { gifts: giver.gifts, problems: [...pinned, ...short] };
}

/** The wants of each zone: all pools of a want lie in one. */
function zonesOf(wants: readonly Want[]): readonly (readonly Want[])[] {
  const zones = new Map<string, Want[]>();
  for (const want of wants) {
    const zone = want.pools[0]?.zone ?? '';
    const own = zones.get(zone);
    if (own) own.push(want);
    else zones.set(zone, [want]);
  }
  return [...zones.values()];
}
