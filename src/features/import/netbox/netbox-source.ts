import { addToGroup } from '../../../core/model/order.ts';
import { failSorted, type Outcome, ok } from '../../../core/model/problem.ts';
import { formatRange } from '../../../core/net/range.ts';
import { rangeSetOf, setSize, subtract } from '../../../core/net/range-set.ts';
import { unroutableReason } from '../../../core/net/special-ranges.ts';
import type { InputFile } from '../../../core/text/yaml/template-hints.ts';
import { SourceReader } from '../../../lib/foreign/source-reader.ts';
import type { Imported, ImportedPool, ImportedRange } from '../imported.ts';
import { plainL2 } from '../parts/announced-pools.ts';
import {
  customTexts,
  isChosen,
  isOfVrf,
  missingFields,
  type NetBoxChoice,
  slugOf,
} from './netbox-choice.ts';
import {
  type NestedPart,
  type NetBoxPart,
  nestedParts,
  netBoxReserves,
  partText,
} from './netbox-nesting.ts';
import { type NetBoxObject, netBoxObject } from './netbox-object.ts';
import { readNetBoxRows } from './netbox-rows.ts';

/**
 * Reads prefixes, IP ranges and IP addresses of NetBox, from answers of its REST API or exported
 * CSV. Selected objects become pools; the other objects inside them are reserved. All files form
 * one NetBox. Problems: those of {@link readNetBoxRows}, {@link netBoxObject}, {@link
 * missingFields} and {@link netBoxPools}.
 */
export function readNetBox(files: readonly InputFile[], choice: NetBoxChoice): Outcome<Imported> {
  const reader = new SourceReader();
  const rows = readNetBoxRows(reader, files);
  const objects = distinct(rows.flatMap((row) => netBoxObject(reader, row) ?? []));
  missingFields(reader, objects, choice);
  const known = objects.filter((object) => isOfVrf(object, choice.vrf));
  const [first] = objects.filter((object) => !isOfVrf(object, choice.vrf));
  if (first) {
    const count = objects.length - known.length;
    const message = `${count} of other VRFs than ${choice.vrf} ignored, the first is ${first.text}`;
    reader.leave('objects', message, first.at);
  }
  const isPool = new Set(known.filter((object) => isChosen(object, choice)));
  const others = known.filter((object) => !isPool.has(object));
  const given = others.filter((object) => isGiven(object, choice));
  noteGiven(reader, given, choice);
  const reserved = others.filter((object) => !isGiven(object, choice));
  const pools = netBoxPools(reader, [...isPool], reserved, choice);
  const [pool] = pools;
  if (pool) {
    const message = 'NetBox does not record how they are announced: leasehold announces them by L2';
    reader.change('the pools', message, pool.at);
  }
  if (reader.problems.length > 0) {
    return failSorted(reader.problems);
  }
  const isServing = given.length > 0;
  return ok({ pools, notes: reader.notes, namespace: undefined, isServing });
}

/** Removes duplicates between pages and exports. */
function distinct(objects: readonly NetBoxObject[]): readonly NetBoxObject[] {
  const seen = new Set<string>();
  return objects.filter(({ kind, text, row }) => {
    const id = row.fields.get('id')?.texts[0];
    if (id === undefined) return true;
    const key = `${kind} ${id} ${text}`;
    return !seen.has(key) && seen.add(key);
  });
}

function isGiven(object: NetBoxObject, { givenField }: NetBoxChoice): boolean {
  return givenField !== undefined && customTexts(object, givenField).length > 0;
}

function noteGiven(
  reader: SourceReader,
  given: readonly NetBoxObject[],
  { givenField }: NetBoxChoice,
): void {
  const [first] = given;
  if (!first) return;
  const message = `${given.length} with the field '${givenField}' not reserved, the first is ${first.text}: declare what uses them before anything else`;
  reader.leave('what is given out', message, first.at);
}

/** Longest name made from a description, and longest RFC 1123 label. */
const longestName = { description: 40, label: 63 };

/**
 * The pools of the selected prefixes and IP ranges, with their reserved addresses. An address
 * belongs to the smallest object that contains it. Problems: FIELD_VALUE for a zone that makes no
 * valid name, or the same name as another, and those of {@link nestedParts}.
 */
function netBoxPools(
  reader: SourceReader,
  chosen: readonly NetBoxObject[],
  others: readonly NetBoxObject[],
  choice: NetBoxChoice,
): readonly ImportedPool[] {
  const usable = chosen.filter((object) => isUsable(reader, object));
  const flat = partsOf(reader, usable, choice);
  const { parts, problems } = nestedParts(flat);
  reader.problems.push(...problems);
  const left = chosen.filter(({ isUsedUp }) => isUsedUp);
  const reserves = netBoxReserves(parts, [...others, ...left]);
  noteElsewhere(
    reader,
    reserves.elsewhere.filter((object) => !left.includes(object)),
  );
  const byKey = new Map<string, NestedPart[]>();
  // In the order of the export.
  const nested = new Map(parts.map((part) => [part.object, part]));
  for (const { object, key } of flat) {
    const part = nested.get(object);
    if (part) addToGroup(byKey, key, part);
  }
  const taken = new Set<string>();
  return [...byKey].flatMap(([key, own]): readonly ImportedPool[] => {
    const [first] = own;
    const ranges = own.flatMap((part) => rangesOf(reader, part));
    if (!first || ranges.length === 0) return [];
    const name = poolName(first, choice, taken);
    const reserved = reserves.byKey.get(key) ?? [];
    const all = rangeSetOf(ranges.map(({ range }) => range));
    const used = reserved.filter((reserve) => !reserve.isExported);
    if (setSize(subtract(all, rangeSetOf(used.map(({ range }) => range)))) === 0n) {
      const message = 'it is not imported: every address of it is in use in NetBox';
      reader.leave(`pool ${name}`, message, first.object.at);
      return [];
    }
    taken.add(name);
    const { zone, object } = first;
    const rest = { avoidBuggyIPs: false, advertise: [{ ...plainL2, name }], at: object.at };
    return [{ name, isNamedHere: true, zone, ranges, reserved, ...rest }];
  });
}

