import { groupBy } from '../../../model/order.ts';
import { counted, fewOf } from '../../../model/problem.ts';
import type { FieldChange, ManifestChange } from '../plan-answer.ts';
import type { Grade } from './field-grades.ts';
import type { AppliedObject } from './redeploys.ts';

/** Objects of one kind that change alike. */
export interface ObjectGroup {
  readonly kind: string;
  /** Their names, such as `shop/web`, in the order of the files. */
  readonly names: readonly [string, ...string[]];
  /** The files of the objects. */
  readonly paths: readonly [string, ...string[]];
  /** Those of the first object. */
  readonly fields: readonly FieldChange[];
  /** True when the fields are the same and their values are not. */
  readonly isVaried: boolean;
}

/** With more groups of equal changes than this, objects with the same changed fields are one group. */
const mostEqual = 5;

/** The changed objects by the grade of their fields: an object can be in several groups. */
export type ChangedObjects = Readonly<Record<Grade, readonly ObjectGroup[]>>;

/** No changed objects. */
export const noChangedObjects: ChangedObjects = { reach: [], identity: [], cosmetic: [] };

/** The objects with changed fields of a grade that are shown, in groups of equal changes. */
export function objectGroups(
  manifests: readonly ManifestChange[],
  grade: Grade,
  isShown: (field: FieldChange, object: AppliedObject) => boolean = () => true,
): readonly ObjectGroup[] {
  const clusters = new Set(manifests.map(({ path }) => clusterOf(path)));
  const changed = manifests.flatMap(({ path, holder, objects }) =>
    objects.flatMap(({ object, fields = [] }) => {
      const applied = { cluster: clusterOf(path), object, holder };
      const own = fields.filter((field) => field.grade === grade && isShown(field, applied));
      if (own.length === 0) return [];
      const [kind = '', ...name] = object.split(' ');
      const where = clusters.size > 1 ? ` in ${clusterOf(path)}` : '';
      return [{ kind, name: `${name.join(' ')}${where}`, path, fields: own }];
    }),
  );
  const equal = groupBy(changed, ({ kind, fields }) => JSON.stringify([kind, fields]));
  const isVaried = equal.size > mostEqual;
  const groups = isVaried
    ? groupBy(changed, ({ kind, fields }) => JSON.stringify([kind, fields.map((one) => one.path)]))
    : equal;
  return [...groups.values()].map(([first, ...others]) => ({
    kind: first.kind,
    names: [first.name, ...others.map(({ name }) => name)],
    paths: [first.path, ...others.map(({ path }) => path)],
    fields: first.fields,
    isVaried: others.some(({ fields }) => JSON.stringify(fields) !== JSON.stringify(first.fields)),
  }));
}

export function clusterOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** At most this many fields of a group are named. */
const mostFields = 8;

/** `Service shop/web: spec.selector.app web → other`, or `500 Services (a, b, c and 497 more): …`. */
export function groupText(group: ObjectGroup): string {
  return `${objectsText([group])}: ${fieldsText(group)}`;
}

function fieldsText({ fields, names, isVaried }: ObjectGroup): string {
  const such = isVaried ? ` in ${names[0]}, other values in the others` : '';
  return `${fieldTexts(fields, mostFields).join('; ')}${such}`;
}

/**
 * The change of live objects, as a clause: `the reach of Service shop/web changes: …`. Cosmetic
 * changes are named when there are no others; empty without any.
 */
export function changedObjectsText(changed: ChangedObjects, verb: string): string {
  const { reach, identity, cosmetic } = changed;
  const clause = (what: string, groups: readonly ObjectGroup[]): string[] => {
    const [first, ...others] = groups;
    if (!first) return [];
    const fields = fieldsText(first);
    const isNamed = others.length === 0 && fields.length <= longestFields;
    return [`${what} of ${objectsText(groups)} ${verb}${isNamed ? `: ${fields}` : ''}`];
  };
  const graded = [...clause('the reach', reach), ...clause('the identity', identity)];
  const clauses = graded.length > 0 ? graded : clause('a label or an annotation', cosmetic);
  return clauses.join('; ');
}

/** Longer texts of fields are in the cautions only. */
const longestFields = 140;

/** The objects of groups: `Service shop/web`, or `500 Services (a, b, c and 497 more)`. */
function objectsText(groups: readonly ObjectGroup[]): string {
  const kinds = groupBy(groups, ({ kind }) => kind);
  return [...kinds]
    .map(([kind, all]) => {
      const names = [...new Set(all.flatMap((group) => group.names))];
      if (names.length === 1) return `${kind} ${names[0]}`;
      return `${kindsText(kind, names.length)} (${fewOf(names, 3)})`;
    })
    .join(' and ');
}

/** `1 Service`, `2 NetworkPolicies`. */
export function kindsText(kind: string, count: number): string {
  const stem = kind.endsWith('y') ? `${kind.slice(0, -1)}ie` : kind;
  return counted(count, kind, kind.endsWith('ss') ? `${kind}es` : `${stem}s`);
}

/** The first fields of an object, each as a text, and the number of the others. */
export function fieldTexts(fields: readonly FieldChange[], most: number): readonly string[] {
  const left = fields.length - most;
  const shown = fields.slice(0, most).map(changedFieldText);
  return left > 0 ? [...shown, `and ${counted(left, 'more field')}`] : shown;
}

/** `spec.selector.app web → other`. */
function changedFieldText({ path, before = 'none', after = 'none' }: FieldChange): string {
  return `${path} ${before} → ${after}`;
}
