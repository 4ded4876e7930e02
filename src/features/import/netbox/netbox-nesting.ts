import type { Problem } from '../../../model/problem.ts';
import { compareAddresses } from '../../../net/address.ts';
import { type AddressRange, formatRange, rangesOverlap } from '../../../net/range.ts';
import { type RangeSet, rangeSetOf, subtract } from '../../../net/range-set.ts';
import type { NetBoxObject } from './netbox-object.ts';

/** A prefix or IP range that is a pool, or a part of one. */
export interface NetBoxPart {
  readonly object: NetBoxObject;
  /** What tells pools apart: parts of one pool have one key. */
  readonly key: string;
  readonly zone: string | undefined;
}

/** A part among the others. */
export interface NestedPart extends NetBoxPart {
  /** The smallest part that it lies in; undefined for none. */
  readonly parent: NestedPart | undefined;
  /** The parts that lie in it, and in no smaller one. */
  readonly children: readonly NestedPart[];
  /** Its own addresses: those of no part within it. */
  readonly own: RangeSet;
}

interface Growing extends NetBoxPart {
  parent: Growing | undefined;
  children: Growing[];
  own: RangeSet;
}

/**
 * How parts lie in each other, as NetBox nests prefixes: an address is of the smallest part that has it. Problems:
 * POOL_OVERLAP for two with the same addresses, for two that only meet, and for one in another of a different VRF, where an address
 * is two.
 */
export function nestedParts(parts: readonly NetBoxPart[]): {
  readonly parts: readonly NestedPart[];
  readonly problems: readonly Problem[];
} {
  const problems: Problem[] = [];
  const open: Growing[] = [];
  const sorted = parts
    .map((part): Growing => ({ ...part, parent: undefined, children: [], own: { ranges: [] } }))
    .sort((left, right) => outermostFirst(left.object.range, right.object.range));
  for (const part of sorted) {
    while (open.length > 0 && !overlaps(open.at(-1), part)) open.pop();
    const parent = open.at(-1);
    const refused = parent && refusal(parent.object, part.object);
    if (refused) problems.push(refused);
    part.parent = parent;
    parent?.children.push(part);
    open.push(part);
  }
  for (const part of sorted) {
    const within = part.children.map(({ object }) => object.range);
    part.own = subtract(rangeSetOf([part.object.range]), rangeSetOf(within));
  }
  return { parts: sorted, problems };
}

/** By the first address; of those with the same one the largest first. */
function outermostFirst(left: AddressRange, right: AddressRange): number {
  return compareAddresses(left.from, right.from) || compareAddresses(right.to, left.to);
}

function overlaps(left: NetBoxPart | undefined, right: NetBoxPart): boolean {
  return left !== undefined && rangesOverlap(left.object.range, right.object.range);
}

/** True when all addresses of one range are in the other. */
export function covers(outer: AddressRange, inner: AddressRange): boolean {
  return (
    outer.from.family === inner.from.family &&
    outer.from.value <= inner.from.value &&
    inner.to.value <= outer.to.value
  );
}

function refusal(outer: NetBoxObject, inner: NetBoxObject): Problem | undefined {
  const isOneVrf = outer.vrf[0] === inner.vrf[0];
  const isEqual = covers(inner.range, outer.range);
  if (isOneVrf && !isEqual && covers(outer.range, inner.range)) return undefined;
  const how = isEqual ? 'are the same addresses' : 'have addresses in common';
  const where = isOneVrf ? '' : `, of ${vrfText(outer)} and ${vrfText(inner)}`;
  return {
    code: 'POOL_OVERLAP',
    message: `${outer.text} and ${inner.text} ${how}${where}`,
    at: inner.at,
    also: [outer.at],
    hint: isOneVrf
      ? 'choose one of them by --tag, --role or --status'
      : 'say with --vrf which VRF the pools are of, or --vrf global for none',
  };
}

/** The VRF of an object, for a person. */
export function vrfText({ vrf }: NetBoxObject): string {
  return vrf[0] === undefined ? 'the global table' : `VRF ${vrf[0]}`;
}

/** A part and where it stands, for a person. */
export function partText({ object }: NetBoxPart): string {
  const { at, range } = object;
  return `${formatRange(range)} (${at.file}:${at.line})`;
}
