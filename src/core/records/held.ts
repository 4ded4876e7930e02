import { pinFor } from '../declarations/holders.ts';
import { obstacle, type PoolIndex, reservation } from '../declarations/pools/pool-index.ts';
import {
  type Allocation,
  type AllocationTable,
  isHeld,
  recordsByHolder,
} from '../model/allocation.ts';
import type { ProblemCode } from '../model/codes/problem-codes.ts';
import { type Holder, purposeText } from '../model/holder.ts';
import type { Pin } from '../model/lease.ts';
import { compareText } from '../model/order.ts';
import { moveHint, type Problem, startOf } from '../model/problem.ts';
import { allocationsFolder } from '../model/repository-paths.ts';
import {
  type Address,
  byAddress,
  compareAddresses,
  type Family,
  formatAddress,
} from '../net/address.ts';
import { type AddressRange, formatShortRange } from '../net/range.ts';

/** The addresses that a holder keeps and the families that it lacks. */
export interface HolderStatus {
  readonly holder: Holder;
  readonly kept: ReadonlyMap<Family, Allocation>;
  /** IPv4 first. */
  readonly lacks: readonly Family[];
}

/** The committed table compared with the declared holders. */
export interface TableCheck {
  /** In the order of the holders' ids. */
  readonly statuses: readonly HolderStatus[];
  /** Held addresses whose claims were removed, sorted by address. */
  readonly gone: readonly Allocation[];
  readonly problems: readonly Problem[];
}

/**
 * Checks the committed table against the declared holders. A held address stays with its holder or
 * is a problem: HOLDER_SPLIT for two of one family, ADDRESS_STRANDED if the pools or the claims no
 * longer allow it, PIN_MOVED if another address is pinned. An address never moves by itself.
 */
export function checkTable(
  index: PoolIndex,
  holders: readonly Holder[],
  table: AllocationTable,
): TableCheck {
  const problems: Problem[] = [];
  const heldBy = recordsByHolder(table, isHeld);
  const gone: Allocation[] = [];
  const misplaced: Misplaced[] = [];
  const pairs: Pair[] = [];
  const byId = [...holders].sort((left, right) => compareText(left.id, right.id));
  const statuses = byId.map((holder) => {
    const records = heldBy.get(holder.id) ?? [];
    heldBy.delete(holder.id);
    const kept = new Map<Family, Allocation>();
    for (const record of records.sort(byAddress)) {
      const { family } = record.address;
      const other = kept.get(family);
      if (!holder.families.includes(family)) gone.push(record);
      else if (other) problems.push(split(record, other));
      else {
        kept.set(family, record);
        misplaced.push(...misplacedIn(index, holder, record));
      }
    }
    const [first, second] = kept.values();
    if (first && second && isScattered(index, [first, second])) pairs.push([first, second]);
    return { holder, kept, lacks: holder.families.filter((family) => !kept.has(family)) };
  });
  for (const records of heldBy.values()) gone.push(...records);
  gone.sort(byAddress);
  const leaving = new Set([
    ...misplaced.map(({ record }) => record),
    ...pairs.map(([first]) => first),
  ]);
  for (const { holder, kept } of statuses) {
    const [first, second] = kept.values();
    if (first && second && leaving.has(first) && namesPool(index, holder)) leaving.add(second);
  }
  const moving = movingOf([...leaving].sort(byAddress), table);
  problems.push(...pairs.map((pair) => scattered(index, pair, moving)));
  const stays = (record: Allocation) => isHeld(record) && !leaving.has(record);
  for (const one of misplaced) {
    const pinned =
      typeof one.why === 'string' ? undefined : table.get(formatAddress(one.why.address));
    const other = pinned && stays(pinned) ? pinned : undefined;
    problems.push(misplacedProblem(index, { ...one, other }, moving));
  }
  return { statuses, gone, problems };
}

/**
 * True when the IPv4 address of a holder names the IPAddressPool of both, as with `layout: lease`.
 * MetalLB refuses the new pool while the old one has the IPv6 address (config.go poolsFor), so the
 * IPv4 address cannot move alone.
 */
