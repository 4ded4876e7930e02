import type { Family } from '../../net/address.ts';
import type { FlowSource } from './flow.ts';

/** A pool that could give a holder all that it lacks. */
export interface PoolOption {
  readonly pool: string;
  /** The families in which it takes a free address. Empty if all is retained for it there. */
  readonly uses: readonly Family[];
}

/**
 * How many addresses each pool can still give, by pool name. Numbers too large to be exact suffice.
 */
export type FreeCounts = ReadonlyMap<string, Readonly<Record<Family, number>>>;

/** A number of holders with the same options, each of which takes one. */
export interface HolderGroup {
  readonly options: readonly PoolOption[];
  readonly count: number;
}

/** Numbers the kinds of holders. Holders with the same options, in any order, are of one kind. */
export class HolderKinds {
  readonly #numbers = new Map<string, number>();
  readonly #options: (readonly PoolOption[])[] = [];

  of(options: readonly PoolOption[]): number {
    const key = options
      .map(({ pool, uses }) => `${pool} ${uses}`)
      .sort()
      .join();
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const kind = this.#options.length;
    this.#numbers.set(key, kind);
    this.#options.push(options);
    return kind;
  }

  /** Returns the groups of all kinds. `counts` has the size of each kind at its number. */
  groups(counts: readonly number[]): readonly HolderGroup[] {
    return this.#options.map((options, kind) => ({ options, count: counts[kind] ?? 0 }));
  }
}

/** Groups holders by their options. */
export function holderGroups(holders: readonly (readonly PoolOption[])[]): readonly HolderGroup[] {
  const kinds = new HolderKinds();
  const counts: number[] = [];
  for (const options of holders) {
    const kind = kinds.of(options);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return kinds.groups(counts);
}

/** A sink of the flow: the part of a block for options that take the same families of a pool. */
export interface FlowRoom {
  readonly block: number;
  readonly use: Use;
}

type Use = Family | 'both';

/**
 * The free addresses of pools that are interchangeable: they serve the same groups in the same way.
 */
export interface PoolBlock {
  readonly ipv4: number;
  readonly ipv6: number;
  /** How many pairs of both families can come from a single pool. */
  readonly both: number;
}

/** The groups that have a choice and may not all be met, and the rooms that they may use. */
export interface Contention {
  readonly sources: readonly FlowSource[];
  readonly rooms: readonly FlowRoom[];
  readonly blocks: readonly PoolBlock[];
}

/**
 * Reduces a question to its undecided part. Holders with one option take it. A family is not
 * counted in pools that have enough of it for all. Interchangeable pools become one block.
 * Undefined when a holder with one option cannot have it.
 */
export function contentionOf(
  groups: readonly HolderGroup[],
  free: FreeCounts,
): Contention | undefined {
  const choosing = groups.filter(({ options, count }) => count > 0 && options.length !== 1);
  const remaining = withoutBound(groups, free);
  if (!remaining) return undefined;
  const isShort = shortages(choosing, remaining);
  const needs = choosing
    .map(({ options, count }) => ({
      count,
      options: options.map(({ pool, uses }) => ({
        pool,
        uses: uses.filter((family) => isShort(pool, family)),
      })),
    }))
    .filter(({ options }) => options.every(({ uses }) => uses.length > 0));
  return withBlocks(needs, remaining);
}

/**
 * The remaining addresses when all holders with one option have taken it. Undefined if a pool lacks addresses.
 */
function withoutBound(groups: readonly HolderGroup[], free: FreeCounts): FreeCounts | undefined {
  const remaining = new Map(free);
  for (const { options, count } of groups) {
    const [option, ...others] = options;
    if (!option || others.length > 0 || count === 0) continue;
    const own = { ...(remaining.get(option.pool) ?? nothing) };
    for (const family of option.uses) own[family] -= count;
    if (own.ipv4 < 0 || own.ipv6 < 0) return undefined;
    remaining.set(option.pool, own);
  }
  return remaining;
}

const nothing = { ipv4: 0, ipv6: 0 };

/** Tests if a pool has fewer addresses of a family than there are holders that may take one. */
function shortages(
  groups: readonly HolderGroup[],
  free: FreeCounts,
): (pool: string, family: Family) => boolean {
  const takers = new Map<string, number>();
  for (const { options, count } of groups) {
    for (const { pool, uses } of options) {
      for (const family of uses) {
        const key = `${family} ${pool}`;
        takers.set(key, (takers.get(key) ?? 0) + count);
      }
    }
  }
  return (pool, family) => (free.get(pool)?.[family] ?? 0) < (takers.get(`${family} ${pool}`) ?? 0);
}

function withBlocks(groups: readonly HolderGroup[], free: FreeCounts): Contention {
  const blockOf = blocksOf(groups);
  const blocks: PoolBlock[] = [];
  for (const [pool, block] of blockOf) {
    const { ipv4, ipv6 } = free.get(pool) ?? nothing;
    const own = blocks[block] ?? { ...nothing, both: 0 };
    blocks[block] = {
      ipv4: own.ipv4 + ipv4,
      ipv6: own.ipv6 + ipv6,
      both: own.both + Math.min(ipv4, ipv6),
    };
  }
  const places = new Map<string, number>();
  const rooms: FlowRoom[] = [];
  const roomOf = ({ pool, uses }: PoolOption): number => {
    const room = { block: blockOf.get(pool) ?? 0, use: useOf(uses) };
    const key = `${room.use} ${room.block}`;
    const place = places.get(key) ?? rooms.push(room) - 1;
    places.set(key, place);
    return place;
  };
  const sources = groups.map(({ options, count }) => ({
    count,
    rooms: [...new Set(options.map(roomOf))],
  }));
  return { sources, rooms, blocks };
}

/** The number of each pool's block, by pool name. */
function blocksOf(groups: readonly HolderGroup[]): ReadonlyMap<string, number> {
  const served = new Map<string, string>();
  for (const [place, { options }] of groups.entries()) {
    for (const { pool, uses } of options) {
      served.set(pool, `${served.get(pool) ?? ''} ${place} ${useOf(uses)}`);
    }
  }
  const numbers = new Map<string, number>();
  for (const key of served.values()) {
    if (!numbers.has(key)) numbers.set(key, numbers.size);
  }
  return new Map([...served].map(([pool, key]) => [pool, numbers.get(key) ?? 0]));
}

function useOf(uses: readonly Family[]): Use {
  return uses.length === 2 ? 'both' : (uses[0] ?? 'ipv4');
}
