import type { LiveObject, WantedObject } from '../../../model/live.ts';
import { listAt } from '../../../model/unstructured.ts';
import type { Detail } from '../verification-answer.ts';
import { differences } from './difference.ts';
import type { Snapshot } from './snapshot.ts';

/** How a live cluster departs from one object of `dist/`: not applied, or changed by hand. */
export type ObjectDetails = (wanted: WantedObject) => readonly Detail[];

/** The details of objects in one look at a cluster. Each object is compared once, however many claims share it. */
export function objectDetails(live: Snapshot): ObjectDetails {
  const known = new Map<string, readonly Detail[]>();
  return (wanted) => {
    const details = known.get(wanted.name) ?? detailsOf(wanted, live);
    known.set(wanted.name, details);
    return details;
  };
}

function detailsOf({ kind, name, object }: WantedObject, live: Snapshot): Detail[] {
  const found = live.get(name);
  if (!found || found.metadata.deletionTimestamp !== undefined) {
    const message = found ? deletionText(found) : 'is not there';
    return [{ state: 'not applied', object: name, message }];
  }
  return differences(kind, object, found).map(({ field, wanted, found }) => ({
    state: 'changed by hand',
    object: name,
    message: differenceText(field, wanted, found),
    field,
    ...(wanted === undefined ? {} : { wanted }),
    ...(found === undefined ? {} : { found }),
  }));
}

/** That an object is being deleted, and the finalizers that it waits for. */
export function deletionText(object: LiveObject): string {
  const finalizers = listAt(object, 'metadata', 'finalizers');
  const wait = finalizers.length === 0 ? '' : `, and waits for ${finalizers.join(', ')}`;
  return `is being deleted${wait}`;
}

function differenceText(field: string, wanted: unknown, found: unknown): string {
  if (found === undefined) return `${field} is missing; it should be ${valueText(wanted)}`;
  if (wanted === undefined) return `${field} is ${valueText(found)}; it should not be there`;
  return `${field} is ${valueText(found)}; it should be ${valueText(wanted)}`;
}

/** A value on one line, at most as long as a line of a terminal. */
function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}

const longestValue = 80;
