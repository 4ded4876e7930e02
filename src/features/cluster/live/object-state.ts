import { managedBy, sliceManager } from '../../../core/manifests/manifest.ts';
import type { LiveKind } from '../../../core/model/kinds.ts';
import { type LiveObject, listAt, type WantedObject } from '../../../core/model/live.ts';
import { compareText } from '../../../core/model/order.ts';
import type { Detail, VerifiedObject } from '../verification-answer.ts';
import { mergedHint, removalHint } from './added-field.ts';
import { type Difference, differences } from './difference.ts';
import type { Seen, Snapshot } from './snapshot.ts';

/** The differences of one object of `dist/` in a live cluster: not applied, or changed by hand. */
export type ObjectDetails = (wanted: WantedObject) => readonly Detail[];

/** Compares objects with one snapshot, each object once even if several claims share it. */
export function objectDetails(live: Snapshot): ObjectDetails {
  const known = new Map<string, readonly Detail[]>();
  return (wanted) => {
    const details = known.get(wanted.name) ?? detailsOf(wanted, live);
    known.set(wanted.name, details);
    return details;
  };
}

function detailsOf({ kind, name, object }: WantedObject, live: Snapshot): Detail[] {
  const applied = live.get(name);
  if (!applied || applied.metadata.deletionTimestamp !== undefined) {
    const message = applied ? deletionText(applied) : 'does not exist';
    return [{ state: 'not applied', object: name, message }];
  }
  return differences(kind, object, applied).map(({ field, wanted, found }) => ({
    state: 'changed by hand',
    object: name,
    message: differenceText(field, wanted, found),
    field,
    ...(wanted === undefined ? {} : { wanted }),
    ...(found === undefined ? {} : { found }),
    ...hintFor(kind, { field, wanted, found }, object, applied),
  }));
}

function hintFor(
  kind: LiveKind,
  { field, wanted }: Difference,
  manifest: LiveObject,
  live: LiveObject,
): Pick<Detail, 'hint'> {
  const added = wanted === undefined ? removalHint(kind, field, live) : undefined;
  const hint = added ?? mergedHint(kind, field, manifest);
  return hint === undefined ? {} : { hint };
}

/** Reports that an object is being deleted, and the finalizers that it waits for. */
export function deletionText(object: LiveObject): string {
  const finalizers = listAt(object, 'metadata', 'finalizers');
  const wait = finalizers.length === 0 ? '' : `, and waits for ${finalizers.join(', ')}`;
  return `is being deleted${wait}`;
}

function differenceText(field: string, wanted: unknown, found: unknown): string {
  if (found === undefined) return `${field} is missing; it should be ${valueText(wanted)}`;
  if (wanted === undefined) return `${field} is ${valueText(found)}; it should not be set`;
  return `${field} is ${valueText(found)}; it should be ${valueText(wanted)}`;
}

/** A value as JSON on one line, cut to {@link longestValue} characters. */
function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}

const longestValue = 80;

/** The objects of `dist/` that no claim needs and that are missing or changed, sorted by name. */
export function unusedObjects(
  objects: Iterable<WantedObject>,
  used: ReadonlySet<string>,
  detailsOf: ObjectDetails,
): VerifiedObject[] {
  return [...objects]
    .filter(({ name }) => !used.has(name))
    .flatMap((object): VerifiedObject[] => {
      const details = detailsOf(object);
      const isThere = details[0]?.state === 'changed by hand';
      const state = isThere ? 'changed by hand' : 'not applied';
      return details.length === 0 ? [] : [{ object: object.name, state, details }];
    })
    .sort(compareObjects);
}

/**
 * The live objects with the label of leasehold that `dist/` does not have, sorted by name.
 * Namespaces are `kept`: by design they are never pruned.
 */
export function leftOver(
  objects: ReadonlyMap<string, WantedObject>,
  live: Snapshot,
): VerifiedObject[] {
  return [...live.all()]
    .filter((seen) => isLabelled(seen) && !isMadeByKubernetes(seen) && !objects.has(seen.name))
    .map(
      ({ kind, name, object }): VerifiedObject => ({
        object: name,
        state: kind === 'namespace' ? 'kept' : 'left over',
        details: object.metadata.deletionTimestamp === undefined ? [] : [deletion(name, object)],
      }),
    )
    .sort(compareObjects);
}

function deletion(name: string, object: LiveObject): Detail<'left over'> {
  return { state: 'left over', object: name, message: deletionText(object) };
}

/** True for an object with the label that leasehold sets on all of its objects. */
export function isLabelled({ object }: Pick<Seen, 'object'>): boolean {
  return hasLabels(object, managedBy);
}

/** True for an EndpointSlice that Kubernetes made: it copies the labels of its Service. */
function isMadeByKubernetes({ kind, object }: Seen): boolean {
  return kind === 'endpointSlice' && !hasLabels(object, sliceManager);
}

function hasLabels({ metadata }: LiveObject, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(labels).every(([key, text]) => metadata.labels?.[key] === text);
}

function compareObjects(left: VerifiedObject, right: VerifiedObject): number {
  return compareText(left.object, right.object);
}
