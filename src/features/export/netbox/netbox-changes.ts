import { groupBy } from '../../../core/model/order.ts';
import { rangesOverlap } from '../../../core/net/range.ts';
import type { NetBoxFields } from './netbox.ts';
import type { NetBoxChange, NetBoxExport, NetBoxProblem } from './netbox-export-answer.ts';
import {
  addressesText,
  type FoundObject,
  hasOwnDescription,
  type NetBoxPlace,
  netBoxKinds,
  type OwnFields,
  type WantedObject,
} from './netbox-objects.ts';

/** A change, and the object to send for it. */
export interface PlannedChange {
  readonly change: NetBoxChange;
  readonly body: NetBoxFields;
  /** The addition of the address that it refers to, which has no id before. */
  readonly inside?: PlannedChange;
}

/** The difference between the objects that NetBox should have and those that it has. */
export interface NetBoxDifference extends Pick<NetBoxExport, 'unchanged' | 'kept' | 'problems'> {
  /** How many objects an export wrote. */
  readonly exported: number;
  /**
   * Deletions first, since NetBox refuses ranges that overlap. A public address is written after
   * the address that it refers to, and deleted before it.
   */
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
    objectKey,
  );
  const ownIds = new Set(
    [...own.values()].flat().flatMap(({ kind, id }) => (kind === 'ip-address' ? [id] : [])),
  );
  const strangerOf = strangersIn(found, place);
  const extra = extraObjects(wanted, own);
  const kept: NetBoxExport['kept'][number][] = [];
  const problems = extra.filter((one) => !isExported(one)).map((one) => notExported(one, place));
  const inner = { changes: [] as PlannedChange[], additions: [] as PlannedChange[] };
  const outer = { changes: [] as PlannedChange[], additions: [] as PlannedChange[] };
  const added = new Map<string, PlannedChange>();
  let unchanged = 0;
  for (const object of wanted) {
    const before = oldestOf(own.get(objectKey(object)));
    const stranger = before ? undefined : strangerOf(object);
    const { changes, additions } = object.inside === undefined ? inner : outer;
    const inside = insideOf(object, own, added);
    const change = before && changeOf(object, before, { place, inside, ownIds });
    if (change) changes.push(change);
    else if (before) unchanged += 1;
    else if (!stranger) {
      const addition = additionOf(object, place, inside);
      additions.push(addition);
      added.set(objectKey(object), addition);
    } else if (isKept(object, stranger)) {
      kept.push({ object: object.kind, addresses: addressesText(object), url: stranger.url });
    } else problems.push(taken(object, stranger, place));
  }
  const gone = extra.filter(isExported);
  const [outside, others] = [gone.filter(isOutside), gone.filter((one) => !isOutside(one))];
  const deletions = [...outside, ...others].map(deletionOf);
  const order = [deletions, inner.changes, inner.additions, outer.changes, outer.additions];
  const exported = [...own.values()].flat().filter(isExported).length;
  return { changes: order.flatMap(inKindOrder), exported, unchanged, kept, problems };
}

/** The objects with the tag that are not wanted, and all but the oldest with the same addresses. */
function extraObjects(
  wanted: readonly WantedObject[],
  own: ReadonlyMap<string, readonly FoundObject[]>,
): readonly FoundObject[] {
  const keys = new Set(wanted.map(objectKey));
  return [...own].flatMap(([key, objects]) => {
    const oldest = keys.has(key) ? oldestOf(objects) : undefined;
    return objects.filter((one) => one !== oldest);
  });
}

function objectKey(object: Pick<WantedObject, 'kind' | 'range'>): string {
  return `${object.kind} ${addressesText(object)}`;
}

function oldestOf(objects: readonly FoundObject[] = []): FoundObject | undefined {
  return objects.reduce<FoundObject | undefined>(
    (oldest, one) => (oldest && oldest.id < one.id ? oldest : one),
    undefined,
  );
}

/** True for an object that may be someone else's: a pool, or a public address of a router. */
function isKept(object: WantedObject, stranger: FoundObject): boolean {
  const mayBe = object.kind !== 'ip-address' || object.inside !== undefined;
  return mayBe && objectKey(stranger) === objectKey(object);
}

function isOutside({ inside }: FoundObject): boolean {
  return inside !== undefined;
}

/** The address that a public one refers to: by its id or, before it has one, by its addition. */
interface Inside {
  readonly text: string;
  readonly id: number | undefined;
  readonly addition: PlannedChange | undefined;
}

function insideOf(
  { kind, inside }: WantedObject,
  own: ReadonlyMap<string, readonly FoundObject[]>,
  added: ReadonlyMap<string, PlannedChange>,
): Inside | undefined {
  if (inside === undefined) return undefined;
  const key = `${kind} ${inside}`;
  return { text: inside, id: oldestOf(own.get(key))?.id, addition: added.get(key) };
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
  const byKey = new Map(strangers.map((one) => [objectKey(one), one]));
  const ranges = strangers.filter(({ kind }) => kind === 'ip-range');
  return (object) =>
    byKey.get(objectKey(object)) ??
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
  found: FoundObject,
  {
    place,
    inside,
    ownIds,
  }: {
    readonly place: NetBoxPlace;
    readonly inside: Inside | undefined;
    readonly ownIds: ReadonlySet<number>;
  },
): PlannedChange | undefined {
  const { id, url, fields: before } = found;
  const isOurs = (name: string) => name !== 'description' || hasOwnDescription(found);
  const different = Object.entries(object.fields).filter(
    ([name, value]) => value !== (before[name] ?? '') && isOurs(name),
  );
  const differences = different.map(([field, to]) => {
    return { field, from: valueText(before[field]), to: valueText(to) };
  });
  const isOther = inside
    ? inside.id === undefined || inside.id !== found.inside?.id
    : // An export wrote it for a public address, which this one was.
      found.inside !== undefined && ownIds.has(found.inside.id);
  if (isOther) {
    const to = inside?.text ?? '';
    differences.push({ field: 'nat_inside', from: found.inside?.text ?? '', to });
  }
  if (differences.length === 0) return undefined;
  const fields = bodyOf(Object.fromEntries(different), place);
  return {
    change: { ...aboutOf(object), action: 'change', url, differences },
    ...(isOther ? referring({ id, ...fields }, inside) : { body: { id, ...fields } }),
  };
}

/** A body with the id of the address that it refers to, or with its addition. */
function referring(
  body: NetBoxFields,
  inside: Inside | undefined,
): Pick<PlannedChange, 'body' | 'inside'> {
  if (inside?.addition) return { body, inside: inside.addition };
  return { body: { ...body, nat_inside: inside?.id ?? null } };
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function additionOf(
  object: WantedObject,
  place: NetBoxPlace,
  inside: Inside | undefined,
): PlannedChange {
  const { vrf, ...others } = object.fields;
  const fields = place.vrf && vrf !== undefined ? object.fields : others;
  const body = { ...object.named, ...bodyOf(fields, place), tags: [{ slug: place.tag }] };
  return {
    change: { ...aboutOf(object), action: 'add', differences: [] },
    ...(inside ? referring(body, inside) : { body }),
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
