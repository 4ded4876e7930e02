import {
  type AddressRange,
  compareRanges,
  firstReaching,
  formatRange,
  rangesOverlap,
} from '../../../net/range.ts';
import type { ImportedReserve } from '../import.ts';
import { covers, type NestedPart, vrfText } from './netbox-nesting.ts';
import type { NetBoxObject } from './netbox-object.ts';

/** What NetBox has somebody else in, of the addresses that are to be pools. */
export interface NetBoxReserves {
  readonly byKey: ReadonlyMap<string, readonly ImportedReserve[]>;
  /** The objects that lie in no pool, or hold whole ones. */
  readonly elsewhere: readonly NetBoxObject[];
}

/** Addresses that are one part's own. */
interface Piece {
  readonly range: AddressRange;
  readonly part: NestedPart;
}

/**
 * What of the parts is not to be given out: addresses that NetBox has, prefixes and ranges within that are not chosen, and
 * the addresses that NetBox itself never gives out.
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
    const list = byKey.get(key);
    if (list) list.push(reserve);
    else byKey.set(key, [reserve]);
  };
  for (const part of parts) {
    for (const edge of edgesOf(part)) add(part.key, edge);
  }
  const elsewhere = others.filter((object) => {
    const within = [...piecesIn(pieces, object)];
    for (const { part, range } of within) {
      add(part.key, { range, why: whyOf(object, part.object), at: object.at });
    }
    return within.length === 0;
  });
  return { byKey, elsewhere };
}

/** The pieces, or what of them, that an object has; none of a part that lies in it whole. */
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
 * The addresses that NetBox gives out only of a pool or a container: the first and last of an IPv4 prefix, the first of an
 * IPv6 one (NetBox: netbox/ipam/models/ip.py, Prefix.get_available_ips).
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
    const why = `the ${name} of ${formatRange(range)}, which is no pool in NetBox`;
    return [{ range: edge, why, at }];
  });
}
