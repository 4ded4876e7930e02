/**
 * Gives every want its addresses, so that all are met whenever all can be met: pins first, which have no choice; then
 * wants with one pool, a named one or the pool of the holder's other address; then those of each zone.
 */

import type { PoolIndex } from '../declarations/pools/pool-index.ts';
import type { AllocationTable } from '../model/allocation.ts';
import type { Day } from '../model/day.ts';
import type { Problem } from '../model/problem.ts';
import { type Gift, Giver } from './giver.ts';
import { giveZone } from './matching/zones.ts';
import { pinProblems } from './pins.ts';
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
