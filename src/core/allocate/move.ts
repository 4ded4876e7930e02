import { pinFor } from '../declarations/holders.ts';
import { obstacle, type PoolIndex } from '../declarations/pools/pool-index.ts';
import {
  type Allocation,
  type AllocationResult,
  type AllocationTable,
  isHeld,
  recordsByHolder,
} from '../model/allocation.ts';
import { addDays, type Day, laterDay } from '../model/day.ts';
import type { Holder } from '../model/holder.ts';
import type { Pin } from '../model/lease.ts';
import type { Problem } from '../model/problem.ts';
import { type Address, compareAddresses, type Family, formatAddress } from '../net/address.ts';
import { type AddressRange, formatRange, rangeHas } from '../net/range.ts';
import { type RangeSet, rangeSetOf, setHas } from '../net/range-set.ts';
import { namesPool, recordPlace } from '../records/held.ts';
import { releasedRecord } from '../records/records.ts';

/** A requested move of a holder to another address. */
export interface Move {
  readonly holder: string;
  /** The families to move. Families without an address are ignored. */
  readonly families: readonly Family[];
  /** The new addresses, at most one per family. The allocator chooses the others. */
  readonly to: readonly Address[];
  /** The pool of the new addresses, if one was named. */
  readonly pool: string | undefined;
  /** The run gives no new address of these ranges, and the holder does not return to one. */
  readonly outOf?: readonly AddressRange[];
  /** Ignores the pins of the vacated addresses: the caller is going to rewrite them. */
  readonly leavesPins?: boolean;
}

type Records<Name extends string> = Readonly<Record<Name, readonly Allocation[]>>;

/** The allocator's input for a run with moves. */
export interface Moving {
  readonly holders: readonly Holder[];
  /** The holders as they are declared, without the pins that are going to be rewritten. */
  readonly declared: readonly Holder[];
  /** A table in which the vacated addresses have no holder and cannot be given today. */
  readonly table: AllocationTable;
  readonly problems: readonly Problem[];
  /** The original records of the vacated addresses. */
  readonly vacated: readonly Allocation[];
  /** {@link Move.outOf} of all moves. */
  readonly avoided: RangeSet | undefined;
  /** Adds the way out to a problem of a holder that keeps its other address. */
  hinted(problem: Problem): Problem;
  /** Returns the allocator's result with both records of each move set. */
  finish(result: AllocationResult): AllocationResult;
}

/**
 * Prepares moves. A vacated address is kept for its retention, and at least until tomorrow: MetalLB
 * gives it to no other Service before it has seen the moved Service leave, and does not retry
 * waiting Services when one moves (allocator.go). Problems: PIN_MOVED where a declaration pins the
 * vacated address or another one than requested, and MOVE_REFUSED.
 */
export function beginMoves(
  index: PoolIndex,
  { holders, table }: { readonly holders: readonly Holder[]; readonly table: AllocationTable },
  moves: readonly Move[],
  today: Day,
): Moving {
  if (moves.length === 0) {
    const same = <Value>(value: Value): Value => value;
    const unmoved = { holders, declared: holders, table, problems: [], vacated: [] };
    return { ...unmoved, avoided: undefined, hinted: same, finish: same };
  }
  const avoided = rangeSetOf([...new Set(moves.flatMap(({ outOf = [] }) => outOf))]);
  const byHolder = new Map(moves.map((move) => [move.holder, move]));
  const heldBy = recordsByHolder(table, isHeld);
  const vacated: Allocation[] = [];
  // Released ones of the moving holders, in the ranges that they move out of.
  const released: Allocation[] = [];
  const kept = new Map(table);
  for (const [text, record] of table) {
    const move = byHolder.get(record.holder);
    if (!move) continue;
    if (isHeld(record) ? !isMoved(move, record) : !setHas(avoided, record.address)) continue;
    (isHeld(record) ? vacated : released).push(record);
    const own = isHeld(record) ? vacatedOn(record, today) : record;
    // Without its key, so that no signature gives it to another holder in the same run.
    kept.set(text, { ...own, holder: '', vacatedBy: record.holder, key: undefined });
  }
  const declared = withoutVacatedPins(holders, moves, vacated);
  const staying = new Set(
    holders
      .filter(({ id }) => byHolder.get(id)?.families.length === 1 && heldBy.get(id)?.[1])
      .map(({ at }) => at),
  );
  const problems: Problem[] = [];
  const moving = holders.map((holder) => {
    const move = byHolder.get(holder.id);
    if (!move) return holder;
    problems.push(...refusals(index, holder, move, heldBy.get(holder.id) ?? []));
    return movingHolder(index, holder, move, heldBy.get(holder.id) ?? []);
  });
  return {
    holders: moving,
    declared,
    table: kept,
    problems,
    vacated,
    avoided,
    hinted: (problem) =>
      staying.has(problem.at) && ofOnePool.has(problem.code)
        ? { ...problem, hint: `${problem.hint}; or ${movingBoth}` }
        : problem,
    finish: (result) => finished(result, { vacated, released }, today),
  };
}

