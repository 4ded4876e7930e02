import type { PoolIndex } from '../declarations/pools/pool-index.ts';
import type { AllocationTable } from '../model/allocation.ts';
import type { Day } from '../model/day.ts';
import { groupBy } from '../model/order.ts';
import type { Problem } from '../model/problem.ts';
import { Assigner, type Assignment } from './assigner.ts';
import type { PoolOption } from './matching/contention.ts';
import { admitted, matchPools } from './matching/pool-matching.ts';
import { pinProblems } from './pins.ts';
import { type AddressRequest, isDual } from './requests.ts';
import { suppliesOf } from './supply.ts';
import { shortageProblems } from './unsatisfiable.ts';

/** The assignments, in no particular order, and a problem for each request that has none. */
export interface AssignmentResult {
  readonly assignments: readonly Assignment[];
  readonly problems: readonly Problem[];
}

/**
 * Assigns addresses so that every request is met whenever all can be met: first pins, which have no
 * choice; then requests with a single pool, which is named or is that of the holder's other
 * address; then the requests of each zone, by {@link assignZone}. `requests` are in the order of
 * holder ids. With a pin problem, requests with pins get nothing, so that a shortage reported
 * beside it is real.
 */
export function assignAddresses(
  index: PoolIndex,
  requests: readonly AddressRequest[],
  table: AllocationTable,
  today: Day,
): AssignmentResult {
  const pinned = pinProblems(index, requests, table, today);
  const valid =
    pinned.length > 0 ? requests.filter((request) => request.pins.length === 0) : requests;
  const assigner = new Assigner(index, suppliesOf(index, table, today));
  for (const request of valid) assigner.assignPins(request);
  const open = valid.filter((request) => request.families.length > 0);
  const bound = open.filter((request) => request.pools.length === 1);
  const unmet = [
    ...bound.filter((request) => !assigner.assign(request)),
    ...zonesOf(open.filter((request) => request.pools.length !== 1)).flatMap((zone) =>
      assignZone(assigner, zone),
    ),
  ];
  const short = shortageProblems(unmet, assigner.supplies);
  return { assignments: assigner.assignments, problems: [...pinned, ...short] };
}

/** Groups requests by zone: all pools of a request lie in one zone. */
function zonesOf(requests: readonly AddressRequest[]): readonly (readonly AddressRequest[])[] {
  const zones = groupBy(requests, (request) => request.pools[0]?.zone ?? '');
  return [...zones.values()];
}

/**
 * Assigns addresses to the requests of one zone, in the order of holder ids. Returns the requests
 * that cannot be met. If all can be met, all are. Otherwise each request is admitted if it can be
 * met together with those admitted before it, in this order: holders with a retained address,
 * dual-stack requests, single-stack requests.
 *
 * If all requests may use the same pools:
 *
 * 1. Holders return to their retained addresses, and a dual-stack holder takes its second family
 *    from that pool while one is free there. This never makes another request impossible: another
 *    request that wanted that second address can have the one that the holder would have taken
 *    elsewhere. For holders with several pools to return to, {@link matchPools} finds the one that
 *    leaves enough for the others.
 * 2. Each dual-stack request uses an address of both families of one pool. Which pool does not
 *    change how many requests can still be met.
 * 3. Each remaining request takes any free address of the zone.
 *
 * Otherwise {@link matchPools} chooses the pools. Requests that may take two addresses choose
 * first, those with the fewest pools before the others.
 */
function assignZone(
  assigner: Assigner,
  requests: readonly AddressRequest[],
): readonly AddressRequest[] {
  const [returning, others] = split(
    requests,
    (request) => assigner.returnOptions(request).length > 0,
  );
  const queue = [...returning, ...dualFirst(others)];
  const options = queue.map((request) => assigner.options(request));
  const met = admitted(options, assigner.freeOf(requests));
  const [served, unmet] = split(queue, (_, place) => met.has(place));
  const isServed = new Set(served);
  const open = requests.filter((request) => isServed.has(request));
  const missed = areAlike(requests) ? assignAlike(assigner, open) : assignMatched(assigner, open);
  return [...unmet, ...missed];
}

/** True when all requests have the same pools to choose from. */
function areAlike(requests: readonly AddressRequest[]): boolean {
  return new Set(requests.map(({ pools }) => pools.map(({ name }) => name).join())).size < 2;
}

function assignAlike(
  assigner: Assigner,
  requests: readonly AddressRequest[],
): readonly AddressRequest[] {
  const [several, single] = split(
    requests,
    (request) => assigner.returnOptions(request).length > 1,
  );
  const others = single.filter(
    (request) => !assigner.assignOption(request, assigner.returnOptions(request)[0]),
  );
  const back = several.length > 0 ? assignReturning(assigner, several, others) : [];
  return dualFirst([...back, ...others]).filter((request) => !assigner.assign(request));
}

/**
 * Assigns to holders that can return to several pools. Returns those that found none of them open.
 */
function assignReturning(
  assigner: Assigner,
  several: readonly AddressRequest[],
  others: readonly AddressRequest[],
): readonly AddressRequest[] {
  const pools = matchPools(
    several.map((request) => assigner.options(request)),
    others.map((request) => assigner.options(request)),
    assigner.freeOf([...several, ...others]),
  );
  return several.filter((request, place) => {
    const option = assigner.returnOptions(request).find(({ pool }) => pool === pools?.[place]);
    return !assigner.assignOption(request, option);
  });
}

function assignMatched(
  assigner: Assigner,
  requests: readonly AddressRequest[],
): readonly AddressRequest[] {
  const choices = requests.map((request) => ({
    request,
    options: assigner.rankedOptions(request),
  }));
  const [simple, complex] = split(choices, ({ options }) => isSimple(options));
  const turns = [
    ...complex.sort((left, right) => left.options.length - right.options.length),
    ...simple,
  ];
  const pools = matchPools(
    turns.map(({ options }) => options),
    [],
    assigner.freeOf(requests),
  );
  const chosen = new Map(
    turns.map(({ request, options }, place) => [
      request,
      options.find(({ pool }) => pool === pools?.[place]),
    ]),
  );
  return requests.filter((request) => !assigner.assignOption(request, chosen.get(request)));
}

/** True when each option takes one address, of the same family. */
function isSimple(options: readonly PoolOption[]): boolean {
  const [first] = options;
  return options.every(({ uses }) => uses.length === 1 && uses[0] === first?.uses[0]);
}

function dualFirst(requests: readonly AddressRequest[]): readonly AddressRequest[] {
  return split(requests, isDual).flat();
}

function split<Item>(
  items: readonly Item[],
  test: (item: Item, place: number) => boolean,
): [Item[], Item[]] {
  const passed = items.map(test);
  return [items.filter((_, place) => passed[place]), items.filter((_, place) => !passed[place])];
}
