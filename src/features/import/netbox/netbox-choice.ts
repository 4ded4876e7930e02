import type { Position } from '../../../model/problem.ts';
import type { ForeignReader } from '../../../text/foreign-reader.ts';
import { fieldOf, type NetBoxObject } from './netbox-object.ts';
import { fieldName } from './netbox-rows.ts';

/** Which prefixes and IP ranges of NetBox are pools, as a person says it. */
export interface NetBoxChoice {
  /** Any of these; `active` when there is none. In lower case. */
  readonly statuses: readonly string[];
  /** Any of these, by name or slug; none for all. */
  readonly tags: readonly string[];
  /** Any of these, by name or slug; none for all. */
  readonly roles: readonly string[];
  /** The only VRF that counts, by name or route distinguisher, `global` for none; undefined for all. */
  readonly vrf: string | undefined;
  /** The custom field that has the zone; only what has it is a pool. Undefined for none. */
  readonly zoneField: string | undefined;
  /** The custom field that only what the cluster's own IPAM gave out has: such is not reserved. Undefined for none. */
  readonly givenField: string | undefined;
  /** A pool for each zone, or for each prefix and IP range. */
  readonly per: 'zone' | 'prefix';
}

/** Compares names of tags and roles as NetBox makes slugs of them. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/** True for what the VRF of the choice leaves in: all without one. */
export function isOfVrf({ vrf }: NetBoxObject, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  return wanted.toLowerCase() === 'global' ? vrf.length === 0 : vrf.includes(wanted);
}

/** True for a prefix or an IP range that the choice makes a pool. */
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

/** What a custom field says, the machine's word first; nothing where it is empty or not there. */
export function customTexts({ row }: NetBoxObject, field: string): readonly string[] {
  return customValue(row.fields, field)?.texts ?? [];
}

/** In CSV a custom field stands under its own name or label, or with cf_ before it. */
function customValue(fields: NetBoxObject['row']['fields'], field: string) {
  const name = fieldName(field);
  return fields.get(name) ?? fields.get(name.replace(/^cf_/, '')) ?? fields.get(`cf_${name}`);
}

/**
 * FIELD_MISSING, once a file, for every field that the choice asks for and an export lacks: without it nobody knows
 * what is chosen.
 */
export function missingFields(
  reader: ForeignReader,
  objects: readonly NetBoxObject[],
  { tags, roles, vrf, zoneField }: NetBoxChoice,
): void {
  const asked: readonly (readonly [name: string, isAsked: boolean])[] = [
    ['status', true],
    ['tags', tags.length > 0],
    ['role', roles.length > 0],
    ['vrf', vrf !== undefined],
  ];
  const told = new Set<string>();
  const tell = (name: string, at: Position): void => {
    if (told.has(`${at.file} ${name}`)) return;
    told.add(`${at.file} ${name}`);
    const hint =
      'export all data, not the current view, or ask the API for whole objects, without brief or fields';
    reader.refuse('FIELD_MISSING', `the export has no field '${name}'`, at, hint);
  };
  for (const object of objects) {
    const isPlace = object.kind !== 'address';
    for (const [name, isAsked] of asked) {
      if (isAsked && (isPlace || name === 'vrf') && !fieldOf(object.row, name)) {
        tell(name, object.row.at);
      }
    }
    // An IP range may be of a kind that the field is not for.
    if (
      object.kind === 'prefix' &&
      zoneField !== undefined &&
      !customValue(object.row.fields, zoneField)
    ) {
      tell(zoneField, object.row.at);
    }
  }
}
