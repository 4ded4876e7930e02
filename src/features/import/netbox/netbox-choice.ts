import type { Position } from '../../../core/model/problem.ts';
import type { SourceReader } from '../../../lib/foreign/source-reader.ts';
import { fieldOf, type NetBoxObject } from './netbox-object.ts';
import { fieldName } from './netbox-rows.ts';

/** The options that select pools among the prefixes and IP ranges of NetBox. */
export interface NetBoxChoice {
  /** Any of these statuses, in lower case; `active` when empty. */
  readonly statuses: readonly string[];
  /** Any of these, by name or slug; none for all. */
  readonly tags: readonly string[];
  /** Any of these, by name or slug; none for all. */
  readonly roles: readonly string[];
  /** The VRF, by name or route distinguisher, `global` for none; undefined for all. */
  readonly vrf: string | undefined;
  /** The custom field with the zone; only objects with a value are pools. Undefined for none. */
  readonly zoneField: string | undefined;
  /**
   * The custom field that marks addresses assigned by the cluster's own IPAM, which are not
   * reserved. Undefined for none.
   */
  readonly givenField: string | undefined;
  /** Whether to make a pool for each zone, or for each prefix and IP range. */
  readonly per: 'zone' | 'prefix';
}

/** The slug of a name, as NetBox makes it. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/** True when an object belongs to the selected VRF; always true without one. */
export function isOfVrf({ vrf }: NetBoxObject, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  return wanted.toLowerCase() === 'global' ? vrf.length === 0 : vrf.includes(wanted);
}

/** True when the options select a prefix or IP range as a pool. */
export function isChosen(object: NetBoxObject, choice: NetBoxChoice): boolean {
  if (object.kind === 'address') return false;
  const has = (field: string, wanted: readonly string[]): boolean => {
    const texts = new Set((object.row.fields.get(field)?.texts ?? []).map(slugOf));
    return wanted.length === 0 || wanted.some((one) => texts.has(slugOf(one)));
  };
  const statuses = choice.statuses.length > 0 ? choice.statuses : ['active'];
  return (
    statuses.includes(object.status ?? '') &&
    has('tags', choice.tags) &&
    has('role', choice.roles) &&
    (choice.zoneField === undefined || customTexts(object, choice.zoneField).length > 0)
  );
}

/**
 * The values of a custom field, the machine-readable one first; empty when it is empty or absent.
 */
export function customTexts({ row }: NetBoxObject, field: string): readonly string[] {
  return customValue(row.fields, field)?.texts ?? [];
}

/** A CSV header has the name or label of a custom field, or its name with the prefix cf_. */
function customValue(fields: NetBoxObject['row']['fields'], field: string) {
  const name = fieldName(field);
  return fields.get(name) ?? fields.get(name.replace(/^cf_/, '')) ?? fields.get(`cf_${name}`);
}

/**
 * FIELD_MISSING, once per file, for each field that the options need and an export lacks: without
 * it the selection is unknown.
 */
export function missingFields(
  reader: SourceReader,
  objects: readonly NetBoxObject[],
  { tags, roles, vrf, zoneField }: NetBoxChoice,
): void {
  const asked: readonly (readonly [name: string, isAsked: boolean])[] = [
    ['status', true],
    ['tags', tags.length > 0],
    ['role', roles.length > 0],
    ['vrf', vrf !== undefined],
  ];
  const reported = new Set<string>();
  const report = (name: string, at: Position): void => {
    if (reported.has(`${at.file} ${name}`)) return;
    reported.add(`${at.file} ${name}`);
    const hint =
      'export all data, not the current view, or ask the API for whole objects, without brief or fields';
    reader.refuse('FIELD_MISSING', `the export has no field '${name}'`, at, hint);
  };
  for (const object of objects) {
    const isPlace = object.kind !== 'address';
    for (const [name, isAsked] of asked) {
      if (isAsked && (isPlace || name === 'vrf') && !fieldOf(object.row, name)) {
        report(name, object.row.at);
      }
    }
    // An IP range may be of a kind that the field is not for.
    if (
      object.kind === 'prefix' &&
      zoneField !== undefined &&
      !customValue(object.row.fields, zoneField)
    ) {
      report(zoneField, object.row.at);
    }
  }
}
