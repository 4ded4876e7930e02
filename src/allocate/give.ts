/**
 * Gives every want its addresses, so that all are met whenever all can be met:
 *
 * 1. pins, which have no choice;
 * 2. wants with one pool: a named one, or the pool of the holder's other address;
 * 3. wants with a zone that return to an address kept for them: it costs nobody anything, and a dual
 *    one takes its second family from that pool while one is left. That never takes a plan away:
 *    whoever else wanted that address can have what the holder would have taken elsewhere;
 * 4. dual wants with a zone: each uses up one address of both families of some pool, and which pool
 *    makes no difference to how many can still be met;
 * 5. the rest, each of which takes any free address of its zone.
 */

import type { AllocationTable } from '../model/allocation.ts';
import type { Day } from '../model/day.ts';
import type { Pool } from '../model/pools.ts';
import { InternalError, type Problem } from '../model/problem.ts';
import type { Address, Family } from '../net/address.ts';
import { pinProblems } from './pins.ts';
import type { PoolIndex } from './pool-index.ts';
import { shortageProblem } from './shortage.ts';
import { compareOffers, type Offer, type Supplies, type Supply, suppliesOf } from './supply.ts';
import { keptIn, type Want } from './wants.ts';

/** An address given to a holder in this run. */
export interface Gift {
  readonly want: Want;
  readonly pool: Pool;
  readonly address: Address;
}

/** What was given, in no particular order, and why the rest could not be. */
export interface Giving {
  readonly gifts: readonly Gift[];
  readonly problems: readonly Problem[];
}

/** Gives all wants what they lack. `wants` are in the order of their holders' ids. */
export function giveAddresses(
  index: PoolIndex,
  wants: readonly Want[],
  table: AllocationTable,
  today: Day,
): Giving {
  const pinned = pinProblems(index, wants, table, today);
  if (pinned.length > 0) return { gifts: [], problems: pinned };
  const giver = new Giver(index, suppliesOf(index, table, today));
  for (const want of wants) giver.givePins(want);
  const open = wants.filter((want) => want.families.length > 0);
  const [bound, choosing] = split(open, (want) => want.pools.length === 1);
  const unmet = bound.filter((want) => !giver.give(want));
  const afterReturns = choosing.filter((want) => !giver.giveReturning(want));
  const [dual, single] = split(afterReturns, (want) => want.families.length === 2);
  unmet.push(...[...dual, ...single].filter((want) => !giver.give(want)));
  const problems = unmet.map((want) => shortageProblem(want, unmet, giver.supplies));
  return { gifts: giver.gifts, problems };
}

class Giver {
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

  /** Gives from the pool where the most is kept for the holder; false when there is none. */
  giveReturning(want: Want): boolean {
    const [best] = want.pools
      .map((pool) => ({ pool, kept: this.#keptFamilies(want, pool) }))
      .filter(({ pool, kept }) => kept > 0 && this.#canGive(want, pool))
      .sort((left, right) => right.kept - left.kept);
    if (best) this.#giveFrom(want, best.pool);
    return best !== undefined;
  }

  #keptFamilies(want: Want, pool: Pool): number {
    return want.families.filter((family) => this.#kept(want, pool, family)).length;
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
    const kept = keptIn(want, pool, family, this.#index);
    return kept && this.#supply(pool, family).has(kept) ? kept : undefined;
  }

  #supply(pool: Pool, family: Family): Supply {
    const supply = this.supplies.get(pool.name)?.[family];
    if (!supply) throw new InternalError(`pool ${pool.name} has no supply`);
    return supply;
  }
}

function split<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