/** Returns the holders without the pins that their moves rewrite. `records` has the addresses that they leave. */
export function withoutVacatedPins(
  holders: readonly Holder[],
  moves: readonly Move[],
  records: Iterable<Allocation>,
): readonly Holder[] {
  const leaving = new Map(moves.filter((one) => one.leavesPins).map((one) => [one.holder, one]));
  if (leaving.size === 0) return holders;
  const vacated = [...records].filter((record) => isHeld(record) && leaving.has(record.holder));
  return holders.map((holder) => {
    const move = leaving.get(holder.id);
    if (!move) return holder;
    const own = vacated.filter((record) => record.holder === holder.id);
    const pins = holder.pins.filter(
      (pin) => !own.some((record) => isVacatedPin(move, record, pin)),
    );
    return { ...holder, pins };
  });
}

function isMoved(move: Move | undefined, { address }: Allocation): boolean {
  return move?.families.includes(address.family) ?? false;
}

/** The record of an address vacated today: free after its retention, and not before tomorrow. */
export function vacatedOn(record: Allocation, today: Day): Allocation {
  const made = releasedRecord(record, today);
  const freeFrom = laterDay(addDays(today, 1), made.released?.freeFrom);
  return { ...made, released: { on: today, freeFrom } };
}

/** The holder with the requested addresses and pool. It keeps the zone of its claims. */
function movingHolder(
  index: PoolIndex,
  holder: Holder,
  move: Move,
  held: readonly Allocation[],
): Holder {
  const asked = (family: Family): Pin | undefined => {
    const address = move.to.find((to) => to.family === family);
    const pin = pinFor(holder, family);
    const isPinned = address && pin && compareAddresses(pin.address, address) === 0;
    if (address && !isPinned) return { address, at: holder.at, isMoveTarget: true };
    return pin && held.some((record) => isVacatedPin(move, record, pin)) ? undefined : pin;
  };
  return {
    ...holder,
    pins: holder.families.flatMap((family) => asked(family) ?? []),
    pool: move.pool ?? holder.pool,
    zone: holder.pool === undefined ? index.zoneOf(holder) : holder.zone,
  };
}

/** True for the pin of a vacated address that is going to be rewritten. */
function isVacatedPin(move: Move, record: Allocation, { address }: Pin): boolean {
  const isVacated = isMoved(move, record) && compareAddresses(address, record.address) === 0;
  return isVacated && move.leavesPins === true;
}

/** `held` are all held records of the holder. */
function refusals(
  index: PoolIndex,
  holder: Holder,
  move: Move,
  held: readonly Allocation[],
): Problem[] {
  const vacated = held.filter((record) => isMoved(move, record));
  const staying = held.filter(
    (record) => !vacated.includes(record) && holder.families.includes(record.address.family),
  );
  return [
    ...vacated.flatMap(
      (record) => outOfRefusal(holder, move, record) ?? pinRefusal(holder, move, record) ?? [],
    ),
    ...poolRefusal(index, holder, move, { vacated, staying }),
    ...layoutRefusal(index, holder, { vacated, staying }),
  ];
}

/** For a new address, asked for or pinned, that the move leaves to no holder. */
function outOfRefusal(holder: Holder, move: Move, record: Allocation): Problem | undefined {
  const { family } = record.address;
  const asked = move.to.find((address) => address.family === family);
  const pin = pinFor(holder, family);
  const target = asked ?? (pin && !isVacatedPin(move, record, pin) ? pin.address : undefined);
  const range = target && move.outOf?.find((one) => rangeHas(one, target));
  if (!range || compareAddresses(target, record.address) === 0) return undefined;
  const message = `${holder.id} moves out of ${formatRange(range)}, and ${formatAddress(target)} lies in it`;
  if (asked) return refused(message, record, 'name another address with --to');
  const hint = `pin another address in ${holder.at.file}, or remove the pin; or name ${formatAddress(record.address)} instead of ${formatRange(range)}`;
  return { ...refused(message, record, hint), ...(pin && { at: pin.at }) };
}

