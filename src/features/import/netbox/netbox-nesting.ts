import { addToGroup } from '../../../core/model/order.ts';
import type { Problem } from '../../../core/model/problem.ts';
import { compareAddresses } from '../../../core/net/address.ts';
import {
  type AddressRange,
  compareRanges,
  firstReaching,
  formatRange,
  rangesOverlap,
} from '../../../core/net/range.ts';
import { type RangeSet, rangeSetOf, subtract } from '../../../core/net/range-set.ts';
import type { ImportedReserve } from '../imported.ts';
import { customTexts } from './netbox-choice.ts';
import type { NetBoxObject } from './netbox-object.ts';

/** A prefix or IP range that is a pool, or a part of one. */
export interface NetBoxPart {
  readonly object: NetBoxObject;
  /** Identifies the pool: all parts of one pool have the same key. */
  readonly key: string;
  readonly zone: string | undefined;
}

/** A part with its parent and children. */
export interface NestedPart extends NetBoxPart {
  /** The smallest part that contains it; undefined for none. */
  readonly parent: NestedPart | undefined;
  /** The parts directly inside it. */
  readonly children: readonly NestedPart[];
  /** Its addresses without those of its children. */
  readonly own: RangeSet;
}

interface Growing extends NetBoxPart {
  parent: Growing | undefined;
  children: Growing[];
  own: RangeSet;
}

/**
 * Nests parts as NetBox nests prefixes: an address belongs to the smallest part that contains it.
 * Problems: POOL_OVERLAP for two parts with the same addresses, for two that overlap only partly,
 * and for a part inside one of another VRF, where one address would mean two.
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

/** Sorts by first address, then by size, the largest first. */
function outermostFirst(left: AddressRange, right: AddressRange): number {
  return compareAddresses(left.from, right.from) || compareAddresses(right.to, left.to);
}

function overlaps(left: NetBoxPart | undefined, right: NetBoxPart): boolean {
  return left !== undefined && rangesOverlap(left.object.range, right.object.range);
}

/** True when all addresses of one range are in the other. */
function covers(outer: AddressRange, inner: AddressRange): boolean {
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
      : 'choose the VRF of the pools with --vrf; --vrf global for objects without a VRF',
  };
}

/** The VRF of an object, for messages. */
function vrfText({ vrf }: NetBoxObject): string {
  return vrf[0] === undefined ? 'the global table' : `VRF ${vrf[0]}`;
}

/** A part and its position, for messages. */
export function partText({ object }: NetBoxPart): string {
  const { at, range } = object;
  return `${formatRange(range)} (${at.file}:${at.line})`;
}

/** The addresses of the pools that NetBox already uses. */
export interface NetBoxReserves {
  readonly byKey: ReadonlyMap<string, readonly ImportedReserve[]>;
  /** The objects outside all pools, or around whole ones. */
  readonly elsewhere: readonly NetBoxObject[];
}

/** A range of a part's own addresses. */
interface Piece {
  readonly range: AddressRange;
  readonly part: NestedPart;
}

/**
 * The addresses of the parts that must not be allocated: those in use in NetBox, prefixes and
 * ranges inside that are not selected, and the addresses that NetBox never assigns.
 */
export function netBoxReserves(
  parts: readonly NestedPart[],
  others: readonly NetBoxObject[],
): NetBoxReserves {
  const pieces = parts
    .flatMap((part) => part.own.ranges.map((range): Piece => ({ range, part })))
    .sort((left, right) => compareRanges(left.range, right.range));
  const byKey = new Map<string, ImportedReserve[]>();
  const add = (key: string, reserve: ImportedReserve): void => {
    addToGroup(byKey, key, reserve);
  };
  for (const part of parts) {
    for (const edge of edgesOf(part)) add(part.key, edge);
  }
  const elsewhere = others.filter((object) => {
    const within = [...piecesIn(pieces, object)];
    for (const { part, range } of within) {
      const mark = isExported(object) ? ({ isExported: true } as const) : {};
      add(part.key, { range, why: whyOf(object, part.object), at: object.at, ...mark });
    }
    return within.length === 0;
  });
  return { byKey, elsewhere };
}

/** The pieces that overlap an object, cut to it; none of a part that lies inside it completely. */
function* piecesIn(pieces: readonly Piece[], object: NetBoxObject): Iterable<Piece> {
  const { range } = object;
  const start = firstReaching(pieces, (piece) => piece.range, range.from);
  for (let index = start; index < pieces.length; index += 1) {
    const piece = pieces[index];
    if (!piece || !rangesOverlap(piece.range, range)) return;
    // An address that is all of a part is in use; a prefix around a part only holds it.
    if (object.kind !== 'address' && covers(range, piece.part.object.range)) continue;
    yield { part: piece.part, range: common(piece.range, range) };
  }
}

/**
 * True for a prefix or range that `leasehold export netbox` wrote. CSV does not tell its custom
 * field from another column Pool, so its default tag is a sign too.
 */
function isExported(object: NetBoxObject): boolean {
  if (object.kind === 'address') return false;
  const tags = object.row.fields.get('tags')?.texts ?? [];
  return customTexts(object, 'leasehold_pool').length > 0 || tags.includes('leasehold-export');
}

function common(left: AddressRange, right: AddressRange): AddressRange {
  return {
    from: left.from.value > right.from.value ? left.from : right.from,
    to: left.to.value < right.to.value ? left.to : right.to,
  };
}

function whyOf(object: NetBoxObject, within: NetBoxObject): string {
  const { kind, status, of, description } = object;
  const role = object.row.fields.get('role')?.texts[0];
  const noun = { address: 'IP address', range: 'IP range', prefix: 'prefix' }[kind];
  const words = [
    ...(status === undefined ? [] : [status]),
    ...(role === undefined ? [] : [role]),
    noun,
  ];
  const article = /^[aeiou]/i.test(words[0] ?? '') ? 'an' : 'a';
  const text = kind === 'address' ? '' : ` ${object.text}`;
  const whose = of.length > 0 ? ` of ${of.join(', ')}` : '';
  const about = description === undefined ? '' : ` (${description})`;
  const vrf = object.vrf[0] === within.vrf[0] ? '' : `, in ${vrfText(object)}`;
  return `${article} ${words.join(' ')}${text}${whose}${about}${vrf}`;
}

/**
 * The addresses that NetBox assigns only from a pool or a container: the first and last of an IPv4
 * prefix, the first of an IPv6 prefix (NetBox: netbox/ipam/models/ip.py, Prefix.get_available_ips).
 */
function edgesOf({ object, own }: NestedPart): readonly ImportedReserve[] {
  const { kind, isPool, status, range, at } = object;
  if (kind !== 'prefix' || isPool || status === 'container') return [];
  const size = range.to.value - range.from.value + 1n;
  if (size <= 2n) return [];
  const isFour = range.from.family === 'ipv4';
  const edges = [
    { address: range.from, name: isFour ? 'network address' : 'subnet-router anycast address' },
    ...(isFour ? [{ address: range.to, name: 'broadcast address' }] : []),
  ];
  return edges.flatMap(({ address, name }) => {
    const edge = { from: address, to: address };
    if (!own.ranges.some((piece) => covers(piece, edge))) return [];
    const why = `the ${name} of ${formatRange(range)}, which is not a pool in NetBox`;
    return [{ range: edge, why, at }];
  });
}
