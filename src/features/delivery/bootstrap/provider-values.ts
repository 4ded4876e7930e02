import { failSorted, type Outcome, ok, type Position, placeText } from '../../../model/problem.ts';
import { valueText } from '../../../text/message-text.ts';
import { sanitize } from '../../../text/print/escape.ts';
import {
  type ImportFile,
  readSourceDocument,
  type SourceFields,
  type SourceNode,
  SourceReader,
  sourceKeyPlace,
  sourcePlace,
} from '../../../text/source-reader.ts';
import {
  hasKey,
  hasValue,
  isAliased,
  withEntry,
  withItems,
  withValue,
} from '../../../text/yaml/yaml-edit.ts';

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
  /** The position of `ip-lease: true` in the original file; undefined without it. */
  readonly advertised: Position | undefined;
}

/** The attribute by which tenants find providers with leased IPs. Akash: guide to IP leases. */
const attribute = 'ip-lease';
const item = [
  ['key', attribute],
  ['value', '"true"'],
] as const;

/**
 * Turns the IP operator on or off in the values of Akash's chart `akash-provider`; on also sets the
 * attribute `ip-lease`. All other characters are kept. Akash: helm-charts,
 * charts/akash-provider/values.yaml. Problems: those of {@link readSourceDocument}, FIELD_TYPE,
 * FIELD_MISSING, FIELD_UNKNOWN for the provider's file on the chain, FIELD_VALUE for a duplicate
 * attribute, YAML_ALIAS for a value that is shared with another place.
 */
export function editProviderValues(file: ImportFile, isOn: boolean): Outcome<ProviderEdit> {
  const read = readSourceDocument(file);
  if (!read.ok) return read;
  const { root, text } = read.value;
  const reader = new SourceReader();
  const fields = reader.mapping(root) ?? new Map<string, SourceNode>();
  refuseChainFile(reader, fields);
  const edit = new Edit(text);
  setOperator(reader, fields, edit, isOn);
  const attributes = readAttributes(reader, fields, text);
  if (isOn && attributes) setAttribute(reader, attributes, edit);
  if (reader.problems.length > 0) {
    return failSorted(reader.problems);
  }
  const advertised = attributes?.items.find(({ isTrue }) => isTrue)?.at;
  return ok({ text: edit.text, changes: edit.changes, advertised });
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

interface Attribute {
  readonly index: number;
  readonly node: SourceNode;
  readonly value: SourceNode | undefined;
  /** True for `true` and `"true"`: the chart writes both alike. */
  readonly isTrue: boolean;
  readonly at: Position;
}

interface Attributes {
  /** Undefined without a key `attributes`. */
  readonly node: SourceNode | undefined;
  /** Those with the key ip-lease. */
  readonly items: readonly Attribute[];
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
  const items = list.flatMap((one, index): Attribute[] => {
    const own = reader.mapping(one);
    if (own?.get('key')?.value !== attribute) return [];
    const value = own.get('value');
    const isTrue = value?.value === true || value?.value === 'true';
    return [{ index, node: one, value, isTrue, at: sourcePlace(value ?? one) }];
  });
  const [first, second] = items;
  if (first && second) {
    const message = `duplicate attribute ${attribute}, expected once`;
    reader.refuse('FIELD_VALUE', message, sourcePlace(second.node), 'remove one of them');
  }
  return { node, items, count: list.length };
}

function setAttribute(reader: SourceReader, attributes: Attributes, edit: Edit): void {
  const [first] = attributes.items;
  if (reader.problems.length > 0 || first?.isTrue) return;
  if (!first) {
    edit.change(withNewAttribute(edit.text, attributes), { ...toTrue, at: undefined });
    return;
  }
  const path = ['attributes', first.index];
  const { value, at } = first;
  if (refuseShared(reader, edit.text, path, first.node)) return;
  if (!value) edit.change(withEntry(edit.text, path, 'value', '"true"'), { ...toTrue, at });
  else if (!refuseShared(reader, edit.text, [...path, 'value'], value)) {
    const from = formerText(value.value);
    edit.change(withValue(edit.text, [...path, 'value'], '"true"'), { ...toTrue, from, at });
  }
}

const toTrue = { field: `the attribute ${attribute}`, to: 'true', from: undefined } as const;

function withNewAttribute(text: string, { node, count }: Attributes): string {
  if (count > 0) return withItems(text, ['attributes'], [item]);
  const list = `[{ ${item.map(([key, value]) => `${key}: ${value}`).join(', ')} }]`;
  return node ? withValue(text, ['attributes'], list) : withEntry(text, [], 'attributes', list);
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

/** The changes of an edit and their consequences, one line each. */
export function providerEditText(file: string, edit: ProviderEdit, isOn: boolean): string {
  const changes = edit.changes.map(({ field, from, to, at }) => {
    const place = at ? placeText(at) : file;
    return `${place} ${field}: ${from === undefined ? '' : `${from} becomes `}${to}`;
  });
  const { advertised: at } = edit;
  const cautions = isOn
    ? [
        'the provider then waits for the Service operator-ip before it serves: run leasehold serve there (leasehold bootstrap serve); the IP operator must not run beside leasehold',
      ]
    : [
        'the provider does not bid on orders for leased IPs',
        ...(at
          ? [`${placeText(at)} the provider still advertises leased IPs to tenants (ip-lease)`]
          : []),
      ];
  const lines = [
    ...(changes.length > 0 ? changes : [`${file} already has these values`]),
    ...cautions.map((caution) => `caution: ${caution}`),
  ];
  return lines.map((line) => `${sanitize(line)}\n`).join('');
}