function pinRefusal(holder: Holder, move: Move, record: Allocation): Problem | undefined {
  const { to } = move;
  const { family } = record.address;
  const from = formatAddress(record.address);
  const pin = pinFor(holder, family);
  const asked = to.find((address) => address.family === family);
  if (asked && compareAddresses(asked, record.address) === 0) {
    return refused(`${holder.id} already has ${from}`, record, 'name another address');
  }
  if (!pin || isVacatedPin(move, record, pin)) return undefined;
  const isElsewhere = compareAddresses(pin.address, asked ?? pin.address) !== 0;
  const isHere = compareAddresses(pin.address, record.address) === 0;
  if (!isElsewhere && !isHere) return undefined;
  const pinned = formatAddress(pin.address);
  const wanted = asked ? formatAddress(asked) : 'the new address';
  return {
    code: 'PIN_MOVED',
    message: `${pinned} is pinned here, so ${holder.id} cannot move from ${from} to ${asked ? formatAddress(asked) : 'another one'}`,
    at: pin.at,
    also: [recordPlace(record)],
    hint: `pin ${wanted} in ${pin.at.file}, or remove the pin; then run the same command again`,
  };
}

function poolRefusal(
  index: PoolIndex,
  holder: Holder,
  { pool: name }: Move,
  { vacated: [record], staying: [other] }: Records<'vacated' | 'staying'>,
): Problem[] {
  const pool = index.named(name);
  if (!pool || !record) return [];
  const { at } = holder;
  if (!index.allows(holder, pool)) {
    const wanted =
      holder.pool === undefined ? `zone ${index.zoneOf(holder)}` : `pool ${holder.pool}`;
    const message =
      obstacle(holder, pool)?.reason ??
      `pool ${pool.name} lies in zone ${pool.zone}, but the claims of ${holder.id} want ${wanted}`;
    const hint = `change ${at.file} first, then run \`leasehold move\``;
    return [{ ...refused(message, record, hint), at }];
  }
  const staysIn = other && index.of(other.address);
  if (!staysIn || staysIn === pool) return [];
  const message = `${holder.id} keeps ${formatAddress(other.address)} of pool ${staysIn.name}, and both addresses of a holder come from one pool, not from ${pool.name}`;
  return [refused(message, record, movingBoth)];
}

/** See `namesPool`. */
function layoutRefusal(
  index: PoolIndex,
  holder: Holder,
  { vacated: [record], staying }: Records<'vacated' | 'staying'>,
): Problem[] {
  const isFirstAlone = staying.length > 0 && record?.address.family === 'ipv4';
  if (!isFirstAlone || !namesPool(index, holder)) return [];
  return [
    refused(
      `${formatAddress(record.address)} names the IPAddressPool that also has the IPv6 address of ${holder.id}, so it cannot move alone with layout: lease`,
      record,
      `${movingBoth}; or make the claims single-stack first, in a separate change`,
    ),
  ];
}

/** The problems that a holder can have because its other address decides on the pool. */
const ofOnePool: ReadonlySet<string> = new Set([
  'PIN_OUTSIDE',
  'POOL_DRAINING',
  'POOL_EXHAUSTED',
  'ZONE_FAMILY',
]);

const movingBoth = 'name both addresses of the holder, or run `leasehold move` with --family both';

function refused(message: string, record: Allocation, hint: string): Problem {
  return { code: 'MOVE_REFUSED', message, at: recordPlace(record), hint };
}

function finished(
  result: AllocationResult,
  { vacated, released }: Records<'vacated' | 'released'>,
  today: Day,
): AllocationResult {
  const table = new Map(result.table);
  for (const record of released) {
    const text = formatAddress(record.address);
    if (table.get(text)?.released) table.set(text, record);
  }
  const changes = [...result.changes];
  const heldBy = recordsByHolder(result.table, isHeld);
  for (const record of vacated) {
    const { address, holder, pool } = record;
    table.set(formatAddress(address), vacatedOn(record, today));
    changes.push({ kind: 'released', address, holder, pool });
    const fresh = heldBy.get(holder)?.find((other) => other.address.family === address.family);
    if (fresh) table.set(formatAddress(fresh.address), { ...fresh, movedFrom: address });
  }
  changes.sort((one, other) => compareAddresses(one.address, other.address));
  return { table, changes };
}
