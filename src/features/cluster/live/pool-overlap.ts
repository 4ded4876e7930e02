import { traitsOf, type VerifiedKind } from '../../../core/model/kinds.ts';
import { type LiveObject, liveObjectName } from '../../../core/model/live.ts';
import { compareText } from '../../../core/model/order.ts';
import type { Layout } from '../../../core/model/planes.ts';
import { type Pools, poolsIn } from '../../../core/model/pools.ts';
import {
  type Address,
  compareAddresses,
  familyBits,
  isAddress,
  parseAddress,
} from '../../../core/net/address.ts';
import {
  type AddressRange,
  compareRanges,
  formatRange,
  rangesOverlap,
} from '../../../core/net/range.ts';
import { rangeSetOf, subtract } from '../../../core/net/range-set.ts';
import type { Desired } from '../desired.ts';
import type { ClusterFinding } from '../verification-answer.ts';
import { isLabelled } from './object-state.ts';
import { type Snapshot, servicesIn } from './snapshot.ts';

/** How the pools of a data plane are read, and what it does with those that overlap. */
export interface LivePools {
  readonly kind: VerifiedKind;
  /** The ranges that the plane reads. It rejects other texts, which are ignored here. */
  readonly rangesOf: (pool: LiveObject) => readonly AddressRange[];
  /** True when reserved addresses are cut out of them in every layout. */
  readonly isCut: boolean;
  readonly refusal: string;
  /** How its addresses come to leasehold when Services have them. */
  readonly adoption: string;
}

/** A range and the pool that has it. */
export interface OwnedRange {
  readonly range: AddressRange;
  /** Such as `the declared pool public`. */
  readonly owner: string;
}

/**
 * The ranges that only leasehold may use: the declared ones, and those of our live pools outside
 * them. With `layout: lease`, and on Cilium, reserved addresses are in no live pool of leasehold and
 * may be in another one.
 */
export function ownRanges(
  pools: Pick<Pools, 'pools'>,
  layout: Layout,
  live: readonly LiveObject[],
  { kind, rangesOf, isCut }: LivePools,
): readonly OwnedRange[] {
  const declared = pools.pools.flatMap(({ name, ranges, reserved }) => {
    const whole = rangeSetOf(ranges);
    const given = isCut || layout === 'lease' ? subtract(whole, reserved) : whole;
    return given.ranges.map((range) => ({ range, owner: `the declared pool ${name}` }));
  });
  const others = live.flatMap((pool) => {
    const owner = liveObjectName(kind, pool);
    return rangesOf(pool)
      .filter((range) => !declared.some((own) => rangesOverlap(own.range, range)))
      .map((range) => ({ range, owner }));
  });
  return [...declared, ...others];
}

/** A finding for each live pool that is not of leasehold and overlaps one of its cluster. */
export function foreignOverlaps(
  { cluster, pools, objects }: Desired,
  live: Snapshot,
  kinds: LivePools,
): readonly ClusterFinding[] {
  const isNamespaced = traitsOf(kinds.kind).isNamespaced !== false;
  const seen = [...live.all()].filter(
    ({ kind, object }) =>
      kind === kinds.kind &&
      (!isNamespaced || object.metadata.namespace === cluster.plane.namespace),
  );
  const isOurs = (one: (typeof seen)[number]) => isLabelled(one) || objects.has(one.name);
  const [ours, foreign] = [seen.filter(isOurs), seen.filter((one) => !isOurs(one))];
  if (foreign.length === 0) return [];
  const services = [...live.all()].filter(({ kind }) => kind === 'service');
  return overlappingPools(
    foreign.map(({ object }) => object),
    ownRanges(
      { pools: poolsIn(pools, cluster.name) },
      cluster.plane.layout,
      ours.map(({ object }) => object),
      kinds,
    ),
    services.map(({ object }) => object),
    kinds,
  );
}

/**
 * A finding for each unmanaged live pool that overlaps our ranges or another such pool.
 * `services` are all live Services, undefined when unknown: no hint suggests to delete a pool while
 * a Service may have an address from it.
 */