function isUsable(reader: SourceReader, object: NetBoxObject): boolean {
  const { text, at, range, isUsedUp } = object;
  if (isUsedUp) {
    reader.leave(text, 'it is marked as fully used in NetBox, so nothing of it is given out', at);
    return false;
  }
  if (range.from.value === 0n && text.endsWith('/0')) {
    reader.leave(text, 'it is the whole address space, which cannot be a pool', at);
    return false;
  }
  const reason = unroutableReason(range);
  if (reason !== undefined) reader.leave(text, reason, at);
  return reason === undefined;
}

function partsOf(
  reader: SourceReader,
  objects: readonly NetBoxObject[],
  choice: NetBoxChoice,
): readonly NetBoxPart[] {
  const zones = new Map<string, string>();
  return objects.flatMap((object, index): readonly NetBoxPart[] => {
    const zone = zoneOf(reader, object, choice, zones);
    if (zone === 'refused') return [];
    const key = choice.per === 'zone' ? `zone ${zone?.name ?? ''}` : `prefix ${index}`;
    return [{ object, key, zone: zone?.name }];
  });
}

/** The zone in the custom field, as a valid label; undefined when no field is selected. */
function zoneOf(
  reader: SourceReader,
  object: NetBoxObject,
  { zoneField }: NetBoxChoice,
  zones: Map<string, string>,
): { readonly name: string } | 'refused' | undefined {
  if (zoneField === undefined) return undefined;
  const [written = ''] = customTexts(object, zoneField);
  const name = slugOf(written);
  const before = zones.get(name);
  if (name === '' || name.length > longestName.label || written.includes(',')) {
    const message = `'${written}' in the field '${zoneField}' cannot be turned into a zone name`;
    reader.refuse('FIELD_VALUE', message, object.at, 'a zone is one name of letters, digits and -');
    return 'refused';
  }
  if (before !== undefined && before !== written) {
    const message = `the zones '${before}' and '${written}' are both written ${name}`;
    reader.refuse('FIELD_VALUE', message, object.at, 'give one of them another name in NetBox');
    return 'refused';
  }
  if (before === undefined && name !== written) {
    reader.change(`zone ${name}`, `it is '${written}' in NetBox`, object.at);
  }
  zones.set(name, written);
  return { name };
}

/** The ranges that a part adds to its pool; none when it lies inside a part of the same pool. */
function rangesOf(reader: SourceReader, part: NestedPart): readonly ImportedRange[] {
  const { object, parent, key } = part;
  if (parent?.key === key) {
    const message = `it lies in ${partText(parent)}, whose addresses are all in the pool`;
    reader.leave(object.text, message, object.at);
    return [];
  }
  const others = otherPoolsWithin(part);
  for (const other of others) {
    const message = `${formatRange(other.object.range)} of it is left out: it is a pool of its own in ${other.object.at.file}:${other.object.at.line}`;
    reader.change(object.text, message, object.at);
  }
  const own = subtract(
    rangeSetOf([object.range]),
    rangeSetOf(others.map((other) => other.object.range)),
  );
  if (own.ranges.length === 0) {
    reader.leave(object.text, 'other pools contain all of its addresses', object.at);
  }
  return own.ranges.map((range) => ({ range, at: object.at }));
}

/**
 * The outermost parts of other pools inside a part, including those inside children of its own
 * pool.
 */
function otherPoolsWithin({ children, key }: NestedPart): readonly NestedPart[] {
  return children.flatMap((child) => (child.key === key ? otherPoolsWithin(child) : [child]));
}

/** The zone; otherwise the slug of the description, if short and unique; otherwise the prefix. */
function poolName(
  { object, zone }: NetBoxPart,
  { per }: NetBoxChoice,
  taken: ReadonlySet<string>,
): string {
  if (per === 'zone') return zone ?? 'netbox';
  const described = slugOf(object.description ?? '');
  if (described !== '' && described.length <= longestName.description && !taken.has(described)) {
    return described;
  }
  const plain = object.text.replace(/[^a-z0-9]/gi, '-').toLowerCase();
  return plain
    .replace(/^-+|-+$/g, '')
    .slice(0, longestName.label)
    .replace(/-+$/, '');
}

function noteElsewhere(reader: SourceReader, objects: readonly NetBoxObject[]): void {
  for (const [kind, noun] of [
    ['prefix', 'prefixes'],
    ['range', 'IP ranges'],
    ['address', 'IP addresses'],
  ] as const) {
    const [first, ...rest] = objects.filter((object) => object.kind === kind);
    if (!first) continue;
    const count = rest.length + 1;
    const what = kind === 'address' ? 'in no pool' : 'not chosen and in no pool';
    const message = `${count} ${what}, the first is ${first.text}`;
    reader.leave(noun, message, first.at);
  }
}
