import { failSorted, type Outcome, ok, type Position } from '../../../core/model/problem.ts';
import { valueText } from '../../../core/text/message-text.ts';
import type { InputFile } from '../../../core/text/yaml/template-hints.ts';
import type { Offer, ProviderAttribute } from '../../../lib/akash/provider-attributes.ts';
import {
  hasKey,
  hasValue,
  isAliased,
  type NewItem,
  withEntry,
  withItems,
  withValue,
} from '../../../lib/edit/yaml-edit.ts';
import {
  readSourceDocument,
  type SourceFields,
  type SourceNode,
  SourceReader,
  sourceKeyPlace,
  sourcePlace,
} from '../../../lib/foreign/source-reader.ts';

/**
 * The attributes by which tenants find providers with leased IPs: that of Akash's older guide, the
 * two of its list of attributes. Akash's Console reads the last one only.
 */
const leasedIPAttributes = ['ip-lease', 'capabilities/ip-lease', 'feat-endpoint-ip'].map(
  (key): ProviderAttribute => ({ key, value: 'true' }),
);

/** One changed field of the values of a provider. */
interface ProviderEditChange {
  readonly field: string;
  /** The former value; undefined when the field was not set. */
  readonly from: string | undefined;
  readonly to: string;
  /** The position of the former value; undefined when the field was not set. */
  readonly at: Position | undefined;
}

/** The edited values of a provider. */
export interface ProviderEdit {
  readonly text: string;
  /** Empty when the file already has the values. */
  readonly changes: readonly ProviderEditChange[];
  /** The attributes in the original file that offer leased IPs. */
  readonly advertised: readonly WrittenAttribute[];
  /** The GPUs and storage classes that only the file has; empty without an inventory. */
  readonly undeclared: readonly WrittenAttribute[];
}

/** How the values are changed. */
interface ProviderChoice {
  /** True when the provider has an IP operator to call. */
  readonly isOn: boolean;
  /** Its GPUs and storage classes become attributes. */
  readonly offer?: Offer | undefined;
}

/**
 * Turns the IP operator on or off in the values of Akash's chart `akash-provider`; on also sets
 * {@link leasedIPAttributes}. An inventory sets the attributes of GPUs and storage, and removes none. All
 * other characters are kept. Akash: helm-charts, charts/akash-provider/values.yaml. Problems: those
 * of {@link readSourceDocument}, FIELD_TYPE, FIELD_MISSING, FIELD_UNKNOWN for the provider's file on
 * the chain, FIELD_VALUE for a duplicate attribute, YAML_ALIAS for a value that is shared with
 * another place.
 */
export function editProviderValues(
  file: InputFile,
  { isOn, offer }: ProviderChoice,
): Outcome<ProviderEdit> {
  const read = readSourceDocument(file);
  if (!read.ok) return read;
  const { root, text } = read.value;
  const reader = new SourceReader();
  const fields = reader.mapping(root) ?? new Map<string, SourceNode>();
  refuseChainFile(reader, fields);
  const edit = new Edit(text);
  setOperator(reader, fields, edit, isOn);
  const attributes = readAttributes(reader, fields, text);
  const items = attributes?.items ?? [];
  const offered = offer?.attributes(items) ?? [];
  refuseDuplicates(reader, items, [...leasedIPAttributes, ...offered]);
  const wanted = [...(isOn ? leasedIPAttributes : []), ...offered];
  if (attributes) setAttributes(reader, attributes, edit, wanted);
  if (reader.problems.length > 0) {
    return failSorted(reader.problems);
  }
  const advertised = items.filter((one) => leasedIPAttributes.some((ip) => isSame(one, ip)));
  const keys = new Set(offered.map(({ key }) => key));
  const others = items.filter((one) => offer?.covers(one) && !keys.has(one.key));
  return ok({
    text: edit.text,
    changes: edit.changes,
    advertised,
    undeclared: others,
  });
}

/** The edited text and the list of changes. */
class Edit {
  readonly changes: ProviderEditChange[] = [];
  text: string;

  constructor(text: string) {
    this.text = text;
  }

  change(text: string, change: ProviderEditChange): void {
    this.text = text;
    this.changes.push(change);
  }
}

/** Refuses the file of `provider-services tx provider create`, whose fields Helm would ignore. */
function refuseChainFile(reader: SourceReader, fields: SourceFields): void {
  const host = fields.get('host');
  if (!host || fields.has('domain') || fields.has('from')) return;
  const message =
    "'host' is a field of the provider's file on the chain, expected values of the chart akash-provider";
  reader.refuse('FIELD_UNKNOWN', message, sourceKeyPlace(host));
}

function setOperator(reader: SourceReader, fields: SourceFields, edit: Edit, isOn: boolean): void {
  const node = fields.get('ipoperator');
  const value = reader.flag(node);
  // The chart's default is false.
  if (reader.problems.length > 0 || (value ?? false) === isOn) return;
  const field = 'ipoperator';
  const to = String(isOn);
  if (!node) {
    edit.change(withEntry(edit.text, [], field, to), { field, to, from: undefined, at: undefined });
    return;
  }
  if (refuseShared(reader, edit.text, [field], node)) return;
  const from = formerText(node.value);
  edit.change(withValue(edit.text, [field], to), { field, to, from, at: sourcePlace(node) });
}

