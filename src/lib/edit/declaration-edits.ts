import {
  type CST,
  Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { leaseholdKeys, planeKeys } from '../../core/declarations/service/service-metadata.ts';
import {
  type HttpOptions,
  httpFields,
  type IPFamily,
  type LeaseHost,
  unusualOptions,
} from '../../core/model/lease.ts';
import { groupBy } from '../../core/model/order.ts';
import { InternalError } from '../../core/model/problem.ts';
import { type Address, formatAddress } from '../../core/net/address.ts';
import { hasKey, hasValue, withEntry, withoutEntry, withValue } from './yaml-edit.ts';

/** An endpoint to write; a missing field keeps its default. */
export interface WrittenClaim {
  readonly name: string;
  readonly service: string;
  readonly port: number;
  readonly externalPort?: number;
  readonly protocol?: string;
  readonly zone?: string;
  readonly pool?: string;
  readonly ipFamily?: string;
  readonly address?: string;
  readonly retentionDays?: number;
  readonly selector?: Readonly<Record<string, string>>;
}

/** Hostnames of a service to write. */
export interface WrittenHost {
  readonly service: string;
  readonly accept: readonly string[];
  /** Those that differ from Akash's defaults. */
  readonly httpOptions?: Partial<HttpOptions>;
}

/** The parts of a lease to write. */
export interface WrittenParts {
  readonly claims: readonly WrittenClaim[];
  readonly hosts: readonly WrittenHost[];
}

/** An entry for all hostnames of one service with equal options. */
export function writtenHosts(hosts: readonly Omit<LeaseHost, 'at'>[]): readonly WrittenHost[] {
  const groups = groupBy(hosts, ({ service, http }) =>
    JSON.stringify([service, ...httpFields(http)]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { service, http } = first;
    const names = [...unusualOptions(http).keys()];
    const accept = group.map(({ hostname }) => hostname);
    if (names.length === 0) return [{ service, accept }];
    const httpOptions = Object.fromEntries(names.map((name) => [name, http[name]]));
    return [{ service, accept, httpOptions }];
  });
}

/** The id of a lease to write, and its cluster. */
export interface WrittenLease {
  readonly owner: string;
  readonly dseq: string;
  readonly gseq: number;
  readonly oseq: number;
  /** Undefined for the cluster's provider. */
  readonly provider?: string;
  readonly cluster?: string;
}

/** The text of a declaration of a new lease. */
export function newLeaseText(
  { cluster, ...id }: WrittenLease,
  { claims, hosts }: WrittenParts,
): string {
  const spec = { id, ...(cluster === undefined ? {} : { cluster }) };
  const document = new Document({ apiVersion: 'leasehold.dev/v1', kind: 'Lease', spec });
  const listText = (key: string, items: readonly object[]): string =>
    items.length === 0
      ? ''
      : [`  ${key}:`, ...items.map((item) => `    - ${flowLine(item)}`), ''].join('\n');
  return `${document.toString(style)}${listText('endpoints', claims)}${listText('hosts', hosts)}`;
}

/** The text of a new declaration whose fields are all in its `spec`. Undefined fields are left out. */
export function newSpecText({ kind, ...fields }: { readonly kind: string }): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const spec = Object.fromEntries(given);
  return new Document({ apiVersion: 'leasehold.dev/v1', kind, spec }).toString(style);
}

/**
 * Appends an endpoint, as one line, to the text of a valid declaration. Preserves every other
 * character.
 */
export function withEndpoint(text: string, claim: WrittenClaim): string {
  return withItem(text, 'endpoints', claim);
}

/** The same for hostnames of a service. */
export function withHost(text: string, host: WrittenHost): string {
  return withItem(text, 'hosts', host);
}

function withItem(text: string, key: 'endpoints' | 'hosts', item: object): string {
  const path = ['spec', key];
  if (!hasKey(text, path)) return withEntry(text, ['spec'], key, `[${flowLine(item)}]`);
  const list = listIn(text, path);
  if (list.flow) return flowText(text, list, [...flowItems(text, list), flowLine(item)]);
  const last = blockItems(text, list).at(-1);
  if (last === undefined)
    throw new InternalError(`a declaration with empty ${key} was not refused`);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const before = text.slice(0, last.end);
  const line = `${last.indent}- ${flowLine(item)}${newline}`;
  return `${before}${before.endsWith('\n') ? '' : newline}${line}${text.slice(last.end)}`;
}

/**
 * Removes the endpoints at `indexes`, from 0, from the text of a valid declaration. Preserves
 * comments on lines of their own. Returns undefined when no endpoint remains.
 */
export function withoutEndpoints(text: string, indexes: ReadonlySet<number>): string | undefined {
  const path = ['spec', 'endpoints'];
  const isOver = listIn(text, path).items.every((_, index) => indexes.has(index));
  return isOver ? undefined : withoutItems(text, path, indexes);
}

