import { InternalError } from '../../model/problem.ts';
import type { Family } from '../../net/address.ts';
import { type FreeCounts, HolderKinds, type PoolOption } from './contention.ts';
import { canSatisfy, longest } from './feasibility.ts';

/** The options of a holder, the best first. */
export type RankedOptions = readonly PoolOption[];

/**
 * Returns the indexes of the holders that get addresses. In order, each holder is admitted if it
 * and all holders admitted before it can be met together; so all are when all can be met.
 */
export function admitted(choices: readonly RankedOptions[], free: FreeCounts): ReadonlySet<number> {
  const kinds = new HolderKinds();
  const met = new Set<number>();
  let counts: readonly number[] = [];
  let queue = choices.map((options, place) => ({ place, kind: kinds.of(options) }));
  while (queue.length > 0) {
    const countsWith = (length: number) => {
      const more = [...counts];
      for (const { kind } of queue.slice(0, length)) more[kind] = (more[kind] ?? 0) + 1;
      return more;
    };
    const length = longest(queue.length, (next) =>
      canSatisfy(kinds.groups(countsWith(next)), free),
    );
    counts = countsWith(length);
    for (const { place } of queue.slice(0, length)) met.add(place);
    const refused = queue[length]?.kind;
    queue = queue.slice(length).filter(({ kind }) => kind !== refused);
  }
  return met;
}

/**
 * Returns a pool for each holder: the first of its options that leaves enough for the later holders
 * and for `others`. Undefined when not all can be met. The holders of a zone may differ in their
 * pools: a pool may be announced in some clusters only, an anycast address comes from BGP pools
 * only, and a holder with a retained address in a pool takes fewer free addresses of it.
 *
 * Holders choose one after another. {@link canSatisfy} checks many choices at once, and an
 * option that leaves too little is closed for all later holders of the same kind. So the number of
 * checks stays small, however many holders there are.
 */
export function matchPools(
  choices: readonly RankedOptions[],
  others: readonly RankedOptions[],
  free: FreeCounts,
): readonly string[] | undefined {
  const kinds = new HolderKinds();
  const turns = choices.map((options): Turn => ({ options, kind: kinds.of(options) }));
  const counts: number[] = [];
  for (const kind of [...turns.map((turn) => turn.kind), ...others.map((one) => kinds.of(one))]) {
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  if (!canSatisfy(kinds.groups(counts), free)) return undefined;
  const closed: Closed = new Map();
  const pools: string[] = [];
  let remaining: Remaining = { free, counts };
  for (;;) {
    const next = turns.slice(pools.length);
    const length = longest(next.length, (many) => {
      const then = withTaken(remaining, next.slice(0, many), closed);
      return then.pools.length === many && canSatisfy(kinds.groups(then.counts), then.free);
    });
    const taken = withTaken(remaining, next.slice(0, length), closed);
    for (const pool of taken.pools) pools.push(pool);
    remaining = taken;
    const stuck = next[length];
    if (!stuck) return pools;
    const option = openOption(stuck, remaining.free, closed);
    if (!option) throw new InternalError('a holder that can be met has no open pool');
    closed.set(stuck.kind, new Set(closed.get(stuck.kind)).add(option.pool));
  }
}

interface Turn {
  readonly options: RankedOptions;
  readonly kind: number;
}

/** For each kind of holder, the pools that would leave too little for the others. */
type Closed = Map<number, ReadonlySet<string>>;

interface Remaining {
  readonly free: FreeCounts;
  /** How many holders of each kind have not chosen yet. */
  readonly counts: readonly number[];
}

/**
 * Lets each holder take its first open option, up to a holder that has none. Returns the chosen
 * pools and what is left.
 */
function withTaken(
  remaining: Remaining,
  turns: readonly Turn[],
  closed: Closed,
): Remaining & { readonly pools: readonly string[] } {
  const free = new Map([...remaining.free].map(([pool, own]) => [pool, { ...own }]));
  const counts = [...remaining.counts];
  const pools: string[] = [];
  for (const turn of turns) {
    const option = openOption(turn, free, closed);
    if (!option) break;
    const own: Partial<Record<Family, number>> = free.get(option.pool) ?? {};
    for (const family of option.uses) own[family] = (own[family] ?? 0) - 1;
    counts[turn.kind] = (counts[turn.kind] ?? 0) - 1;
    pools.push(option.pool);
  }
  return { free, counts, pools };
}

function openOption(
  { options, kind }: Turn,
  free: FreeCounts,
  closed: Closed,
): PoolOption | undefined {
  return options.find(
    ({ pool, uses }) =>
      closed.get(kind)?.has(pool) !== true &&
      uses.every((family) => (free.get(pool)?.[family] ?? 0) > 0),
  );
}
