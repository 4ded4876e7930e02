import type { Position } from '../../../core/model/problem.ts';
import { isAddress, parseAddress } from '../../../core/net/address.ts';
import { type AddressRange, isRange, parseRange } from '../../../core/net/range.ts';
import type { SourceReader } from '../../../lib/foreign/source-reader.ts';
import { type NetBoxKind, type NetBoxRow, type NetBoxValue, ownFields } from './netbox-rows.ts';

/** A prefix, an IP range or an IP address of NetBox. */
export interface NetBoxObject {
  readonly kind: NetBoxKind;
  /** As NetBox writes it: `10.0.0.0/24`, `10.0.0.5-10.0.0.9`, `10.0.0.7`. */
  readonly text: string;
  readonly range: AddressRange;
  /** In lower case, such as `active` and `container`; undefined when empty. */
  readonly status: string | undefined;
  /** All names of the VRF; empty for the global table. */
  readonly vrf: readonly string[];
  /**
   * True when all addresses may be assigned, including the first and last. False when the export
   * does not say.
   */
  readonly isPool: boolean;
  /** True when NetBox marks it as fully used. */
  readonly isUsedUp: boolean;
  readonly description: string | undefined;
  /** The users of an address: names of a device, interface or host. */
  readonly of: readonly string[];
  readonly row: NetBoxRow;
  readonly at: Position;
}

/**
 * Converts a row of an export; undefined, with a note, for objects of other kinds. Problems:
 * FIELD_MISSING for a range without an end, ADDRESS_INVALID.
 */
export function netBoxObject(reader: SourceReader, row: NetBoxRow): NetBoxObject | undefined {
  const kind = kindOf(row);
  if (kind === undefined) {
    const name = fieldOf(row, 'display', 'name', 'aggregate')?.texts[0] ?? 'an object';
    reader.leave(name, 'it is not a prefix, IP range or IP address of NetBox', row.at);
    return undefined;
  }
  if (isFreeSpace(row)) {
    reader.leave('free space', 'NetBox shows it as a row of its own: it is not an object', row.at);
    return undefined;
  }
  const written = writtenRange(reader, kind, row);
  if (!written) return undefined;
  const { text, at, range } = written;
  return {
    kind,
    text,
    range,
    at,
    row,
    status: fieldOf(row, 'status')?.texts[0]?.toLowerCase(),
    vrf: vrfOf(row),
    isPool: isTrue(row, 'is_pool', 'pool'),
    isUsedUp: isTrue(row, 'mark_utilized', 'marked_utilized', 'mark_populated', 'marked_populated'),
    description: fieldOf(row, 'description')?.texts[0]?.replace(/\s+/g, ' '),
    of: namesOf(row),
  };
}

/** The first of these fields that a row has, even if empty. */
export function fieldOf(
  { fields }: NetBoxRow,
  ...names: readonly string[]
): NetBoxValue | undefined {
  for (const name of names) {
    const value = fields.get(name);
    if (value) return value;
  }
  return undefined;
}

function kindOf(row: NetBoxRow): NetBoxKind | undefined {
  // An aggregate has a prefix too, and no status.
  if (row.fields.has('rir')) return undefined;
  return ownFields.find(([, names]) => fieldOf(row, ...names))?.[0];
}

/** A table below a prefix has rows for the free space between its objects. */
function isFreeSpace(row: NetBoxRow): boolean {
  const id = row.fields.get('id');
  return (
    id?.texts.length === 0 && (row.fields.get('status')?.texts[0] ?? 'Available') === 'Available'
  );
}

function writtenRange(reader: SourceReader, kind: NetBoxKind, row: NetBoxRow) {
  const names = ownFields.find(([one]) => one === kind)?.[1] ?? [];
  const value = fieldOf(row, ...names);
  const at = value?.at ?? row.at;
  const [first = ''] = value?.texts ?? [];
  const text = kind === 'prefix' ? first : rangeText(reader, kind, first, row);
  if (text === undefined) return undefined;
  const range = text === '0.0.0.0/0' || text === '::/0' ? wholeSpace(text) : parseRange(text);
  if (isRange(range)) return { text, range, at };
  reader.refuse('ADDRESS_INVALID', range.reason, at);
  return undefined;
}

/** NetBox appends the prefix length of the network, which is not part of the address. */
function rangeText(
  reader: SourceReader,
  kind: NetBoxKind,
  first: string,
  row: NetBoxRow,
): string | undefined {
  const start = withoutLength(first);
  if (kind === 'address') return start;
  const end = fieldOf(row, 'end_address');
  if (end) return `${start}-${withoutLength(end.texts[0] ?? '')}`;
  reader.refuse('FIELD_MISSING', 'the IP range has no end address', row.at);
  return undefined;
}

function withoutLength(text: string): string {
  return text.replace(/\/\d{1,3}$/, '');
}

/** NetBox allows a prefix that covers the whole address space. */
function wholeSpace(text: string): AddressRange {
  const from = parseAddress(text.replace('/0', ''));
  if (!isAddress(from)) throw new TypeError(from.reason);
  const bits = from.family === 'ipv4' ? 32n : 128n;
  return { from, to: { family: from.family, value: (1n << bits) - 1n } };
}

function vrfOf(row: NetBoxRow): readonly string[] {
  const texts = row.fields.get('vrf')?.texts ?? [];
  if (texts.every((text) => text.toLowerCase() === 'global')) return [];
  // In CSV it is `name (rd)`.
  const names = texts.flatMap((text) => {
    const [, name, rd] = /^(.*) \(([^()]*)\)$/.exec(text) ?? [];
    return name !== undefined && rd !== undefined ? [name, rd, text] : [text];
  });
  return [...new Set(names)];
}

function isTrue(row: NetBoxRow, ...names: readonly string[]): boolean {
  return /^(?:true|yes|1|✔)$/i.test(fieldOf(row, ...names)?.texts[0] ?? '');
}

function namesOf(row: NetBoxRow): readonly string[] {
  const assigned = row.fields
    .get('assigned')
    ?.texts.filter((text) => !/^(?:true|false)$/i.test(text));
  const places =
    assigned && assigned.length > 0
      ? assigned
      : ['device_vm', 'parent', 'assigned_object_parent', 'interface', 'assigned_object'].flatMap(
          (name) => row.fields.get(name)?.texts[0] ?? [],
        );
  const where = [...new Set(places)].join(' ');
  const host = row.fields.get('dns_name')?.texts[0];
  return [where, host ?? ''].filter((text) => text !== '');
}