/** Removes the items at `indexes` from a list. At least one other item must be in it. */
function withoutItems(
  text: string,
  path: readonly (string | number)[],
  indexes: ReadonlySet<number>,
): string {
  const list = listIn(text, path);
  if (list.flow) {
    const kept = flowItems(text, list).filter((_, index) => !indexes.has(index));
    return flowText(text, list, kept);
  }
  const gone = blockItems(text, list).filter((_, index) => indexes.has(index));
  return gone.reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), text);
}

/**
 * Removes hostnames from the `hosts` of a valid declaration, with the entries that have no other
 * ones, and `hosts` when none remains. Preserves comments on lines of their own.
 */
export function withoutHostnames(text: string, gone: ReadonlySet<string>): string {
  const { hosts }: { hosts: readonly { accept: readonly string[] }[] } =
    parseDocument(text).toJS().spec;
  const isGone = (name: string): boolean => gone.has(name);
  const indexesOf = <Item>(items: readonly Item[], isEnded: (item: Item) => boolean) =>
    new Set(items.flatMap((item, index) => (isEnded(item) ? [index] : [])));
  const over = indexesOf(hosts, ({ accept }) => accept.every(isGone));
  if (over.size === hosts.length) return withoutEntry(text, ['spec'], 'hosts');
  const edited = hosts.reduce((before, { accept }, index) => {
    const indexes = indexesOf(accept, isGone);
    if (indexes.size === 0 || over.has(index)) return before;
    return withoutItems(before, ['spec', 'hosts', index, 'accept'], indexes);
  }, text);
  return over.size === 0 ? edited : withoutItems(edited, ['spec', 'hosts'], over);
}

/** Removes all endpoints of a valid declaration, which has hostnames. */
export function withoutEndpointList(text: string): string {
  return withoutEntry(text, ['spec'], 'endpoints');
}

const style = { lineWidth: 0, singleQuote: true } as const;

/** `{ name: shop, service: web, port: 8000 }`. */
function flowLine(item: object): string {
  const document = new Document(item, { flow: true });
  return document.toString(style).trimEnd();
}

function listIn(text: string, path: readonly (string | number)[]): YAMLSeq<Node> {
  const document = parseDocument(text, { version: '1.2', keepSourceTokens: true });
  const list = document.getIn(path, true);
  if (isSeq<Node>(list)) return list;
  throw new InternalError(`a declaration without ${path.join('.')} was not refused`);
}

/** The offsets of an item's lines, from the line of its dash to the end of its last line. */
interface Lines {
  readonly start: number;
  readonly end: number;
  /** The text before its dash. */
  readonly indent: string;
}

function blockItems(text: string, list: YAMLSeq<Node>): readonly Lines[] {
  const source = list.srcToken as CST.BlockSequence;
  const dashes = source.items.flatMap(({ start }) =>
    start.filter(({ type }) => type === 'seq-item-ind').map(({ offset }) => offset),
  );
  return list.items.map((item, index) => {
    const dash = dashes[index] ?? 0;
    const start = text.lastIndexOf('\n', dash) + 1;
    const last = text.slice(0, item.range?.[1]).trimEnd().length;
    const newline = text.indexOf('\n', last);
    return { start, end: newline < 0 ? text.length : newline + 1, indent: text.slice(start, dash) };
  });
}

function flowItems(text: string, list: YAMLSeq<Node>): readonly string[] {
  return list.items.map((item) => text.slice(item.range?.[0], item.range?.[1]));
}

function flowText(text: string, list: YAMLSeq<Node>, items: readonly string[]): string {
  const [start = 0, end = 0] = list.range ?? [];
  return `${text.slice(0, start)}[${items.join(', ')}]${text.slice(end)}`;
}

const annotation = leaseholdKeys.addresses;

/** Adds `address` to endpoints of a `Lease` that have none, by index. */
export function withEndpointPins(text: string, pins: ReadonlyMap<number, Address>): string {
  return [...pins].reduce(
    (before, [index, address]) =>
      withEntry(before, ['spec', 'endpoints', index], 'address', scalar([address])),
    text,
  );
}

/** Sets the addresses of a `Reservation`, IPv4 first. */
export function withReservationPins(text: string, addresses: readonly Address[]): string {
  const list = `[${addresses.map((address) => scalar([address])).join(', ')}]`;
  return hasKey(text, ['spec', 'addresses'])
    ? withValue(text, ['spec', 'addresses'], list)
    : withEntry(text, ['spec'], 'addresses', list);
}

/** Fields of a `Reservation` to set; a missing one stays as it is. */
export interface ReservationFields {
  readonly ipFamily?: IPFamily;
  /** IPv4 first; none removes the field. */
  readonly addresses?: readonly Address[];
  readonly retentionDays?: number;
  readonly denyExternalCleanup?: boolean;
}

/** Sets fields of a `Reservation`. */
export function withReservationFields(
  text: string,
  { addresses, ...fields }: ReservationFields,
): string {
  const spec = ['spec'];
  const own = Object.entries(fields).reduce(
    (before, [key, value]) =>
      hasKey(before, [...spec, key])
        ? withValue(before, [...spec, key], String(value))
        : withEntry(before, spec, key, String(value)),
    text,
  );
  if (!addresses) return own;
  if (addresses.length > 0) return withReservationPins(own, addresses);
  return hasKey(own, [...spec, 'addresses']) ? withoutEntry(own, spec, 'addresses') : own;
}

