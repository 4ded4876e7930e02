/**
 * The rules of the allocation once more, as plainly as they can be said: addresses listed one by one,
 * calendar by the platform, no index. Shares no code with src/core/allocate. For small pools only.
 */

import type { Allocation, AllocationTable } from '../../../src/core/model/allocation.ts';
import type { Holder } from '../../../src/core/model/holder.ts';
import type { Pool, Pools } from '../../../src/core/model/pools.ts';
import { type Address, type Family, formatAddress } from '../../../src/core/net/address.ts';

const listed = new WeakMap<Pool['ranges'], ReadonlyMap<string, Address>>();

/** All addresses of a pool by their text, reserved or not. */
export function addressesOf(pool: Pool): ReadonlyMap<string, Address> {
  const known = listed.get(pool.ranges);
  if (known) return known;
  const all = new Map<string, Address>();
  for (const { from, to } of pool.ranges) {
    for (let value = from.value; value <= to.value; value += 1n) {
      const address = { family: from.family, value };
      all.set(formatAddress(address), address);
    }
  }
  listed.set(pool.ranges, all);
  return all;
}

const servable = new WeakMap<Pool['ranges'], ReadonlyMap<string, Address>>();

/** The addresses of a pool that it may give to somebody at all. */
export function servableOf(pool: Pool): ReadonlyMap<string, Address> {
  const known = servable.get(pool.ranges);
  if (known) return known;
  const all = new Map(
    [...addressesOf(pool)].filter(([text, address]) => {
      if (pool.avoidBuggyIPs && /^[\d.]+\.(0|255)$/.test(text)) return false;
      return !pool.reserved.ranges.some(
        ({ from, to }) =>
          from.family === address.family &&
          from.value <= address.value &&
          address.value <= to.value,
      );
    }),
  );
  servable.set(pool.ranges, all);
  return all;
}

/** True when the pool may give the address to somebody at all. */
export function mayServe(pool: Pool, text: string): boolean {
  return servableOf(pool).has(text);
}

/** The pool that lists the address. */
export function poolListing(pools: Pools, text: string): Pool | undefined {
  return pools.pools.find((pool) => addressesOf(pool).has(text));
}

/** The pools a holder may have addresses of: its own, or those of its zone; only what its clusters announce. */
export function poolsOpenTo(pools: Pools, holder: Holder): readonly Pool[] {
  const open = pools.pools.filter(
    ({ clusters, advertise }) =>
      holder.clusters.every((cluster) => !clusters || clusters.includes(cluster)) &&
      (holder.clusters.length === 1 || advertise.every(({ kind }) => kind === 'bgp')),
  );
  if (holder.pool !== undefined) return open.filter(({ name }) => name === holder.pool);
  const [pin] = holder.pins;
  const pinned = pin && poolListing(pools, formatAddress(pin.address))?.zone;
  const zone = holder.zone ?? pinned ?? pools.defaultZone;
  return open.filter((pool) => pool.zone === zone);
}

const counted = new Map<string, string>();

/** The day some days later, by the platform's calendar. Random histories ask for the same ones again and again. */
export function daysAfter(day: string, count: number): string {
  const question = `${day}+${count}`;
  const known = counted.get(question);
  if (known !== undefined) return known;
  const time = Date.parse(`${day}T00:00:00Z`) + count * 86_400_000;
  const answer = new Date(time).toISOString().slice(0, 10);
  counted.set(question, answer);
  return answer;
}

/** Whether anybody but the last holder may have a recorded address on that day. */
export function isFreeForAll(record: Allocation | undefined, today: string): boolean {
  return !record || (record.released !== undefined && record.released.freeFrom <= today);
}

/** What a holder holds in a table. */
export function heldBy(table: AllocationTable, holder: string): readonly Allocation[] {
  return [...table.values()].filter((record) => !record.released && record.holder === holder);
}

/** What is kept for a holder alone after release. */
export function keptFor(table: AllocationTable, holder: string, today: string) {
  return [...table.values()].filter(
    (record) => record.released && record.holder === holder && !isFreeForAll(record, today),
  );
}

/** The addresses of a pool that anybody may have today: never held, or released and free. */
export function freeIn(
  pool: Pool,
  family: Family,
  table: AllocationTable,
  today: string,
): string[] {
  const free: string[] = [];
  for (const [text, address] of servableOf(pool)) {
    if (address.family === family && isFreeForAll(table.get(text), today)) free.push(text);
  }
  return free;
}

/** The days a holder's address of a pool is kept after release. */
export function retentionOf(holder: Holder, pool: Pool): number {
  const days = holder.claims.map((claim) => claim.retentionDays);
  return Math.max(pool.retentionDays, ...days);
}

/** True for equal hostnames, and for a name below the domain of the other one, a wildcard. */
export function isOverlap(one: string, other: string): boolean {
  return one === other || isBelow(one, other) || isBelow(other, one);
}

function isBelow(one: string, other: string): boolean {
  return other.startsWith('*.') && one.endsWith(other.slice(1));
}