/** An attribute of the file. Its value is text, as the chart writes it. */
interface WrittenAttribute extends ProviderAttribute {
  readonly index: number;
  readonly node: SourceNode;
  readonly valueNode: SourceNode | undefined;
  readonly at: Position;
}

interface Attributes {
  /** Undefined without a key `attributes`. */
  readonly node: SourceNode | undefined;
  /** Those with a key. */
  readonly items: readonly WrittenAttribute[];
  readonly count: number;
}

/** Returns undefined, after reporting a problem, when they cannot be edited. */
function readAttributes(
  reader: SourceReader,
  fields: SourceFields,
  text: string,
): Attributes | undefined {
  const node = fields.get('attributes');
  if (node && refuseShared(reader, text, ['attributes'], node)) return undefined;
  const list = reader.list(node);
  const items = list.flatMap((one, index): WrittenAttribute[] => {
    const own = reader.mapping(one);
    const key = own?.get('key')?.value;
    if (typeof key !== 'string') return [];
    const valueNode = own?.get('value');
    const value = scalarText(valueNode?.value);
    return [{ index, node: one, key, value, valueNode, at: sourcePlace(valueNode ?? one) }];
  });
  return { node, items, count: list.length };
}

/** FIELD_VALUE for each of some attributes that the file has twice. */
function refuseDuplicates(
  reader: SourceReader,
  items: readonly WrittenAttribute[],
  attributes: readonly ProviderAttribute[],
): void {
  for (const { key } of attributes) {
    const [, second] = items.filter((one) => one.key === key);
    if (!second) continue;
    const message = `duplicate attribute ${key}, expected once`;
    reader.refuse('FIELD_VALUE', message, sourcePlace(second.node), 'remove one of them');
  }
}

function isSame(written: ProviderAttribute, { key, value }: ProviderAttribute): boolean {
  return written.key === key && written.value === value;
}

/** Sets the values of attributes; those that the file lacks come at the end, in their order. */
function setAttributes(
  reader: SourceReader,
  attributes: Attributes,
  edit: Edit,
  wanted: readonly ProviderAttribute[],
): void {
  if (reader.problems.length > 0) return;
  const added: ProviderAttribute[] = [];
  for (const one of wanted) {
    const written = attributes.items.find(({ key }) => key === one.key);
    if (!written) added.push(one);
    else if (!isSame(written, one)) setAttribute(reader, written, edit, one.value);
  }
  if (added.length === 0) return;
  edit.text = withNewAttributes(edit.text, attributes, added);
  for (const one of added) edit.changes.push({ ...changeOf(one), from: undefined, at: undefined });
}

function setAttribute(
  reader: SourceReader,
  { index, key, at, node, valueNode }: WrittenAttribute,
  edit: Edit,
  value: string,
): void {
  const path = ['attributes', index];
  const change = { ...changeOf({ key, value }), at };
  if (refuseShared(reader, edit.text, path, node)) return;
  if (!valueNode) {
    const text = withEntry(edit.text, path, 'value', JSON.stringify(value));
    edit.change(text, { ...change, from: undefined });
  } else if (!refuseShared(reader, edit.text, [...path, 'value'], valueNode)) {
    const text = withValue(edit.text, [...path, 'value'], JSON.stringify(value));
    edit.change(text, { ...change, from: formerText(valueNode.value) });
  }
}

function changeOf({ key, value }: ProviderAttribute) {
  return { field: `the attribute ${key}`, to: value };
}

function withNewAttributes(
  text: string,
  { node, count }: Attributes,
  added: readonly ProviderAttribute[],
): string {
  const items = added.map(
    ({ key, value }): NewItem => [
      ['key', key],
      ['value', JSON.stringify(value)],
    ],
  );
  if (count > 0) return withItems(text, ['attributes'], items);
  const maps = items.map((item) => `{ ${item.map((pair) => pair.join(': ')).join(', ')} }`);
  const list = `[${maps.join(', ')}]`;
  return node ? withValue(text, ['attributes'], list) : withEntry(text, [], 'attributes', list);
}

/** The text that the chart writes of a scalar; empty for no value and for a collection. */
function scalarText(value: unknown): string {
  return ['string', 'boolean', 'number', 'bigint'].includes(typeof value) ? String(value) : '';
}

/** The text of a value; undefined for null. */
function formerText(value: unknown): string | undefined {
  if (value === null) return undefined;
  return typeof value === 'boolean' ? String(value) : valueText(value);
}

/** Returns true and reports YAML_ALIAS for a value that is shared with another place. */
function refuseShared(
  reader: SourceReader,
  text: string,
  path: readonly (string | number)[],
  node: SourceNode,
): boolean {
  const isOwn = node.value === null ? hasKey(text, path) : hasValue(text, path);
  if (isOwn && !isAliased(text, path)) return false;
  const where = isOwn ? 'has an anchor with an alias' : 'comes from an alias or a merge key';
  const message = `${path.join('.')} ${where}: changing it would change another place too`;
  reader.refuse('YAML_ALIAS', message, sourceKeyPlace(node), 'write the value out');
  return true;
}
