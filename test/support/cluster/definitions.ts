import type { KubeObject } from './kube.ts';

/** The part of an OpenAPI schema that says how fields nest; all other keywords say what a field takes. */
export interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** Keywords that have a rule of their own, or that mean nothing to what is written. */
const special = [
  'description',
  'properties',
  'items',
  'additionalProperties',
  'required',
  'default',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
];

/** What every object has: one definition may name it, another may leave it to the API server. */
const everyObject = ['apiVersion', 'kind', 'metadata'];

/** The definition of a kind; throws where the objects hold none. */
export function definitionOf(kind: string, objects: readonly KubeObject[]): KubeObject {
  const isIt = (object: KubeObject): boolean =>
    object.kind === 'CustomResourceDefinition' && object.spec.names.kind === kind;
  const found = objects.find(isIt);
  if (!found) throw new Error(`no definition of ${kind}`);
  return found;
}

/** The schema of the one version that is stored. */
export function schemaOf(definition: KubeObject): Schema {
  return definition.spec.versions.find(({ storage }: { storage: boolean }) => storage).schema
    .openAPIV3Schema;
}

/** The paths of all fields in a schema, sorted; `[]` is an item, `{}` a value under any key. */
export function fieldsOf(schema: Schema): readonly string[] {
  const below = (path: string, part: Schema): readonly string[] =>
    partsOf(part).flatMap(([name, child]) => [`${path}${name}`, ...below(`${path}${name}`, child)]);
  return below('', schema)
    .map((path) => path.slice(1))
    .sort();
}

/**
 * Why an object that the schema of ours takes would not be taken by theirs, or would mean something else:
 * one line each. Ours may have fewer fields, and narrower ones.
 */
export function differences(ours: KubeObject, theirs: KubeObject): readonly string[] {
  const [mine, other] = [identityOf(ours), identityOf(theirs)];
  return [
    ...Object.entries(mine)
      .filter(([part, value]) => other[part] !== value)
      .map(([part, value]) => `${part}: ours ${value}, theirs ${other[part]}`),
    ...differencesBelow('', schemaOf(ours), schemaOf(theirs)),
  ];
}

/** What theirs has and ours lacks: fields, each without those below it, and rules between fields. */
export function beyond(ours: KubeObject, theirs: KubeObject): readonly string[] {
  return beyondBelow('', schemaOf(ours), schemaOf(theirs)).sort();
}

/** How requests name the kind, and where it is served. */
function identityOf({ metadata, spec }: KubeObject): Readonly<Record<string, string>> {
  const { kind, plural, singular, listKind = `${kind}List`, shortNames = [] } = spec.names;
  const served = spec.versions.filter((version: { served: boolean }) => version.served);
  const versions = served.map(
    ({ name, storage }: { name: string; storage: boolean }) => `${name}${storage ? ' stored' : ''}`,
  );
  return {
    name: metadata.name,
    group: spec.group,
    scope: spec.scope,
    names: [kind, listKind, plural, singular, ...shortNames].join(' '),
    'served versions': versions.join(', '),
  };
}

function differencesBelow(path: string, ours: Schema, theirs: Schema | undefined): string[] {
  if (!theirs) return [`${path}: theirs has no such field`];
  const children = partsOf(ours)
    .filter(([name]) => !isOfEveryObject(path, name))
    .flatMap(([name, part]) => differencesBelow(path + name, part, partNamed(name, theirs)));
  return [...requirements(path, ours, theirs), ...keywordsOf(path, ours, theirs), ...children];
}

/** What theirs asks for that an object of ours may lack, or gets from a default instead. */
function requirements(path: string, ours: Schema, theirs: Schema): string[] {
  const always = ours.required ?? [];
  const isForgotten = (name: string): boolean =>
    !always.includes(name) && !isOfEveryObject(path, `.${name}`);
  const defaulted = Object.entries(ours.properties ?? {})
    .map(([name]) => [name, theirs.properties?.[name]?.default] as const)
    .filter(([name, value]) => value !== undefined && isForgotten(name));
  return [
    ...(theirs.required ?? [])
      .filter(isForgotten)
      .map((name) => `${path}.${name}: theirs requires it`),
    ...defaulted.map(([name, value]) => `${path}.${name}: theirs puts ${JSON.stringify(value)}`),
  ];
}

/** Each keyword of theirs narrows a field, so ours must say the same; a list or map must have one owner. */
function keywordsOf(path: string, ours: Schema, theirs: Schema): string[] {
  const text = (value: unknown): string => JSON.stringify(value) ?? 'nothing';
  const merged = ['x-kubernetes-list-type', 'x-kubernetes-map-type']
    .filter((keyword) => !['atomic', undefined].includes(theirs[keyword] as string | undefined))
    .map((keyword) => `${path}: ${keyword} ${text(theirs[keyword])}`);
  const narrowed = Object.entries(theirs)
    .filter(([keyword, value]) => !special.includes(keyword) && text(ours[keyword]) !== text(value))
    .map(
      ([keyword, value]) =>
        `${path}: ${keyword} ours ${text(ours[keyword])}, theirs ${text(value)}`,
    );
  return [...merged, ...narrowed];
}

function beyondBelow(path: string, ours: Schema, theirs: Schema): string[] {
  const rules = (theirs['x-kubernetes-validations'] ?? []) as readonly { readonly rule: string }[];
  return [
    ...rules.map(({ rule }) => `${path}: ${rule}`.slice(1)),
    ...partsOf(theirs).flatMap(([name, part]) => {
      const mine = partNamed(name, ours);
      if (mine) return beyondBelow(path + name, mine, part);
      return isOfEveryObject(path, name) ? [] : [`${path}${name}`.slice(1)];
    }),
  ];
}

/** Everything a schema nests: `.name`, `[]`, `{}`. */
function partsOf(schema: Schema): readonly (readonly [string, Schema])[] {
  const { properties = {}, items, additionalProperties } = schema;
  return [
    ...Object.entries(properties).map(([name, part]) => [`.${name}`, part] as const),
    ...(items ? [['[]', items] as const] : []),
    ...(typeof additionalProperties === 'object' ? [['{}', additionalProperties] as const] : []),
  ];
}

function partNamed(name: string, schema: Schema): Schema | undefined {
  return partsOf(schema).find(([candidate]) => candidate === name)?.[1];
}

function isOfEveryObject(path: string, name: string): boolean {
  return path === '' && everyObject.includes(name.slice(1));
}