export function overlappingPools(
  unmanaged: readonly LiveObject[],
  own: readonly OwnedRange[],
  services: readonly LiveObject[] | undefined,
  kinds: LivePools,
): ClusterFinding[] {
  const { kind, rangesOf, refusal } = kinds;
  const ranges = unmanaged.flatMap((pool) =>
    rangesOf(pool).map((range) => ({ range, owner: liveObjectName(kind, pool) })),
  );
  const withOurs = overlapsWith(ranges, own);
  const overlaps = [...withOurs, ...overlapsAmong(ranges)];
  return unmanaged.flatMap((pool) => {
    const object = liveObjectName(kind, pool);
    const found = overlaps.filter(({ one }) => one.owner === object);
    if (found.length === 0) return [];
    return [
      {
        object,
        message: `is not managed by leasehold, and ${[...new Set(found.map(overlapText))].join('; ')}; ${refusal}`,
        hint: hintOf(
          found.some((overlap) => withOurs.includes(overlap)),
          services && servedBy(pool, services, rangesOf).length,
          kinds,
        ),
      },
    ];
  });
}

/**
 * The Services with an address from a pool. MetalLB names the pool in an annotation of the Service:
 * the address can be in the ranges of several.
 */
function servedBy(
  pool: LiveObject,
  services: readonly LiveObject[],
  rangesOf: LivePools['rangesOf'],
): readonly LiveObject[] {
  return servicesIn(rangesOf(pool), services).filter(({ metadata: { annotations = {} } }) => {
    const named = allocatedFrom.flatMap((key) => annotations[key] ?? []);
    return named.length === 0 || named.includes(pool.metadata.name);
  });
}

/** MetalLB: controller/service.go; before 0.14.9 with the older prefix. */
const allocatedFrom = [
  'metallb.io/ip-allocated-from-pool',
  'metallb.universe.tf/ip-allocated-from-pool',
];

/** How to resolve an overlap. `served` counts the Services with an address from the pool. */
function hintOf(isWithOurs: boolean, served: number | undefined, { adoption }: LivePools): string {
  if (served === 0) {
    return isWithOurs
      ? 'no Service has an address from it: delete this pool, or remove the addresses from it or from leases/pools.yaml'
      : 'no Service has an address from it: delete it or remove the addresses from it';
  }
  const who =
    served === undefined
      ? 'it is not known which Services have addresses from it, and they would lose them with the pool'
      : `${served === 1 ? 'a Service has an address' : `${served} Services have addresses`} from it, lost with the pool`;
  return isWithOurs
    ? `${who}: ${adoption}`
    : `${who}: remove the overlapping addresses that no Service has, from it or from the other pool`;
}

interface Overlap {
  readonly one: OwnedRange;
  readonly other: OwnedRange;
}

function overlapText({ one, other }: Overlap): string {
  return `${formatRange(one.range)} overlaps ${formatRange(other.range)} of ${other.owner}`;
}

function overlapsWith(ranges: readonly OwnedRange[], others: readonly OwnedRange[]): Overlap[] {
  return ranges.flatMap((one) =>
    others
      .filter((other) => rangesOverlap(other.range, one.range))
      .map((other) => ({ one, other })),
  );
}

/**
 * The ranges that begin inside an earlier one, each with the earlier range that reaches furthest.
 */
function overlapsAmong(ranges: readonly OwnedRange[]): Overlap[] {
  const sorted = [...ranges].sort(
    (left, right) => compareRanges(left.range, right.range) || compareText(left.owner, right.owner),
  );
  let furthest: OwnedRange | undefined;
  return sorted.flatMap((one) => {
    const other = furthest;
    if (!other || compareAddresses(other.range.to, one.range.to) < 0) furthest = one;
    return other && rangesOverlap(other.range, one.range) ? [{ one, other }] : [];
  });
}

/** The ranges that texts of a pool mean to its plane; other texts mean none. */
export function rangesIn(texts: readonly unknown[]): AddressRange[] {
  return texts.flatMap((text) => {
    const range = typeof text === 'string' ? lenientRange(text) : undefined;
    return range ? [range] : [];
  });
}

/**
 * Parses a range as MetalLB and Cilium do, which accept more than leasehold: spaces around the ends,
 * /0, and a block with host bits, which means the whole block (MetalLB: config.go ParseCIDR).
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
