import type { ImportFile } from '../../../model/input-file.ts';
import { compareProblems, type Outcome, type Position, placeText } from '../../../model/problem.ts';
import { valueText } from '../../../text/field-text.ts';
import {
  type ForeignFields,
  type ForeignNode,
  ForeignReader,
  keyPlaceOf,
  placeOf,
} from '../../../text/foreign-reader.ts';
import { readOneForeign } from '../../../text/one-foreign.ts';
import { plain } from '../../../text/print/plain.ts';
import {
  hasKey,
  hasValue,
  isShared,
  withEntry,
  withItems,
  withValue,
} from '../../../text/yaml/yaml-edit.ts';

/** One thing that was changed in the values of a provider. */
export interface ProviderEditChange {
  readonly field: string;
  /** As the file says it; undefined where it says nothing. */
  readonly from: string | undefined;
  readonly to: string;
  /** Where the file says it; undefined where it says nothing. */
  readonly at: Position | undefined;
}

/** The edited values of a provider. */
export interface ProviderEdit {
  readonly text: string;
  /** None when the file says so already. */
  readonly changes: readonly ProviderEditChange[];
  /** Where the file as it was advertises `ip-lease`; undefined when it does not. */
  readonly advertised: Position | undefined;
}

/** The attribute by which tenants find providers that lease addresses. Akash: its guide to IP leases. */
const attribute = 'ip-lease';
const item = [
  ['key', attribute],
  ['value', '"true"'],
] as const;

/**
 * The values of Akash's chart `akash-provider` with the IP operator on or off; on comes with the attribute `ip-lease`.
 * Every other character stays as it is. Akash: helm-charts, charts/akash-provider/values.yaml. Problems: those of
 * {@link readOneForeign}, FIELD_TYPE, FIELD_MISSING, FIELD_UNKNOWN for the provider's file on the chain, FIELD_VALUE for the
 * attribute twice, YAML_ALIAS for what stands behind an alias and would change elsewhere too.
 */
export function editProviderValues(file: ImportFile, isOn: boolean): Outcome<ProviderEdit> {
  const read = readOneForeign(file);
  if (!read.ok) return read;
  const { root, text } = read.value;
  const reader = new ForeignReader();
  const fields = reader.mapping(root) ?? new Map<string, ForeignNode>();
  refuseChainFile(reader, fields);
  const edit = new Edit(text);
  setOperator(reader, fields, edit, isOn);
  const attributes = readAttributes(reader, fields, text);
  if (isOn && attributes) setAttribute(reader, attributes, edit);
  if (reader.problems.length > 0) {
    return { ok: false, problems: reader.problems.toSorted(compareProblems) };
  }
  const advertised = attributes?.items.find(({ isTrue }) => isTrue)?.at;
  return { ok: true, value: { text: edit.text, changes: edit.changes, advertised } };
}

/** The text so far, and what became of it. */
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

/** What `provider-services tx provider create` reads has other fields, and Helm would pass over them. */
function refuseChainFile(reader: ForeignReader, fields: ForeignFields): void {
  const host = fields.get('host');
  if (!host || fields.has('domain') || fields.has('from')) return;
  const message =
    "'host' is a field of the provider's file on the chain, expected values of the chart akash-provider";
  reader.refuse('FIELD_UNKNOWN', message, keyPlaceOf(host));
}

function setOperator(
  reader: ForeignReader,
  fields: ForeignFields,
  edit: Edit,
  isOn: boolean,
): void {
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
  if (isElsewhere(reader, edit.text, [field], node)) return;
  const from = saidText(node.value);
  edit.change(withValue(edit.text, [field], to), { field, to, from, at: placeOf(node) });
}

interface Attribute {
  readonly index: number;
  readonly node: ForeignNode;
  readonly value: ForeignNode | undefined;
  /** True for `true` and `"true"`: the chart writes both alike. */
  readonly isTrue: boolean;
  readonly at: Position;
}

interface Attributes {
  /** Undefined where there is no key `attributes`. */
  readonly node: ForeignNode | undefined;
  /** Those that are called ip-lease. */
  readonly items: readonly Attribute[];
  readonly count: number;
}

