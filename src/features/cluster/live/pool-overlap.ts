import { type LiveObject, objectName } from '../../../model/live.ts';
import { compareText } from '../../../model/order.ts';
import type { Layout, Pools } from '../../../model/pools.ts';
import { listAt } from '../../../model/unstructured.ts';
import {
  type Address,
  compareAddresses,
  familyBits,
  isAddress,
  parseAddress,
} from '../../../net/address.ts';
import {
  type AddressRange,
  compareRanges,
  formatRange,
  rangeHas,
  rangesOverlap,
} from '../../../net/range.ts';
import { rangeSetOf, subtract } from '../../../net/range-set.ts';
import type { ClusterFinding } from '../verification-answer.ts';
import { ingressOf } from './snapshot.ts';

/** A range, and the pool that has it. */
export interface PoolRange {
  readonly range: AddressRange;
  /** Such as `the declared pool public`. */
  readonly owner: string;
}

/**
 * The ranges that MetalLB must have for leasehold alone: the declared ones, and those of live pools of ours
 * outside them. With `layout: lease`, what is reserved never comes to MetalLB, and may stand in another pool.
 */
export function ownRanges(
  pools: Pick<Pools, 'pools'>,
  layout: Layout,
  live: readonly LiveObject[],
): readonly PoolRange[] {
  const declared = pools.pools.flatMap(({ name, ranges, reserved }) => {
    const whole = rangeSetOf(ranges);
    const given = layout === 'lease' ? subtract(whole, reserved) : whole;
    return given.ranges.map((range) => ({ range, owner: `the declared pool ${name}` }));
  });
  const others = live.flatMap((pool) => {
    const owner = objectName('addressPool', pool);
    return rangesOf(pool)
      .filter((range) => !declared.some((own) => rangesOverlap(own.range, range)))
      .map((range) => ({ range, owner }));
  });
  return [...declared, ...others];
}

/**
 * A finding for every live IPAddressPool of somebody else that has addresses of ours, or of another one: MetalLB
 * refuses a configuration in which any two pools overlap (MetalLB: config.go poolsFor). `services` are all live ones,
 * undefined when they are not known: no hint says to delete a pool while a Service may have an address of it.
 */
export function overlappingPools(
  foreign: readonly LiveObject[],
  own: readonly PoolRange[],
  services: readonly LiveObject[] | undefined,
): ClusterFinding[] {
  const ranges = foreign.flatMap((pool) =>
    rangesOf(pool).map((range) => ({ range, owner: objectName('addressPool', pool) })),
  );
  const withOurs = overlapsWith(ranges, own);
  const overlaps = [...withOurs, ...overlapsAmong(ranges)];
  return foreign.flatMap((pool) => {
    const object = objectName('addressPool', pool);
    const found = overlaps.filter(({ one }) => one.owner === object);
    if (found.length === 0) return [];
    return [
      {
        object,
        message: `is not of leasehold, and ${[...new Set(found.map(overlapText))].join('; ')}; MetalLB refuses pools that overlap`,
        hint: hintOf(
          found.some((overlap) => withOurs.includes(overlap)),
          services && servedBy(pool, services),
        ),
      },
    ];
  });
}

/** What to do about an overlap with a declared pool or with another live one, of a pool that so many Services have addresses of. */
function hintOf(isWithOurs: boolean, served: number | undefined): string {
  if (served === 0) {
    return isWithOurs
      ? 'no Service has an address of it: delete this pool or take the addresses out of it, or out of leases/pools.yaml'
      : 'no Service has an address of it: delete it or take the addresses out of it';
  }
  const who =
    served === undefined
      ? 'which Services have addresses of it is not known, and they would lose them with the pool'
      : `${served === 1 ? 'a Service has an address' : `${served} Services have addresses`} of it, lost with the pool`;
  return isWithOurs
    ? `${who}: take the pool over with leasehold import cluster, or take its addresses out of leases/pools.yaml`
    : `${who}: take what overlaps out of it where no Service has it, or out of the other pool`;
}

/** How many Services have an address of a pool. */
function servedBy(pool: LiveObject, services: readonly LiveObject[]): number {
  const ranges = rangesOf(pool);
  const isOfPool = (text: string): boolean => {
    const address = parseAddress(text);
    return isAddress(address) && ranges.some((range) => rangeHas(range, address));
  };
  return services.filter((service) => ingressOf(service).some(isOfPool)).length;
}

interface Overlap {
  readonly one: PoolRange;
  readonly other: PoolRange;
}

function overlapText({ one, other }: Overlap): string {
  return `${formatRange(one.range)} overlaps ${formatRange(other.range)} of ${other.owner}`;
}

function overlapsWith(ranges: readonly PoolRange[], others: readonly PoolRange[]): Overlap[] {
  return ranges.flatMap((one) =>
    others
      .filter((other) => rangesOverlap(other.range, one.range))
      .map((other) => ({ one, other })),
  );
}

/** The ranges that begin inside one before them, each with the one that reaches furthest. */
function overlapsAmong(ranges: readonly PoolRange[]): Overlap[] {
  const sorted = [...ranges].sort(
    (left, right) => compareRanges(left.range, right.range) || compareText(left.owner, right.owner),
  );
  let furthest: PoolRange | undefined;
  return sorted.flatMap((one) => {
    const other = furthest;
    if (!other || compareAddresses(other.range.to, one.range.to) < 0) furthest = one;
    return other && rangesOverlap(other.range, one.range) ? [{ one, other }] : [];
  });
}

/** What MetalLB reads in a pool; a text that it refuses has no range. */
function rangesOf(pool: LiveObject): AddressRange[] {
  return listAt(pool, 'spec', 'addresses').flatMap((text) => {
    const range = typeof text === 'string' ? lenientRange(text) : undefined;
    return range ? [range] : [];
  });
}

/**
 * MetalLB takes more than leasehold does: spaces around the ends, a block with host bits, which is the whole block,
 * and /0 (config.go ParseCIDR).
 */
function lenientRange(text: string): AddressRange | undefined {
  if (!text.includes('/')) {
    const ends = text.split('-').map((end) => parseAddress(end.trim()));
    const [from, to] = ends.filter(isAddress);
    if (!from || !to || ends.length > 2 || from.family !== to.family) return undefined;
    return from.value <= to.value ? { from, to } : undefined;
  }
  const [base = '', length = '', ...rest] = text.split('/');
  const address = parseAddress(base);
  const isBlock = rest.length === 0 && /^\d{1,3}$/.test(length);
  return isBlock && isAddress(address) ? blockOf(address, Number(length)) : undefined;
}

function blockOf({ family, value }: Address, length: number): AddressRange | undefined {
  const bits = familyBits[family];
  if (length > bits) return undefined;
  const hostMask = (1n << BigInt(bits - length)) - 1n;
  const from = value & ~hostMask;
  return { from: { family, value: from }, to: { family, value: from | hostMask } };
}