/** Sets leasehold's annotation for pins on a `Service`, IPv4 first. */
export function withServicePins(text: string, addresses: readonly Address[]): string {
  const value = scalar(addresses);
  const annotations = ['metadata', 'annotations'];
  if (hasValue(text, [...annotations, annotation])) {
    return withValue(text, [...annotations, annotation], value);
  }
  if (hasValue(text, annotations)) return withEntry(text, annotations, annotation, value);
  return hasKey(text, annotations)
    ? withValue(text, annotations, `{ ${annotation}: ${value} }`)
    : withEntry(text, ['metadata'], 'annotations', `{ ${annotation}: ${value} }`);
}

/** Replaces the address of an endpoint of a `Lease` that has one. */
export function withOtherEndpointPin(text: string, index: number, address: Address): string {
  return withValue(text, ['spec', 'endpoints', index, 'address'], scalar([address]));
}

/** Replaces the addresses of a `Service` in the annotation or field that pins them. */
export function withOtherServicePins(text: string, addresses: readonly Address[]): string {
  const keys = [annotation, ...planeKeys.map((own) => own.addresses)];
  const places = [
    ...keys.map((key) => ['metadata', 'annotations', key]),
    ['spec', 'loadBalancerIP'],
  ];
  const place = places.find((path) => hasValue(text, path));
  if (!place) throw new InternalError('a Service without a pin');
  return withValue(text, place, scalar(addresses));
}

/** True when a `Service` pins addresses with leasehold's annotation, not with MetalLB's. */
export function isAnnotated(text: string): boolean {
  return hasValue(text, ['metadata', 'annotations', annotation]);
}

/** Addresses as a YAML scalar, quoted unless it is a single IPv4 address. */
function scalar(addresses: readonly Address[]): string {
  const text = addresses.map(formatAddress).join(',');
  return /^[\d.]+$/.test(text) ? text : `'${text}'`;
}

/** The fields of the key and the signature in a kind of declaration. */
interface SignatureFields {
  readonly map: readonly string[];
  readonly secret: string;
  readonly signature: string;
}

const inService: SignatureFields = {
  map: ['metadata', 'annotations'],
  secret: leaseholdKeys.secret,
  signature: leaseholdKeys.signature,
};

const inReservation: SignatureFields = { map: ['spec'], secret: 'secret', signature: 'signature' };

/**
 * Sets the signature of a valid Service or Reservation that names a key: replaces the existing one,
 * or adds a line after the key's. Preserves every other character, except when the key is written
 * in explicit form (`? …`): then the `yaml` package prints the whole text, with its comments.
 */
export function withSignature(text: string, signature: string): string {
  const document = parseDocument(text, { version: '1.2', keepSourceTokens: true });
  const fields = document.get('kind') === 'Service' ? inService : inReservation;
  const map = document.getIn(fields.map, true);
  const secret = isMap(map) ? pairOf(map, fields.secret) : undefined;
  if (!isMap(map) || !secret) throw new InternalError('a declaration without a key is signed');
  const value = `'${signature}'`;
  const old = pairOf(map, fields.signature);
  if (old) return replaced(text, old.value, value);
  const [start] = rangeOf(secret.key);
  if (map.flow) return inserted(text, start, `${fields.signature}: ${value}, `);
  const indent = text.slice(text.lastIndexOf('\n', start) + 1, start);
  if (indent.trim() !== '') {
    map.set(fields.signature, signature);
    return document.toString({ lineWidth: 0, singleQuote: true });
  }
  const last = text.slice(0, rangeOf(secret.value)[1]).trimEnd().length;
  const newline = text.indexOf('\n', last);
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const line = `${indent}${fields.signature}: ${value}${lineEnd}`;
  return newline < 0 ? `${text}${lineEnd}${line}` : inserted(text, newline + 1, line);
}

type KeyedPair = Pair<Scalar, Scalar>;

function pairOf(map: YAMLMap, key: string): KeyedPair | undefined {
  return map.items.find(
    (pair): pair is KeyedPair =>
      isScalar(pair.key) && pair.key.value === key && isScalar(pair.value),
  );
}

function rangeOf(node: Scalar | null): readonly [number, number] {
  const [start, end] = node?.range ?? [];
  if (start === undefined || end === undefined)
    throw new InternalError('a YAML node without a range');
  return [start, end];
}

/**
 * Replaces the value of a node. Preserves its trailing whitespace, such as a block's line break.
 */
function replaced(text: string, node: Scalar | null, value: string): string {
  const [start, end] = rangeOf(node);
  const last = text.slice(0, end).trimEnd().length;
  return text.slice(0, start) + value + text.slice(Math.max(last, start));
}

function inserted(text: string, offset: number, part: string): string {
  return text.slice(0, offset) + part + text.slice(offset);
}