/** Undefined when they are not to be edited, which is told. */
function readAttributes(
  reader: ForeignReader,
  fields: ForeignFields,
  text: string,
): Attributes | undefined {
  const node = fields.get('attributes');
  if (node && isElsewhere(reader, text, ['attributes'], node)) return undefined;
  const list = reader.list(node);
  const items = list.flatMap((one, index): Attribute[] => {
    const own = reader.mapping(one);
    if (own?.get('key')?.value !== attribute) return [];
    const value = own.get('value');
    const isTrue = value?.value === true || value?.value === 'true';
    return [{ index, node: one, value, isTrue, at: placeOf(value ?? one) }];
  });
  const [first, second] = items;
  if (first && second) {
    const message = `the attribute ${attribute} stands twice, expected once`;
    reader.refuse('FIELD_VALUE', message, placeOf(second.node), 'remove one of the two');
  }
  return { node, items, count: list.length };
}

function setAttribute(reader: ForeignReader, attributes: Attributes, edit: Edit): void {
  const [first] = attributes.items;
  if (reader.problems.length > 0 || first?.isTrue) return;
  if (!first) {
    edit.change(withNewAttribute(edit.text, attributes), { ...toTrue, at: undefined });
    return;
  }
  const path = ['attributes', first.index];
  const { value, at } = first;
  if (isElsewhere(reader, edit.text, path, first.node)) return;
  if (!value) edit.change(withEntry(edit.text, path, 'value', '"true"'), { ...toTrue, at });
  else if (!isElsewhere(reader, edit.text, [...path, 'value'], value)) {
    const from = saidText(value.value);
    edit.change(withValue(edit.text, [...path, 'value'], '"true"'), { ...toTrue, from, at });
  }
}

const toTrue = { field: `the attribute ${attribute}`, to: 'true', from: undefined } as const;

function withNewAttribute(text: string, { node, count }: Attributes): string {
  if (count > 0) return withItems(text, ['attributes'], [item]);
  const list = `[{ ${item.map(([key, value]) => `${key}: ${value}`).join(', ')} }]`;
  return node ? withValue(text, ['attributes'], list) : withEntry(text, [], 'attributes', list);
}

/** A value as a file says it; undefined for none. */
function saidText(value: unknown): string | undefined {
  if (value === null) return undefined;
  return typeof value === 'boolean' ? String(value) : valueText(value);
}

/** True, and YAML_ALIAS, for a value that is written elsewhere in the file. */
function isElsewhere(
  reader: ForeignReader,
  text: string,
  path: readonly (string | number)[],
  node: ForeignNode,
): boolean {
  const isOwn = node.value === null ? hasKey(text, path) : hasValue(text, path);
  if (isOwn && !isShared(text, path)) return false;
  const where = isOwn
    ? 'has an anchor that an alias names'
    : 'stands behind an alias or a merge key';
  const message = `${path.join('.')} ${where}: what is changed there changes elsewhere too`;
  reader.refuse('YAML_ALIAS', message, keyPlaceOf(node), 'write the value out');
  return true;
}

/** What was changed in the values of a provider, and what that means: a line each. */
export function providerEditText(file: string, edit: ProviderEdit, isOn: boolean): string {
  const changes = edit.changes.map(({ field, from, to, at }) => {
    const place = at ? placeText(at) : file;
    return `${place} ${field}: ${from === undefined ? '' : `${from} becomes `}${to}`;
  });
  const { advertised: at } = edit;
  const cautions = isOn
    ? [
        'the provider then waits for what answers at operator-ip before it serves: leasehold serve (leasehold bootstrap serve); the IP operator must not run beside leasehold',
      ]
    : [
        'the provider bids on no order that wants a leased IP',
        ...(at
          ? [`${placeText(at)} the provider still tells tenants that it leases IPs (ip-lease)`]
          : []),
      ];
  const lines = [
    ...(changes.length > 0 ? changes : [`${file} says so already`]),
    ...cautions.map((caution) => `caution: ${caution}`),
  ];
  return lines.map((line) => `${plain(line)}\n`).join('');
}