export function namesPool({ pools }: PoolIndex, { clusters }: Holder): boolean {
  return pools.clusters.some(
    ({ name, plane }) => clusters.includes(name) && plane.layout === 'lease',
  );
}

/** The place of a record: its file, or the allocations folder for a record of this run. */
export function recordPlace(record: Allocation): Problem['at'] {
  return record.at ?? startOf(`${allocationsFolder}/${formatAddress(record.address)}`);
}

/** A problem at the place of a record. The message begins with its address. */
export function recordProblem(
  code: ProblemCode,
  record: Allocation,
  message: string,
  hint?: string,
): Problem {
  return {
    code,
    message: `${formatAddress(record.address)} ${message}`,
    at: recordPlace(record),
    ...(hint === undefined ? {} : { hint }),
  };
}

/** The most addresses that a hint names one by one. */
const mostNamed = 8;

/** The addresses to exchange for others: all must be moved in one run, or it fails again. */
interface Moving {
  readonly moved: string;
  readonly isOne: boolean;
}

/** `records` in the order of the addresses. */
export function movingOf(records: readonly Allocation[], table: AllocationTable): Moving {
  const named =
    records.length > mostNamed
      ? rangesOf(records, table)
      : records.map(({ address }) => ({ from: address, to: address }));
  return { moved: named.map(formatShortRange).join(' '), isOne: records.length === 1 };
}

/** The fewest ranges that contain the addresses of these records, and no other held address. */
function rangesOf(records: readonly Allocation[], table: AllocationTable): AddressRange[] {
  const own = new Set(records);
  const ranges: AddressRange[] = [];
  let last: Allocation | undefined;
  for (const record of [...table.values()].filter(isHeld).sort(byAddress)) {
    if (own.has(record)) {
      const range = last?.address.family === record.address.family ? ranges.pop() : undefined;
      ranges.push({ from: range?.from ?? record.address, to: record.address });
    }
    last = own.has(record) ? record : undefined;
  }
  return ranges;
}

/** A held address that its holder cannot keep: another one is pinned, or there is a reason. */
interface Misplaced {
  readonly holder: Holder;
  readonly record: Allocation;
  readonly why: Pin | string;
  /** The record of the pinned address when another holder keeps it. */
  readonly other?: Allocation | undefined;
}

function misplacedIn(index: PoolIndex, holder: Holder, record: Allocation): Misplaced[] {
  const pin = pinFor(holder, record.address.family);
  const isMoved = pin && compareAddresses(pin.address, record.address) !== 0;
  const why = isMoved ? pin : strandedBy(index, holder, record.address);
  return why === undefined ? [] : [{ holder, record, why }];
}

/** PIN_MOVED or ADDRESS_STRANDED. */
function misplacedProblem(
  index: PoolIndex,
  { holder, record, why, other }: Misplaced,
  moving: Moving,
): Problem {
  const address = formatAddress(record.address);
  if (typeof why === 'string') {
    return {
      code: 'ADDRESS_STRANDED',
      message: `${address} is held by ${record.holder} (${purposeText(holder)}), but ${why}`,
      at: recordPlace(record),
      also: [holder.at],
      ...givingHint(`${keepingText(index, holder, record)}${undoing(index, record)}`, moving),
    };
  }
  return {
    code: 'PIN_MOVED',
    message: `${formatAddress(why.address)} is pinned, but ${record.holder} has ${address}`,
    at: why.at,
    also: [recordPlace(record), ...(other ? [recordPlace(other)] : [])],
    ...(other ? heldPinHint(record, other) : pinHint(index, record, why, moving)),
  };
}

/** Nothing moves to an address that another holder keeps. */
function heldPinHint({ address }: Allocation, other: Allocation): Pick<Problem, 'hint'> {
  const [from, to] = [formatAddress(address), formatAddress(other.address)];
  return {
    hint: `${to} is held by ${other.holder}: pin ${from} or remove the pin; once ${to} is free, \`leasehold move ${from} --to ${to}\` takes it`,
  };
}

/**
 * Nothing moves to an address in no pool, or to one that its pool never gives. When it has one, the branch may have moved it already. A
 * move of several holders takes each to its pin, and a move of one fails. Who pins the address from
 * which the holder was moved usually wants to keep what it has now.
 */
