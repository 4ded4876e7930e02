import type { ImportFile } from '../../../model/input-file.ts';
import { compareProblems, type Outcome } from '../../../model/problem.ts';
import { ForeignReader } from '../../../text/foreign-reader.ts';
import type { Imported } from '../import.ts';
import {
  customTexts,
  isChosen,
  isOfVrf,
  missingFields,
  type NetBoxChoice,
} from './netbox-choice.ts';
import { type NetBoxObject, netBoxObject } from './netbox-object.ts';
import { netBoxPools } from './netbox-pools.ts';
import { readNetBoxRows } from './netbox-rows.ts';

/**
 * Reads prefixes, IP ranges and IP addresses of NetBox, as its REST API answers or its pages export: what is chosen is pools,
 * and whatever else NetBox has in them is reserved. All files are one NetBox. Problems: those of {@link readNetBoxRows}, of
 * {@link netBoxObject}, of {@link missingFields} and of {@link netBoxPools}.
 */
export function readNetBox(files: readonly ImportFile[], choice: NetBoxChoice): Outcome<Imported> {
  const reader = new ForeignReader();
  const rows = readNetBoxRows(reader, files);
  const objects = distinct(rows.flatMap((row) => netBoxObject(reader, row) ?? []));
  missingFields(reader, objects, choice);
  const known = objects.filter((object) => isOfVrf(object, choice.vrf));
  const [first] = objects.filter((object) => !isOfVrf(object, choice.vrf));
  if (first) {
    const count = objects.length - known.length;
    const message = `${count} of other VRFs than ${choice.vrf} not looked at, the first is ${first.text}`;
    reader.leave('objects', message, first.at);
  }
  const isPool = new Set(known.filter((object) => isChosen(object, choice)));
  const others = known.filter((object) => !isPool.has(object));
  const given = others.filter((object) => isGiven(object, choice));
  tellGiven(reader, given, choice);
  const reserved = others.filter((object) => !isGiven(object, choice));
  const pools = netBoxPools(reader, [...isPool], reserved, choice);
  const [pool] = pools;
  if (pool) {
    const message = 'NetBox does not say how they are announced: leasehold does it by L2';
    reader.change('the pools', message, pool.at);
  }
  if (reader.problems.length > 0) {
    return { ok: false, problems: reader.problems.toSorted(compareProblems) };
  }
  const isServing = given.length > 0;
  return { ok: true, value: { pools, notes: reader.notes, namespace: undefined, isServing } };
}

/** Pages and exports may have an object twice. */
function distinct(objects: readonly NetBoxObject[]): readonly NetBoxObject[] {
  const seen = new Set<string>();
  return objects.filter(({ kind, text, row }) => {
    const id = row.fields.get('id')?.texts[0];
    if (id === undefined) return true;
    const key = `${kind} ${id} ${text}`;
    return !seen.has(key) && seen.add(key);
  });
}

function isGiven(object: NetBoxObject, { givenField }: NetBoxChoice): boolean {
  return givenField !== undefined && customTexts(object, givenField).length > 0;
}

function tellGiven(
  reader: ForeignReader,
  given: readonly NetBoxObject[],
  { givenField }: NetBoxChoice,
): void {
  const [first] = given;
  if (!first) return;
  const message = `${given.length} with the field '${givenField}' not reserved, the first is ${first.text}: declare what stands on them before anything else`;
  reader.leave('what is given out', message, first.at);
}
