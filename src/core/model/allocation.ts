import { type Address, compareAddresses, formatAddress } from '../net/address.ts';
import type { Day } from './day.ts';
import { groupBy } from './order.ts';
import type { Position } from './problem.ts';

/** Who has an address or a hostname, and until when it is kept for its holder after release. */
export interface Tenure {
  /** The holder; after release, the last one. */
  readonly holder: string;
  /** The day the holder got it. */
  readonly since: Day;
  /** Whole days that it is kept for its holder after release. */
  readonly retain: number;
  /** It is not free before this day: a longer retention that applied before. */
  readonly keepUntil: Day | undefined;
  /** Set once it is released. From `freeFrom` on it is free for any holder. */
  readonly released: Release | undefined;
  /** The file of the record; undefined for a record of this run. */
  readonly at: Position | undefined;
}

/** The release of an address or a hostname. */
interface Release {
  readonly on: Day;
  readonly freeFrom: Day;
  /** True when a person confirmed this release among many: see {@link isMassLoss}. Decides nothing else. */
  readonly confirmed?: true | undefined;
}

/** The record of one address: a file under `leases/allocations/`. */
export interface Allocation extends Tenure {
  readonly address: Address;
  /** The declared pool that the address was allocated from. */
  readonly pool: string;
  /**
   * The owner's public key in base64url. Another holder needs a signature of it to get the address.
   */
  readonly key: string | undefined;
  /**
   * How often a signature changed the holder or the key. A signature is valid for one generation.
   */
  readonly generation: number;
  /**
   * True while the address is held with a key by more than one Service. A Service that leaves keeps
   * its retention.
   */
  readonly shared: boolean;
  /** True while the holder has a promise and no lease. */
  readonly promised: boolean;
  /** The address that the holder had before `leasehold move` gave it this one. */
  readonly movedFrom: Address | undefined;
  /** Who moves away from the address in this run, in which it has no other holder. */
  readonly vacatedBy?: string;
}

/** The records by the canonical text of their address. */
export type AllocationTable = ReadonlyMap<string, Allocation>;

/**
 * When a released address is free for others. Phrases: `free from 2026-12-07`, or until when it is
 * kept and why no new holder gets it after that.
 */
export function freePhrases(freeFrom: string, withheld: string | undefined): readonly string[] {
  return withheld === undefined ? [`free from ${freeFrom}`] : [`kept until ${freeFrom}`, withheld];
}

/** {@link freePhrases} as a sentence about an address or a hostname. */
export function freeSentence(name: string, freeFrom: string, withheld?: string): string {
  return withheld === undefined
    ? `${name} is free for others from ${freeFrom}`
    : `${name} is kept until ${freeFrom}; no new holder gets it: ${withheld}`;
}

/** True while the holder has the address or hostname; false once it is released. */
export function isHeld({ released }: Tenure): boolean {
  return released === undefined;
}

/** Returns how many addresses or hostnames of a table are held. */
export function heldCount(table: ReadonlyMap<string, Tenure>): number {
  let count = 0;
  for (const record of table.values()) if (isHeld(record)) count += 1;
  return count;
}

/** True for a loss of more than 10 % of what there was, and of more than 3. A person must confirm it. */
export function isMassLoss(lost: number, before: number): boolean {
  return lost > Math.max(3, Math.floor(before / 10));
}

/** True when two records have one holder and the same days; their release may be confirmed in one only. */
export function isSameTenure(left: Tenure, right: Tenure): boolean {
  return (
    left.holder === right.holder &&
    left.since === right.since &&
    left.retain === right.retain &&
    left.keepUntil === right.keepUntil &&
    left.released?.on === right.released?.on &&
    left.released?.freeFrom === right.released?.freeFrom
  );
}

/**
 * True when two records are equal, apart from their places and the confirmation of a release, and
 * when both are missing.
 */
