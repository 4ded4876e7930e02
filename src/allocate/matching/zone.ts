import { InternalError } from '../../model/problem.ts';
import type { Family } from '../../net/address.ts';
import type { Giver } from '../assign.ts';
import { isDual, type Want } from '../requests.ts';
import { type Free, Kinds, type Seat } from './contention.ts';
import { canMeet, longest } from './feasibility.ts';

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

/**
 * Who of the holders of a zone is met, and by which pool, where not all may have the same pools: a pool may be announced in
 * some clusters only, an address over several clusters comes from BGP pools only, and who has an address kept in a pool
 * takes less of it than others.
 *
 * Holders have their turns one after another, and each has the first of its seats that leaves enough to the others: it goes to
 * another pool only where somebody would go without. Whether enough is left is asked of meeting.ts for many turns at once, and
 * what leaves too little once does so for all later holders of the same kind: the questions are few, however many holders
 * there are.
 */

/** The seats of a holder, the best first. */
export type Choice = readonly Seat[];

/** The places of those that are met: who can be beside those before it that are. All of them when all can be. */
export function admitted(choices: readonly Choice[], free: Free): ReadonlySet<number> {
  const kinds = new Kinds();
  const met = new Set<number>();
  let counts: readonly number[] = [];
  let queue = choices.map((seats, place) => ({ place, kind: kinds.of(seats) }));
  while (queue.length > 0) {
    const countsWith = (length: number) => {
      const more = [...counts];
      for (const { kind } of queue.slice(0, length)) more[kind] = (more[kind] ?? 0) + 1;
      return more;
    };
    const length = longest(queue.length, (next) => canMeet(kinds.groups(countsWith(next)), free));
    counts = countsWith(length);
    for (const { place } of queue.slice(0, length)) met.add(place);
    const refused = queue[length]?.kind;
    queue = queue.slice(length).filter(({ kind }) => kind !== refused);
  }
  return met;
}

/**
 * A pool for each holder: the first of its seats that leaves enough to those after it and to the others. Undefined when
 * not all can be met.
 */
export function seating(
  choices: readonly Choice[],
  others: readonly Choice[],
  free: Free,
): readonly string[] | undefined {
  const kinds = new Kinds();
  const turns = choices.map((seats): Turn => ({ seats, kind: kinds.of(seats) }));
  const counts: number[] = [];
  for (const kind of [...turns.map((turn) => turn.kind), ...others.map((one) => kinds.of(one))]) {
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  if (!canMeet(kinds.groups(counts), free)) return undefined;
  const closed: Closed = new Map();
  const pools: string[] = [];
  let left: Left = { free, counts };
  for (;;) {
    const next = turns.slice(pools.length);
    const length = longest(next.length, (many) => {
      const then = withTaken(left, next.slice(0, many), closed);
      return then.pools.length === many && canMeet(kinds.groups(then.counts), then.free);
    });
    const taken = withTaken(left, next.slice(0, length), closed);
    for (const pool of taken.pools) pools.push(pool);
    left = taken;
    const stuck = next[length];
    if (!stuck) return pools;
    const seat = openSeat(stuck, left.free, closed);
    if (!seat) throw new InternalError('a holder that can be met finds no pool');
    closed.set(stuck.kind, new Set(closed.get(stuck.kind)).add(seat.pool));
  }
}

interface Turn {
  readonly seats: Choice;
  readonly kind: number;
}

/** By kinds of holders the pools that would leave too little to the others. */
type Closed = Map<number, ReadonlySet<string>>;

interface Left {
  readonly free: Free;
  /** How many of each kind have had no turn. */
  readonly counts: readonly number[];
}

/** What is left when each has taken the first seat that is there, and whose pool that is; up to one that finds none. */
function withTaken(
  left: Left,
  turns: readonly Turn[],
  closed: Closed,
): Left & { readonly pools: readonly string[] } {
  const free = new Map([...left.free].map(([pool, own]) => [pool, { ...own }]));
  const counts = [...left.counts];
  const pools: string[] = [];
  for (const turn of turns) {
    const seat = openSeat(turn, free, closed);
    if (!seat) break;
    const own: Partial<Record<Family, number>> = free.get(seat.pool) ?? {};
    for (const family of seat.uses) own[family] = (own[family] ?? 0) - 1;
    counts[turn.kind] = (counts[turn.kind] ?? 0) - 1;
    pools.push(seat.pool);
  }
  return { free, counts, pools };
}

function openSeat({ seats, kind }: Turn, free: Free, closed: Closed): Seat | undefined {
  return seats.find(
    ({ pool, uses }) =>
      closed.get(kind)?.has(pool) !== true &&
      uses.every((family) => (free.get(pool)?.[family] ?? 0) > 0),
  );
}
