/**
 * Where wants return that can return to more than one pool: an owner may have an IPv4 address kept in
 * one pool, an IPv6 address in another, and come back for both families. It returns to one of the two
 * and gets its second family from there, and which one decides what is left for all others. So the
 * ways are searched, and a way is dropped as soon as a count shows that the others cannot be met.
 * Such wants are rare: a holder must have lost two addresses lately, in two pools of one zone.
 */

import type { Family } from '../net/address.ts';

/** One way of returning: to an address kept in that pool, with a free one of the other family. */
export interface Way {
  readonly pool: string;
  /** The family that is not kept there and uses up one of the pool's free addresses. */
  readonly uses: Family;
}

/** How many wants with nothing kept for them are to be met from the same pools, by families. */
export interface Need {
  readonly ipv4: number;
  readonly ipv6: number;
  readonly dual: number;
}

/** How many addresses each pool has left to give, by pool name. */
export type Free = ReadonlyMap<string, Readonly<Record<Family, number>>>;

/**
 * A way for every want, given the ways of each, so that the others can still be met: `undefined` for
 * one that finds all its ways used up and joins the dual wants. Undefined as a whole when nothing
 * meets all of them. A way that is open is always taken: whoever needs that address instead can have
 * its like from the pool where the holder would have taken two.
 */
export function chooseWays(
  wants: readonly (readonly Way[])[],
  need: Need,
  free: Free,
): readonly (Way | undefined)[] | undefined {
  const hopeless = new Set<string>();
  const search = (index: number, left: State): readonly (Way | undefined)[] | undefined => {
    if (!canMeet(left)) return undefined;
    const ways = wants[index];
    if (!ways) return [];
    const state = `${index} ${stateText(left)}`;
    if (hopeless.has(state)) return undefined;
    for (const way of openWays(ways, left)) {
      const rest = search(index + 1, way ? without(left, way) : withDual(left));
      if (rest) return [way, ...rest];
    }
    hopeless.add(state);
    return undefined;
  };
  return search(0, { need, free });
}

/** What a choice leaves to the next one. */
interface State {
  readonly need: Need;
  readonly free: Free;
}

/** The ways that are not used up, or `undefined` alone for none. */
function openWays(ways: readonly Way[], { free }: State): readonly (Way | undefined)[] {
  const open = ways.filter((way) => (free.get(way.pool)?.[way.uses] ?? 0) > 0);
  return open.length > 0 ? open : [undefined];
}

/** True when every need fits: a dual want takes both of its addresses from one pool. */
function canMeet({ need, free }: State): boolean {
  let ipv4 = 0;
  let ipv6 = 0;
  let pairs = 0;
  for (const left of free.values()) {
    ipv4 += left.ipv4;
    ipv6 += left.ipv6;
    pairs += Math.min(left.ipv4, left.ipv6);
  }
  return need.dual <= pairs && need.dual + need.ipv4 <= ipv4 && need.dual + need.ipv6 <= ipv6;
}

function without({ need, free }: State, way: Way): State {
  const left = free.get(way.pool);
  if (!left) return { need, free };
  return { need, free: new Map(free).set(way.pool, { ...left, [way.uses]: left[way.uses] - 1 }) };
}

function withDual({ need, free }: State): State {
  return { need: { ...need, dual: need.dual + 1 }, free };
}

function stateText({ need, free }: State): string {
  const counts = [...free.values()].map(({ ipv4, ipv6 }) => `${ipv4},${ipv6}`);
  return `${need.dual} ${counts.join(' ')}`;
}
