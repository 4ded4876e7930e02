import { compareText, sortedEntries } from '../../model/order.ts';
import type { Policy } from '../../model/policy.ts';
import type { Pools } from '../../model/pools.ts';
import { counted, fewOf } from '../../model/problem.ts';
import { type AddressRange, formatRange } from '../../net/range.ts';
import { valueAt } from '../../text/message-text.ts';
import { fieldDifferences } from './objects/field-changes.ts';

/*
 * The differences between two pool files, or two policies. All fields of the model are compared: a
 * new one needs nothing here.
 */

/** The lists of named items, each with the noun of an item. */
const nouns: Readonly<Record<string, string>> = {
  clusters: 'cluster',
  pools: 'pool',
  advertisements: 'advertisement',
  anycast: 'anycast group',
  tenants: 'tenant',
};

type Fields = Readonly<Record<string, unknown>>;

/** A difference, as a short phrase. */
interface DeclaredChange {
  readonly text: string;
  /** The list of an item that both files have. */
  readonly list?: string;
  /** The field that differs; undefined for an item that only one file has. */
  readonly path?: string;
}

/** The differences: settings first, then items by name. */
export function declaredChanges<Kind extends Pools | Policy>(
  before: Kind,
  after: Kind,
): DeclaredChange[] {
  const [old, now] = [plainFields(before), plainFields(after)];
  const lists = Object.keys(nouns);
  return [
    ...lines('', without(old, lists), without(now, lists)),
    ...lists.flatMap((list) => itemLines(list, old[list] ?? {}, now[list] ?? {})),
  ];
}

function without(fields: Fields, lists: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !lists.includes(name)));
}

function itemLines(list: string, before: object, after: object): DeclaredChange[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...old.keys(), ...now.keys()])].sort(compareText).flatMap((name) => {
    const item = `${nouns[list]} ${name}`;
    if (!old.has(name)) return [{ text: `${item} added` }];
    if (!now.has(name)) return [{ text: `${item} removed` }];
    const own = lines(`${item}: `, old.get(name), now.get(name));
    return own.map((change) => ({ ...change, list }));
  });
}

function lines(prefix: string, before: unknown, after: unknown): DeclaredChange[] {
  // Without a value it can be that of the pool, or any: an empty list is another.
  const shown = (text = 'unset') => (text === '[]' ? 'none' : text);
  return fieldDifferences(before, after).map(({ path, before: was, after: is }) => {
    const [old, now] = [before, after].map((side) => valueAt(side, path.split('.')));
    const text = listText(old, now) ?? `${shown(was)} → ${shown(is)}`;
    return { path, text: `${prefix}${path} ${text}` };
  });
}

/** What two lists of texts do not have in common; undefined when that is all of one of them. */
function listText(before: unknown, after: unknown): string | undefined {
  if (!isTexts(before) || !isTexts(after)) return undefined;
  const removed = before.filter((text) => !after.includes(text));
  const added = after.filter((text) => !before.includes(text));
  if (removed.length === before.length || added.length === after.length) return undefined;
  if (removed.length === 0) return `${fewOf(added, mostItems)} added`;
  if (added.length === 0) return `${fewOf(removed, mostItems)} removed`;
  return `${fewOf(removed, mostItems)} → ${fewOf(added, mostItems)}`;
}

/** The most items of a list in a difference; the others are counted. */
const mostItems = 8;

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** The content as one text: equal for files of the same meaning. Empty without a file. */
export function declaredText(declared: Pools | Policy | undefined): string {
  if (!declared) return '';
  const order = 'pools' in declared ? declared.pools.map(({ name }) => name) : [];
  return JSON.stringify([plainFields(declared), order]);
}

/** At most this many differences are named. */
const mostNamed = 100;

/** The differences in one sentence. */
export function changesSentence(changes: readonly string[]): string {
  const more = changes.length - mostNamed;
  const shown = changes.slice(0, mostNamed).join('; ');
  return more > 0 ? `${shown}; and ${counted(more, 'more change')}` : shown;
}

/** Fields that say where something is written. */
const places = ['at', 'clustersAt', 'places'];

function plainFields(declared: Pools | Policy): Fields {
  // The tenants by folder repeat the tenants.
  const { folders: _, ...fields } = declared as Policy;
  return plain(fields) as Fields;
}

/** A value without places, with texts for ranges, and lists in an order that is not the author's. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Map) return plain(Object.fromEntries(value));
  if (Array.isArray(value)) return plainList(value);
  const fields = value as Fields;
  if (fields.kind === 'l2' || fields.kind === 'bgp') return plain(advertised(fields));
  const text = rangeText(fields);
  if (text !== undefined) return text;
  // A set of ranges is a list of them.
  if (Object.keys(fields).join() === 'ranges') return plain(fields.ranges);
  return Object.fromEntries(
    sortedEntries(
      Object.entries(fields)
        .filter(([name]) => !places.includes(name))
        .map(([name, part]) => writtenField(name, part)),
    ),
  );
}

/** A field in the words of the file; `metallb` is the plane of a cluster, and its kind. */
function writtenField(name: string, value: unknown): readonly [string, unknown] {
  if (name === 'ranges') return ['addresses', plain(value)];
  if (name !== 'plane') return [name, plain(value)];
  const { kind, ...fields } = value as Fields;
  return [String(kind), plain(fields)];
}

/** An advertisement as it is written: its fields are below `l2` or `bgp`. */
function advertised({ kind, name, ...fields }: Fields): Fields {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { ...(name === undefined ? {} : { name }), [String(kind)]: Object.fromEntries(given) };
}

/** Items with names of their own are compared by them, and others as a set. */
function plainList(items: readonly unknown[]): unknown {
  const parts = items.map(plain);
  const [first] = parts;
  if (parts.length === 1 && isAdvertised(first)) return first;
  const names = new Set(parts.filter(isNamed).map(({ name }) => name));
  if (parts.length === 0 || names.size < parts.length) {
    return parts.sort((one, other) => compareText(valueKey(one), valueKey(other)));
  }
  return Object.fromEntries(
    sortedEntries(parts.filter(isNamed).map(({ name, ...fields }) => [name, fields])),
  );
}

/** True for how a pool is announced: a pool mostly has one way, and the file then has no list. */
function isAdvertised(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('l2' in value || 'bgp' in value);
}

function isNamed(value: unknown): value is { readonly name: string } {
  return typeof value === 'object' && value !== null && 'name' in value;
}

function valueKey(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

/** Ranges of addresses and of ports, rules of a NAT, namespaces of a policy. */
function rangeText(fields: Fields): string | undefined {
  const { from, to, inside, outside, cluster, name } = fields;
  if (inside !== undefined) return `${plain(inside)} as ${plain(outside)}`;
  if (typeof from === 'object') return formatRange(fields as unknown as AddressRange);
  if (typeof from === 'number') return from === to ? String(from) : `${from}-${to}`;
  if (Object.keys(fields).sort(compareText).join() === 'cluster,name') {
    return cluster === undefined ? String(name) : `${cluster}/${name}`;
  }
  return undefined;
}
