/**
 * Gives to the wants of one zone. Who is met is settled first: all when all can be, else whoever can be beside those before
 * it, in this order: who returns to an address kept for it, who wants both families, who wants one.
 *
 * Where all may have the same pools:
 *
 * 1. who returns to an address kept for it costs nobody anything, and a dual one takes its second family from that pool while
 *    one is left. That never takes a plan away: whoever else wanted that address can have what the holder would have taken
 *    elsewhere. Where there is more than one pool to return to, seating.ts finds the one that leaves the others enough;
 * 2. dual wants: each uses up one address of both families of some pool, and which pool makes no difference to how many can
 *    still be met;
 * 3. the rest, each of which takes any free address of its zone.
 *
 * Where not all may have the same pools, seating.ts says who has which. Those that may take two addresses choose first, of
 * them those with the fewest pools; then the rest.
 */

import type { Giver } from '../giver.ts';
import { isDual, type Want } from '../wants.ts';
import { admitted, seating } from './seating.ts';
import type { Seat } from './seats.ts';

/** Gives to all that can be met, and gives back the others. `wants` are in the order of their holders' ids. */
export function giveZone(giver: Giver, wants: readonly Want[]): readonly Want[] {
  const [returning, others] = split(wants, (want) => giver.returnSeats(want).length > 0);
  const queue = [...returning, ...dualFirst(others)];
  const seats = queue.map((want) => giver.seats(want));
  const met = admitted(seats, giver.freeOf(wants));
  const [served, unmet] = split(queue, (_, place) => met.has(place));
  const isServed = new Set(served);
  const meant = wants.filter((want) => isServed.has(want));
  const missed = areAlike(wants) ? giveAlike(giver, meant) : giveSeated(giver, meant);
  return [...unmet, ...missed];
}

/** True when all have the same pools to choose from. */
function areAlike(wants: readonly Want[]): boolean {
  return new Set(wants.map(({ pools }) => pools.map(({ name }) => name).join())).size < 2;
}

function giveAlike(giver: Giver, wants: readonly Want[]): readonly Want[] {
  const [torn, clear] = split(wants, (want) => giver.returnSeats(want).length > 1);
  const others = clear.filter((want) => !giver.giveSeat(want, giver.returnSeats(want)[0]));
  const back = torn.length > 0 ? giveTorn(giver, torn, others) : [];
  return dualFirst([...back, ...others]).filter((want) => !giver.give(want));
}

/** Gives to those that can return to several pools, and gives back who found none of them open. */
function giveTorn(giver: Giver, torn: readonly Want[], others: readonly Want[]): readonly Want[] {
  const pools = seating(
    torn.map((want) => giver.seats(want)),
    others.map((want) => giver.seats(want)),
    giver.freeOf([...torn, ...others]),
  );
  return torn.filter((want, place) => {
    const seat = giver.returnSeats(want).find(({ pool }) => pool === pools?.[place]);
    return !giver.giveSeat(want, seat);
  });
}

function giveSeated(giver: Giver, wants: readonly Want[]): readonly Want[] {
  const choices = wants.map((want) => ({ want, seats: giver.rankedSeats(want) }));
  const [plain, knotty] = split(choices, ({ seats }) => isPlain(seats));
  const turns = [...knotty.sort((left, right) => left.seats.length - right.seats.length), ...plain];
  const pools = seating(
    turns.map(({ seats }) => seats),
    [],
    giver.freeOf(wants),
  );
  const chosen = new Map(
    turns.map(({ want, seats }, place) => [
      want,
      seats.find(({ pool }) => pool === pools?.[place]),
    ]),
  );
  return wants.filter((want) => !giver.giveSeat(want, chosen.get(want)));
}

/** True for a want that takes one address of the same family wherever it goes. */
function isPlain(seats: readonly Seat[]): boolean {
  const [first] = seats;
  return seats.every(({ uses }) => uses.length === 1 && uses[0] === first?.uses[0]);
}

function dualFirst(wants: readonly Want[]): readonly Want[] {
  return split(wants, isDual).flat();
}

function split<Item>(
  items: readonly Item[],
  test: (item: Item, place: number) => boolean,
): [Item[], Item[]] {
  const passed = items.map(test);
  return [items.filter((_, place) => passed[place]), items.filter((_, place) => !passed[place])];
}
