import { groupBy } from '../../../model/order.ts';
import { rangesOverlap } from '../../../net/range.ts';
import type { NetBoxFields } from '../../../ports/netbox.ts';
import type { NetBoxChange, NetBoxExport, NetBoxProblem } from './netbox-export-answer.ts';
import {
  addressesText,
  type FoundObject,
  type NetBoxPlace,
  netBoxKinds,
  type OwnFields,
  type WantedObject,
} from './netbox-objects.ts';

/** A change, and the object to send for it. */
export interface PlannedChange {
  readonly change: NetBoxChange;
  readonly body: NetBoxFields;
}

/** The difference between the objects that NetBox should have and those that it has. */
export interface NetBoxDifference extends Pick<NetBoxExport, 'unchanged' | 'kept' | 'problems'> {
  /** Deletions first, since NetBox refuses ranges that overlap. */
  readonly changes: readonly PlannedChange[];
}

/**
 * Compares wanted objects with the objects in NetBox: those with the tag, and others with the same
 * addresses. Only objects with the tag change. An object is deleted only if an export wrote it: it
 * has a pool in its custom field.
 */
export function netBoxDifference(
  wanted: readonly WantedObject[],
  found: readonly FoundObject[],
  place: NetBoxPlace,
): NetBoxDifference {
  const own = groupBy(
    found.filter(({ tags }) => tags.includes(place.tag)),
    keyOf,
  );
  const strangerOf = strangersIn(found, place);
  const extra = extraObjects(wanted, own);
  const kept: NetBoxExport['kept'][number][] = [];
  const problems = extra.filter((one) => !isExported(one)).map((one) => notExported(one, place));
  const changes: PlannedChange[] = [];
  const additions: PlannedChange[] = [];
  let unchanged = 0;
  for (const object of wanted) {
    const before = oldestOf(own.get(keyOf(object)));
    const stranger = before ? undefined : strangerOf(object);
    const change = before && changeOf(object, before, place);
    if (change) changes.push(change);
    else if (before) unchanged += 1;
    else if (!stranger) additions.push(additionOf(object, place));
    else if (isPool(object) && keyOf(stranger) === keyOf(object)) {
      kept.push({ object: object.kind, addresses: addressesText(object), url: stranger.url });
    } else problems.push(taken(object, stranger, place));
  }
  const deletions = extra.filter(isExported).map(deletionOf);
  const all = [deletions, changes, additions].flatMap(inKindOrder);
  return { changes: all, unchanged, kept, problems };
}

/** The objects with the tag that are not wanted, and all but the oldest with the same addresses. */
function extraObjects(
  wanted: readonly WantedObject[],
  own: ReadonlyMap<string, readonly FoundObject[]>,
): readonly FoundObject[] {
  const keys = new Set(wanted.map(keyOf));
  return [...own].flatMap(([key, objects]) => {
    const oldest = keys.has(key) ? oldestOf(objects) : undefined;
    return objects.filter((one) => one !== oldest);
  });
}

function keyOf(object: Pick<WantedObject, 'kind' | 'range'>): string {
  return `${object.kind} ${addressesText(object)}`;
}

function oldestOf(objects: readonly FoundObject[] = []): FoundObject | undefined {
  return objects.reduce<FoundObject | undefined>(
    (oldest, one) => (oldest && oldest.id < one.id ? oldest : one),
    undefined,
  );
}

function isPool({ kind }: Pick<WantedObject, 'kind'>): boolean {
  return kind !== 'ip-address';
}

/** True for an object that an export wrote, and not only for one that was given the tag. */
function isExported({ fields }: FoundObject): boolean {
  return typeof fields.leasehold_pool === 'string' && fields.leasehold_pool !== '';
}

/** Finds the object without the tag that has the addresses of a wanted one, in the same VRF. */
function strangersIn(
  found: readonly FoundObject[],
  { tag, vrf }: NetBoxPlace,
): (object: WantedObject) => FoundObject | undefined {
  const strangers = found.filter((one) => !one.tags.includes(tag) && one.vrf?.id === vrf?.id);
  const byKey = new Map(strangers.map((one) => [keyOf(one), one]));
  const ranges = strangers.filter(({ kind }) => kind === 'ip-range');
  return (object) =>
    byKey.get(keyOf(object)) ??
    (object.kind === 'ip-range'
      ? ranges.find(({ range }) => rangesOverlap(range, object.range))
      : undefined);
}

function deletionOf(one: FoundObject): PlannedChange {
  const { kind: object, url, id, fields } = one;
  const holder = fields.leasehold_holder;
  return {
    change: {
      ...{ action: 'delete', object, addresses: addressesText(one), url },
      ...(typeof holder === 'string' && holder !== '' ? { holder } : {}),
      ...{ differences: [], done: false },
    },
    body: { id },
  };
}

function changeOf(
  object: WantedObject,
  { id, url, fields: before }: FoundObject,
  place: NetBoxPlace,
): PlannedChange | undefined {
  const different = Object.entries(object.fields).filter(
    ([name, value]) => value !== (before[name] ?? ''),
  );
  if (different.length === 0) return undefined;
  const differences = different.map(([field, to]) => {
    return { field, from: valueText(before[field]), to: valueText(to) };
  });
  return {
    change: { ...aboutOf(object), action: 'change', url, differences },
    body: { id, ...bodyOf(Object.fromEntries(different), place) },
  };
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function additionOf(object: WantedObject, place: NetBoxPlace): PlannedChange {
  const { vrf, ...others } = object.fields;
  const fields = place.vrf && vrf !== undefined ? object.fields : others;
  return {
    change: { ...aboutOf(object), action: 'add', differences: [] },
    body: { ...object.named, ...bodyOf(fields, place), tags: [{ slug: place.tag }] },
  };
}

function aboutOf(object: WantedObject) {
  const { kind, holder } = object;
  return {
    ...{ object: kind, addresses: addressesText(object) },
    ...(holder === undefined ? {} : { holder }),
    done: false,
  };
}

/** Fields as the REST API takes them. */
function bodyOf(fields: OwnFields, { vrf, tenant }: NetBoxPlace): NetBoxFields {
  const entries = Object.entries(fields);
  const isCustom = ([name]: readonly [string, unknown]) => name.startsWith('leasehold_');
  const custom = entries.filter(isCustom);
  const body: Record<string, unknown> = Object.fromEntries(
    entries.filter((entry) => !isCustom(entry)),
  );
  if ('vrf' in body) body.vrf = vrf?.id ?? null;
  if ('tenant' in body) body.tenant = tenant?.id ?? null;
  return custom.length === 0 ? body : { ...body, custom_fields: Object.fromEntries(custom) };
}

function taken(object: WantedObject, stranger: FoundObject, { tag }: NetBoxPlace): NetBoxProblem {
  const text = addressesText(stranger);
  const same = text === addressesText(object);
  return {
    addresses: addressesText(object),
    reason: same
      ? `NetBox has this ${object.kind} without the tag ${tag}: delete it there, or add the tag to let leasehold have it`
      : `NetBox has the ${stranger.kind} ${text}, which overlaps, without the tag ${tag}`,
    url: stranger.url,
  };
}

function notExported(one: FoundObject, { tag }: NetBoxPlace): NetBoxProblem {
  return {
    addresses: addressesText(one),
    reason: `this ${one.kind} has the tag ${tag}, but no address or pool of leasehold has these addresses: remove the tag from it`,
    url: one.url,
  };
}

function inKindOrder(changes: readonly PlannedChange[]): readonly PlannedChange[] {
  return netBoxKinds.flatMap((kind) => changes.filter(({ change }) => change.object === kind));
}
