import type { PoolIndex } from '../declarations/pools/pool-index.ts';
import { groupBy } from '../model/order.ts';
import type { Problem } from '../model/problem.ts';
import { Assigner, type Assignment } from './assigner.ts';
import type { PoolOption } from './matching/contention.ts';
import { admitted, matchPools } from './matching/pool-matching.ts';
import { type AddressNeed, isDual } from './needs.ts';
import { pinProblems } from './pins.ts';
import { type SupplyInput, suppliesOf } from './supply.ts';
import { type ShortRun, shortageProblems } from './unsatisfiable.ts';

/** The assignments, in no particular order, and a problem for each need that has none. */
export interface AssignmentResult {
  readonly assignments: readonly Assignment[];
  readonly problems: readonly Problem[];
}

/**
 * Assigns addresses so that every need is met whenever all can be met: first pins, which have no
 * choice; then needs with a single pool, which is named or is that of the holder's other
 * address; then the needs of each zone, by {@link assignZone}. `needs` are in the order of
 * holder ids. With a pin problem, needs with pins get nothing, so that a shortage reported
 * beside it is real. An avoided address is given only to a holder that pins it or returns to it.
 */
export function assignAddresses(
  index: PoolIndex,
  needs: readonly AddressNeed[],
  input: SupplyInput & Pick<ShortRun, 'releasing'>,
): AssignmentResult {
  if (needs.length === 0) return { assignments: [], problems: [] };
  const pinned = pinProblems(index, needs, input.table, input.today);
  const valid = pinned.length > 0 ? needs.filter((need) => need.pins.length === 0) : needs;
  const assigner = new Assigner(index, suppliesOf(index, input));
  for (const need of valid) assigner.assignPins(need);
  const open = valid.filter((need) => need.families.length > 0);
  const bound = open.filter((need) => need.pools.length === 1);
  const unmet = [
    ...bound.filter((need) => !assigner.assign(need)),
    ...zonesOf(open.filter((need) => need.pools.length !== 1)).flatMap((zone) =>
      assignZone(assigner, zone),
    ),
  ];
  const short = unmet.length === 0 ? [] : shortageProblems(unmet, { index, needs, ...input });
  return { assignments: assigner.assignments, problems: [...pinned, ...short] };
}

/** Groups needs by zone: all pools of a need lie in one zone. */
function zonesOf(needs: readonly AddressNeed[]): readonly (readonly AddressNeed[])[] {
  const zones = groupBy(needs, (need) => need.pools[0]?.zone ?? '');
  return [...zones.values()];
}

/**
 * Assigns addresses to the needs of one zone, in the order of holder ids. Returns the needs
 * that cannot be met. If all can be met, all are. Otherwise each need is admitted if it can be
 * met together with those admitted before it, in this order: holders with a retained address,
 * dual-stack needs, single-stack needs.
 *
 * If all needs may use the same pools:
 *
 * 1. Holders return to their retained addresses, and a dual-stack holder takes its second family
 *    from that pool while one is free there. This never makes another need impossible: another
 *    need that wanted that second address can have the one that the holder would have taken
 *    elsewhere. For holders with several pools to return to, {@link matchPools} finds the one that
 *    leaves enough for the others.
 * 2. Each dual-stack need uses an address of both families of one pool. Which pool does not
 *    change how many needs can still be met.
 * 3. Each remaining need takes any free address of the zone.
 *
 * Otherwise {@link matchPools} chooses the pools. Needs that may take two addresses choose
 * first, those with the fewest pools before the others.
 */
function assignZone(assigner: Assigner, needs: readonly AddressNeed[]): readonly AddressNeed[] {
  const [returning, others] = split(needs, (need) => assigner.returnOptions(need).length > 0);
  const queue = [...returning, ...dualFirst(others)];
  const options = queue.map((need) => assigner.options(need));
  const met = admitted(options, assigner.freeOf(needs));
  const [served, unmet] = split(queue, (_, place) => met.has(place));
  const isServed = new Set(served);
  const open = needs.filter((need) => isServed.has(need));
  const missed = areAlike(needs) ? assignAlike(assigner, open) : assignMatched(assigner, open);
  return [...unmet, ...missed];
}

/** True when all needs have the same pools to choose from. */
function areAlike(needs: readonly AddressNeed[]): boolean {
  return new Set(needs.map(({ pools }) => pools.map(({ name }) => name).join())).size < 2;
}

function assignAlike(assigner: Assigner, needs: readonly AddressNeed[]): readonly AddressNeed[] {
  const [several, single] = split(needs, (need) => assigner.returnOptions(need).length > 1);
  const others = single.filter(
    (need) => !assigner.assignOption(need, assigner.returnOptions(need)[0]),
  );
  const back = several.length > 0 ? assignReturning(assigner, several, others) : [];
  return dualFirst([...back, ...others]).filter((need) => !assigner.assign(need));
}

/**
 * Assigns to holders that can return to several pools. Returns those that found none of them open.
 */
function assignReturning(
  assigner: Assigner,
  several: readonly AddressNeed[],
  others: readonly AddressNeed[],
): readonly AddressNeed[] {
  const pools = matchPools(
    several.map((need) => assigner.options(need)),
    others.map((need) => assigner.options(need)),
    assigner.freeOf([...several, ...others]),
  );
  return several.filter((need, place) => {
    const option = assigner.returnOptions(need).find(({ pool }) => pool === pools?.[place]);
    return !assigner.assignOption(need, option);
  });
}

function assignMatched(assigner: Assigner, needs: readonly AddressNeed[]): readonly AddressNeed[] {
  const choices = needs.map((need) => ({
    need,
    options: assigner.rankedOptions(need),
  }));
  const [simple, complex] = split(choices, ({ options }) => isSimple(options));
  const turns = [
    ...complex.sort((left, right) => left.options.length - right.options.length),
    ...simple,
  ];
  const pools = matchPools(
    turns.map(({ options }) => options),
    [],
    assigner.freeOf(needs),
  );
  const chosen = new Map(
    turns.map(({ need, options }, place) => [
      need,
      options.find(({ pool }) => pool === pools?.[place]),
    ]),
  );
  return needs.filter((need) => !assigner.assignOption(need, chosen.get(need)));
}

/** True when each option takes one address, of the same family. */
function isSimple(options: readonly PoolOption[]): boolean {
  const [first] = options;
  return options.every(({ uses }) => uses.length === 1 && uses[0] === first?.uses[0]);
}

function dualFirst(needs: readonly AddressNeed[]): readonly AddressNeed[] {
  return split(needs, isDual).flat();
}

function split<Item>(
  items: readonly Item[],
  test: (item: Item, place: number) => boolean,
): [Item[], Item[]] {
  const passed = items.map(test);
  return [items.filter((_, place) => passed[place]), items.filter((_, place) => !passed[place])];
}