function pinHint(
  index: PoolIndex,
  record: Allocation,
  pin: Pin,
  { moved, isOne }: Moving,
): Pick<Problem, 'hint' | 'move'> {
  const from = formatAddress(record.address);
  const to = formatAddress(pin.address);
  const keeping = `to keep ${from}, pin it or remove the pin`;
  const command = { keeping, moved: isOne ? `${moved} --to ${to}` : moved };
  const pool = index.of(pin.address);
  const reserved = pool && reservation(pool, pin.address);
  if (reserved !== undefined) return { hint: `${reserved}; ${keeping}` };
  const add = pool ? '' : `add ${to} to a pool and commit leases/pools.yaml, then `;
  if (record.movedFrom && compareAddresses(record.movedFrom, pin.address) === 0) {
    const before = `${record.holder} was moved from ${to}: ${keeping}; to move it back, ${add}`;
    return moveHint({ ...command, before });
  }
  return moveHint(
    add === ''
      ? { ...command, before: 'an address never moves by an edit: ', after: `; ${keeping}` }
      : { keeping, before: `${keeping}; or ${add}run \`leasehold synth\`` },
  );
}

/** How a holder keeps an address that is in another zone or pool than it requests. */
function keepingText(index: PoolIndex, holder: Holder, { address }: Allocation): string {
  const pool = index.of(address);
  if (!pool || index.isWanted(holder, pool)) return '';
  const place = holder.pool === undefined ? `zone ${pool.zone}` : `pool ${pool.name}`;
  return `to keep it, request ${place} in ${holder.at.file}; or `;
}

/** An address that a holder was moved to has a pool where the move was made. */
function undoing(index: PoolIndex, { address, movedFrom }: Allocation): string {
  if (movedFrom === undefined || index.of(address)) return 'undo the change';
  return `undo the change or commit leases/pools.yaml with the pool of ${formatAddress(address)} if that was left out`;
}

function strandedBy(index: PoolIndex, holder: Holder, address: Address): string | undefined {
  const pool = index.of(address);
  if (!pool) return 'it is no longer in a pool';
  const reserved = reservation(pool, address);
  if (reserved !== undefined) return reserved;
  if (index.isWanted(holder, pool)) return obstacle(holder, pool)?.reason;
  return holder.pool === undefined
    ? `its claims request zone ${index.zoneOf(holder)}, and pool ${pool.name} is in zone ${pool.zone}`
    : `its claims request pool ${holder.pool}, and it is in pool ${pool.name}`;
}

/** The two addresses of a holder. */
type Pair = readonly [Allocation, Allocation];

/** True when the pools have separated two addresses. */
function isScattered(index: PoolIndex, pair: Pair): boolean {
  const [one, other] = pair.map(({ address }) => index.of(address));
  return one !== undefined && other !== undefined && one.name !== other.name;
}

function scattered(index: PoolIndex, [first, second]: Pair, moving: Moving): Problem {
  const inPool = ({ address }: Allocation): string =>
    `${formatAddress(address)} in pool ${index.of(address)?.name}`;
  return {
    code: 'ADDRESS_STRANDED',
    message: `${first.holder} has ${inPool(first)} and ${inPool(second)}, but both must be in one pool`,
    at: recordPlace(second),
    also: [recordPlace(first)],
    ...givingHint('undo the change to the pools', moving),
  };
}

function givingHint(otherwise: string, { moved, isOne }: Moving): Pick<Problem, 'hint' | 'move'> {
  const words = isOne ? 'it another address' : 'them other addresses';
  return moveHint({ before: `${otherwise}, or give ${words}: `, moved });
}

function split(record: Allocation, other: Allocation): Problem {
  return {
    code: 'HOLDER_SPLIT',
    message: `${record.holder} has ${formatAddress(record.address)} and ${formatAddress(other.address)}, but a holder has one address per family`,
    at: recordPlace(record),
    also: [recordPlace(other)],
    hint: 'during a merge, or after one, run `leasehold resolve`; otherwise remove the one that is not on the target branch with `git rm` (rm, if it was never added), then run `leasehold synth`',
  };
}