export function isSameAllocation(
  left: Allocation | undefined,
  right: Allocation | undefined,
): boolean {
  if (left === right) return true;
  if (!left || !right) return false;
  return (
    compareAddresses(left.address, right.address) === 0 &&
    left.pool === right.pool &&
    isSameTenure(left, right) &&
    left.key === right.key &&
    left.generation === right.generation &&
    left.shared === right.shared &&
    left.promised === right.promised &&
    isSameAddress(left.movedFrom, right.movedFrom)
  );
}

/** True when two tables have equal records. */
export function isSameTable(left: AllocationTable, right: AllocationTable): boolean {
  return (
    left.size === right.size &&
    [...left].every(([address, record]) => isSameAllocation(record, right.get(address)))
  );
}

function isSameAddress(left: Address | undefined, right: Address | undefined): boolean {
  return left && right ? compareAddresses(left, right) === 0 : left === right;
}

/** The records that pass a test, by holder, in the order of the table. */
export function recordsByHolder(
  table: AllocationTable,
  test: (record: Allocation) => boolean,
): Map<string, Allocation[]> {
  return groupBy([...table.values()].filter(test), ({ holder }) => holder);
}

/** The addresses that a holder holds, IPv4 first. */
export function addressesHeldBy(table: AllocationTable, holder: string): readonly Address[] {
  return [...table.values()]
    .filter((record) => record.holder === holder && isHeld(record))
    .map(({ address }) => address)
    .sort(compareAddresses);
}

/** True when a released address or hostname is free for any holder on a day. */
export function isFree({ released }: Tenure, today: Day): boolean {
  return released !== undefined && released.freeFrom <= today;
}

/** A change that a run makes to one address. */
export interface Change {
  readonly kind: 'allocated' | 'released' | 'reclaimed' | 'updated' | 'removed';
  readonly address: Address;
  readonly holder: string;
  readonly pool: string;
}

/** The word for the change of a record. */
export function changeKind(before: Tenure | undefined, after: Tenure | undefined): Change['kind'] {
  if (!after) return 'removed';
  const isOwn = before?.holder === after.holder;
  const wasHeld = before !== undefined && isHeld(before);
  if (!isHeld(after)) return isOwn && wasHeld ? 'released' : 'updated';
  if (!isOwn) return 'allocated';
  return wasHeld ? 'updated' : 'reclaimed';
}

/** A new table and its changes, in the order of addresses. */
export interface AllocationResult {
  readonly table: AllocationTable;
  readonly changes: readonly Change[];
}

/**
 * The addresses that the holder of a record was moved from by `leasehold move`, the latest first.
 * Follows the records of the addresses in between. The address of the record is none of them, even
 * if the holder was moved away from it and back.
 */
export function moveOrigins(table: AllocationTable, record: Allocation): readonly string[] {
  const own = formatAddress(record.address);
  const passed: string[] = [];
  let last: Allocation | undefined = record;
  while (last?.movedFrom && last.holder === record.holder) {
    const from: string = formatAddress(last.movedFrom);
    if (from === own || passed.includes(from)) break;
    passed.push(from);
    last = table.get(from);
  }
  return passed;
}

/** True when the holder of `to` was moved there from `from`, also over other addresses. */
export function wasMoved(table: AllocationTable, from: string, to: string): boolean {
  const record = table.get(to);
  return record !== undefined && isHeld(record) && moveOrigins(table, record).includes(from);
}

/** The addresses that holders were moved away from, each as `holder address`. */
export function vacatedIn(table: AllocationTable): ReadonlySet<string> {
  return new Set(
    [...table.values()]
      .filter((record) => isHeld(record) && record.movedFrom)
      .flatMap((record) => moveOrigins(table, record).map((from) => `${record.holder} ${from}`)),
  );
}

/**
 * Returns the owner whose quota a holder counts for: the Akash account, over all clusters, or
 * `<cluster>/<namespace>` of Services. Undefined for an anycast group, which an operator declares.
 */
export function ownerOf(holder: string): string | undefined {
  const [cluster = '', kind, name = ''] = holder.split('/');
  if (cluster === 'anycast') return undefined;
  return kind === 'akash' ? name.replace(/-ip-.*$/, '') : `${cluster}/${name}`;
}
