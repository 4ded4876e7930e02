import type { LiveObject, WantedObject } from '../../../model/live.ts';
import { compareText } from '../../../model/order.ts';
import type { Detail, VerifiedObject } from '../verification-answer.ts';
import { deletionText, type ObjectDetails } from './object-details.ts';
import type { Seen, Snapshot } from './snapshot.ts';

/** The objects of `dist/` that serve no claim and are not as they should be, in the order of their names. */
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
 * The live objects with the label of leasehold that `dist/` does not have, in the order of their names.
 * Nobody prunes a Namespace, by design: those are `kept`.
 */
export function leftOver(
  objects: ReadonlyMap<string, WantedObject>,
  live: Snapshot,
): VerifiedObject[] {
  return [...live.all()]
    .filter((seen) => isLabelled(seen) && !objects.has(seen.name))
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

/** True for an object with the label that leasehold gives to all of its own. */
export function isLabelled({ object }: Pick<Seen, 'object'>): boolean {
  return object.metadata.labels?.['app.kubernetes.io/managed-by'] === 'leasehold';
}

function compareObjects(left: VerifiedObject, right: VerifiedObject): number {
  return compareText(left.object, right.object);
}
