/**
 * How many new holders find an address beside those that wait. Where all that wait have the same pools to choose from,
 * it is a difference; else who waits may make room by going to another pool, which the allocator's own search
 * (seating.ts) finds out: as many new holders as it can still seat.
 */

import { type Seat, seating } from '../../allocate/seating.ts';
import type { Family } from '../../net/address.ts';
import { countedAlike, type Newcomers, roomFor, type Stock } from './alike-takes.ts';
import type { WaitingTake } from './pending-takes.ts';

/** With more new holders than that the search takes too long, and the count is rather too low. */
const mostSearched = 120;

/** What a search counts as without end. */
const plenty = 1_000_000n;

/**
 * The most new holders that can be met with all that wait in their zone. When those cannot be met themselves, nobody
 * gets anything of the families that they lack: synth would refuse them all.
 */
export function mostPromised(
  newcomers: Newcomers,
  waiting: readonly WaitingTake[],
  stock: Stock,
): bigint {
  const { families, pools } = newcomers;
  const all = sumOf(pools, (name) => roomFor(stock, name, families));
  if (waiting.length === 0) return all;
  const counted = countedAlike(newcomers, waiting, stock);
  const seats = waiting.map((take) => take.seats);
  const isMet = counted === undefined && seating(seats, numbersOf(stock)) !== undefined;
  if (counted === 'unmet' || (counted === undefined && !isMet)) {
    const lacked = new Set(waiting.flatMap((take) => take.families));
    return families.some((family) => lacked.has(family)) ? 0n : all;
  }
  if (counted !== undefined) return counted;
  const touching = BigInt(
    seats.filter((own) => own.some((seat) => touches(seat, newcomers))).length,
  );
  const isForced = seats.every(
    (own) =>
      own.every((seat) => touches(seat, newcomers)) ||
      !own.some((seat) => touches(seat, newcomers)),
  );
  if (families.length === 1 && isForced) return all - touching;
  return searched(newcomers, seats, stock) ?? largest(0n, all - touching);
}

/** Where a pool has plenty, what nobody who waits can need goes to new holders; of the rest the search finds how many. */
function searched(
  { families, pools }: Newcomers,
  waiting: readonly (readonly Seat[])[],
  stock: Stock,
): bigint | undefined {
  const most = BigInt(waiting.length);
  const sure = (name: string) => largest(0n, roomFor(stock, name, families) - most);
  const rest = new Map(stock);
  for (const name of pools) {
    const own = stock.get(name);
    if (!own) continue;
    const less = (family: Family) => own[family] - (families.includes(family) ? sure(name) : 0n);
    rest.set(name, { ipv4: less('ipv4'), ipv6: less('ipv6') });
  }
  const open = Number(sumOf(pools, (name) => roomFor(rest, name, families)));
  if (open > mostSearched) return undefined;
  const free = numbersOf(rest);
  const seats = pools.map((pool) => ({ pool, uses: families }));
  const canSeat = (count: number) =>
    seating([...waiting, ...Array.from({ length: count }, () => seats)], free) !== undefined;
  let low = 0;
  let high = open + 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (canSeat(middle)) low = middle;
    else high = middle;
  }
  return BigInt(low) + sumOf(pools, sure);
}

function touches({ pool, uses }: Seat, { families, pools }: Newcomers): boolean {
  return pools.includes(pool) && uses.some((family) => families.includes(family));
}

function numbersOf(stock: Stock): ReadonlyMap<string, Readonly<Record<Family, number>>> {
  const number = (count: bigint) => Number(count < plenty ? count : plenty);
  return new Map(
    [...stock].map(([name, { ipv4, ipv6 }]) => [name, { ipv4: number(ipv4), ipv6: number(ipv6) }]),
  );
}

function sumOf(pools: readonly string[], count: (pool: string) => bigint): bigint {
  return pools.reduce((sum, pool) => sum + count(pool), 0n);
}

function largest(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
