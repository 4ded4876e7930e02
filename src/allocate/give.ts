/**
 * Gives every want its addresses, so that all are met whenever all can be met:
 *
 * 1. pins, which have no choice;
 * 2. wants with one pool: a named one, or the pool of the holder's other address; then those of zones in
 *    which not all may have the same pools: seating.ts finds who has which;
 * 3. of all other zones, wants that return to an address kept for them: it costs nobody anything, and a dual
 *    one takes its second family from that pool while one is left. That never takes a plan away:
 *    whoever else wanted that address can have what the holder would have taken elsewhere. Where
 *    there is more than one pool to return to, returns.ts finds the one that leaves the others enough;
 * 4. dual wants with a zone: each uses up one address of both families of some pool, and which pool
 *    makes no difference to how many can still be met;
 * 5. the rest, each of which takes any free address of its zone.
 */

import type { AllocationTable } from '../model/allocation.ts';
import type { Day } from '../model/day.ts';
import type { Problem } from '../model/problem.ts';
import { type Gift, Giver, isDual } from './giver.ts';
import { pinProblems } from './pins.ts';
import type { PoolIndex } from './pool-index.ts';
import { shortageProblems } from './shortage.ts';
import { suppliesOf } from './supply.ts';
import type { Want } from './wants.ts';

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
  const [bound, choosing] = split(open, (want) => want.pools.length === 1);
  const unmet = bound.filter((want) => !giver.give(want));
  const seated = new Set(
    mixedZones(choosing)
      .filter((zone) => giver.giveSeats(zone))
      .flat(),
  );
  const [torn, clear] = split(
    choosing.filter((want) => !seated.has(want)),
    (want) => giver.returnPools(want).length > 1,
  );
  const others = clear.filter((want) => !giver.giveReturning(want));
  const [dual, single] = split([...giver.giveTorn(torn, others), ...others], isDual);
  unmet.push(...[...dual, ...single].filter((want) => !giver.give(want)));
  const short = shortageProblems(unmet, giver.supplies);
  return { gifts: giver.gifts, problems: [...pinned, ...short] };
}

/** The wants of each zone in which not all have the same pools to choose from: see seating.ts. */
function mixedZones(wants: readonly Want[]): readonly (readonly Want[])[] {
  const zones = new Map<string, Want[]>();
  for (const want of wants) {
    const zone = want.pools[0]?.zone ?? '';
    const own = zones.get(zone);
    if (own) own.push(want);
    else zones.set(zone, [want]);
  }
  return [...zones.values()].filter((own) => {
    const choices = own.map(({ pools }) => pools.map(({ name }) => name).join());
    return new Set(choices).size > 1;
  });
}

function split<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
