import type { Family } from '../../net/address.ts';
import { longest } from './longest.ts';
import { canMeet } from './meeting.ts';
import type { Group } from './seats.ts';

/** What each pool has to give, by its name: exact, however large. */
export type Stock = ReadonlyMap<string, Readonly<Record<Family, bigint>>>;

/** New holders, all alike: the families of each, and the pools that they may have them from. */
export interface Newcomers {
  readonly families: readonly Family[];
  readonly pools: readonly string[];
}

/**
 * The most newcomers that can be met beside all that wait, who can be met themselves. What a pool has left when all that
 * wait take theirs from it is the newcomers' in any case; of the rest, meeting.ts says how many.
 */
export function mostNewcomers(
  { families, pools }: Newcomers,
  waiting: readonly Group[],
  stock: Stock,
): bigint {
  const waitingCount = BigInt(waiting.reduce((sum, { count }) => sum + count, 0));
  const rest = new Map(stock);
  let sure = 0n;
  let open = 0n;
  for (const pool of pools) {
    const own = stock.get(pool);
    if (!own) continue;
    const room = families.map((family) => own[family]).reduce(least);
    const spare = room > waitingCount ? room - waitingCount : 0n;
    const less = (family: Family) => own[family] - (families.includes(family) ? spare : 0n);
    rest.set(pool, { ipv4: less('ipv4'), ipv6: less('ipv6') });
    sure += spare;
    open += room - spare;
  }
  const seats = pools.map((pool) => ({ pool, uses: families }));
  const free = numbersOf(rest);
  const more = longest(Number(open), (count) => canMeet([...waiting, { seats, count }], free));
  return sure + BigInt(more);
}

/** For {@link canMeet}: a number that is too large to be exact is enough for everybody. */
export function numbersOf(stock: Stock): ReadonlyMap<string, Readonly<Record<Family, number>>> {
  return new Map(
    [...stock].map(([pool, { ipv4, ipv6 }]) => [pool, { ipv4: Number(ipv4), ipv6: Number(ipv6) }]),
  );
}

function least(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
