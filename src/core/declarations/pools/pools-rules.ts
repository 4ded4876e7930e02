import type { Position, Problem } from '../../model/problem.ts';
import { formatAddress } from '../../net/address.ts';
import {
  type AddressRange,
  compareRanges,
  formatRange,
  rangeSize,
  rangesOverlap,
} from '../../net/range.ts';
import { rangeSetOf, setSize, subtract } from '../../net/range-set.ts';
import type { YamlDocument } from '../../text/yaml/document.ts';
import { announcing } from './planes.ts';
import type { WrittenPool, WrittenPools } from './pools-schema.ts';

/** One entry of a pool's addresses. */
export interface PoolEntry {
  readonly range: AddressRange;
  /** The pool's name. */
  readonly pool: string;
  readonly at: Position;
}

/**
 * Problems of well-formed pools: POOL_DUPLICATE, POOL_OVERLAP (MetalLB refuses its whole
 * configuration: config.go poolsFor), RESERVED_OUTSIDE, POOL_EMPTY, NAT_INVALID and FENCE_LAYOUT.
 */
export function checkPools(written: WrittenPools, document: YamlDocument): Problem[] {
  const { pools } = written;
  const entries = pools.flatMap((pool, index) =>
    pool.addresses.map((range, place): PoolEntry => {
      const at = document.at(['pools', index, 'addresses', place]);
      return { range, pool: pool.name, at };
    }),
  );
  return [
    ...duplicates(pools, document),
    ...overlapProblems(entries),
    ...pools.flatMap((pool, index) => [
      ...reservedProblems(pool, index, document),
      ...natProblems(pool, index, { pools, document }),
      ...fenceProblems(written, pool, document.at(['pools', index, 'fence'])),
    ]),
  ];
}

function duplicates(pools: readonly WrittenPool[], document: YamlDocument): Problem[] {
  const first = new Map<string, Position>();
  return pools.flatMap(({ name }, index): Problem[] => {
    const at = document.at(['pools', index, 'name']);
    const other = first.get(name);
    if (other === undefined) {
      first.set(name, at);
      return [];
    }
    const message = `the pool '${name}' is declared twice`;
    return [{ code: 'POOL_DUPLICATE', message, at, also: [other] }];
  });
}

/**
 * POOL_OVERLAP for entries with a common address: MetalLB refuses them all (config.go poolsFor).
 */
export function overlapProblems(entries: readonly PoolEntry[]): Problem[] {
  const problems: Problem[] = [];
  let widest: PoolEntry | undefined;
  for (const entry of entries.toSorted((left, right) => compareRanges(left.range, right.range))) {
    if (widest && rangesOverlap(widest.range, entry.range)) problems.push(overlap(widest, entry));
    if (!widest || isPast(entry.range, widest.range)) widest = entry;
  }
  return problems;
}

function isPast(range: AddressRange, other: AddressRange): boolean {
  return range.to.family !== other.to.family || range.to.value > other.to.value;
}

function overlap(left: PoolEntry, right: PoolEntry): Problem {
  const isLater =
    left.at.line > right.at.line ||
    (left.at.line === right.at.line && left.at.column > right.at.column);
  const [first, second] = isLater ? [right, left] : [left, right];
  const shared = formatAddress(right.range.from);
  const where =
    first.pool === second.pool
      ? `pool '${first.pool}' has`
      : `pools '${first.pool}' and '${second.pool}' have`;
  const message = `${where} ${shared} in two entries, ${formatRange(first.range)} and ${formatRange(second.range)}`;
  const hint = 'remove the address from one of the two entries';
  return { code: 'POOL_OVERLAP', message, at: second.at, also: [first.at], hint };
}

function reservedProblems(pool: WrittenPool, index: number, document: YamlDocument): Problem[] {
  const declared = rangeSetOf(pool.addresses);
  const problems = pool.reserved.flatMap((range, place): Problem[] => {
    if (subtract(rangeSetOf([range]), declared).ranges.length === 0) return [];
    const message = `reserved ${formatRange(range)} is not entirely in pool '${pool.name}'`;
    const at = document.at(['pools', index, 'reserved', place]);
    const hint = 'remove it from reserved; or add it to addresses';
    return [{ code: 'RESERVED_OUTSIDE', message, at, hint }];
  });
  if (setSize(subtract(declared, rangeSetOf(pool.reserved))) === 0n) {
    const message = `all addresses of pool '${pool.name}' are reserved`;
    problems.push({ code: 'POOL_EMPTY', message, at: document.at(['pools', index, 'reserved']) });
  }
  return problems;
}

/**
 * NAT_INVALID for a rule whose inside is not in its pool or is in an earlier rule, or whose outside
 * has another family or count, or an address of a pool or of an earlier rule of any pool. One
 * address may be the outside of many rules: its ports are forwarded.
 */
function natProblems(
  { name, addresses, nat }: WrittenPool,
  index: number,
  { pools, document }: { readonly pools: readonly WrittenPool[]; readonly document: YamlDocument },
): Problem[] {
  const earlier = pools.slice(0, index).flatMap((pool) => pool.nat);
  const declared = rangeSetOf(addresses);
  return nat.flatMap((rule, place): Problem[] => {
    const { inside, outside } = rule;
    const problem = (field: keyof typeof rule, message: string): Problem[] => {
      const at = document.at(['pools', index, 'nat', place, field]);
      return [{ code: 'NAT_INVALID', message, at }];
    };
    const [own, other] = [formatRange(inside), formatRange(outside)];
    const common = (left: string, right: AddressRange) =>
      `${left} and ${formatRange(right)} of another rule have an address in common`;
    if (subtract(rangeSetOf([inside]), declared).ranges.length > 0) {
      return problem('inside', `${own} is not entirely in pool '${name}'`);
    }
    const before = nat.slice(0, place);
    const double = before.find((one) => rangesOverlap(one.inside, inside));
    if (double) return problem('inside', common(own, double.inside));
    if (inside.from.family !== outside.from.family) {
      return problem('outside', `${other} and ${own} are of different families`);
    }
    const [wanted, size] = [rangeSize(inside), rangeSize(outside)];
    if (size !== wanted && size !== 1n) {
      const counts = `${other} has ${size} addresses, and ${own} has ${wanted}`;
      return problem('outside', `${counts}: expected as many, or one`);
    }
    const pool = pools.find((one) => one.addresses.some((range) => rangesOverlap(range, outside)));
    if (pool) return problem('outside', `${other} has addresses of pool '${pool.name}'`);
    const shared = [...earlier, ...before].find((one) => rangesOverlap(one.outside, outside));
    const isForwarded = shared && size === 1n && rangeSize(shared.outside) === 1n;
    return shared && !isForwarded ? problem('outside', common(other, shared.outside)) : [];
  });
}

/**
 * FENCE_LAYOUT: with layout lease, the pool of a held address is new and only open to the
 * namespaces of its claims, so there are no other Services that it could keep serving.
 */
function fenceProblems(written: WrittenPools, pool: WrittenPool, at: Position): Problem[] {
  if (pool.fence === 'closed') return [];
  const other = announcing(written, pool).find(({ layout }) => layout === 'lease');
  if (!other) return [];
  const message = `pool '${pool.name}' has fence: open, but cluster '${other.name}' announces it with layout: lease`;
  return [{ code: 'FENCE_LAYOUT', message, at }];
}
