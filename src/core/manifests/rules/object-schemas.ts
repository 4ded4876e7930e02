import { schemas } from '../../../../imports/schemas.ts';
import { objectName } from '../../model/live.ts';
import { InternalError } from '../../model/problem.ts';
import type { Manifest } from '../manifest.ts';
import { type SchemaCheck, schemaCheck } from './schema-check.ts';

const compiled = new Map<string, SchemaCheck>();

/**
 * Checks an object against the closed schema of its kind. The API server drops unknown fields
 * silently. Throws an InternalError when the object does not fit, or when its kind has no schema.
 */
export function checkSchema(manifest: Manifest): void {
  const name = objectName(manifest.kind, manifest.metadata);
  const fault = checkOf(manifest, name)(withNumbers(manifest));
  if (fault !== undefined) throw new InternalError(`${name} does not match its schema: ${fault}`);
}

/**
 * Returns an object whose spec has numbers in place of bigints, which JSON schemas do not know. A
 * large one loses its last digits, and is as large.
 */
function withNumbers(manifest: Manifest): Manifest {
  const fields = Object.entries(manifest.spec ?? {});
  if (!fields.some(([, value]) => typeof value === 'bigint')) return manifest;
  const spec = fields.map(([key, value]) => [
    key,
    typeof value === 'bigint' ? Number(value) : value,
  ]);
  return { ...manifest, spec: Object.fromEntries(spec) };
}

function checkOf({ apiVersion, kind }: Manifest, name: string): SchemaCheck {
  const key = `${apiVersion}/${kind}`;
  return compiledOnce(key, () => {
    const schema = schemas[key];
    if (!schema) throw new InternalError(`${name}: ${key} has no schema`);
    return schema;
  });
}

function compiledOnce(key: string, schemaOf: () => object): SchemaCheck {
  const known = compiled.get(key);
  if (known) return known;
  const check = schemaCheck(schemaOf());
  compiled.set(key, check);
  return check;
}

/** Reports whether a value fits the schema of its place. */
export type LeafCheck = (value: string | number) => boolean;

/**
 * Returns checks of the value at a path in an object that matches its schema: as long as they pass,
 * the object still matches with another value there. Undefined when the schema judges that place
 * together with others.
 */
export function leafChecks(
  manifest: Manifest,
  path: readonly (string | number)[],
): readonly LeafCheck[] | undefined {
  const { apiVersion, kind } = manifest;
  const found = leafSchemas(schemas[`${apiVersion}/${kind}`], manifest, path);
  return found?.map(compiledSchema);
}

function compiledSchema(schema: object): (value: unknown) => boolean {
  const check = compiledOnce(JSON.stringify(schema), () => schema);
  return (value) => check(value) === undefined;
}

/** The keywords that look at the types, the keys and the number of values, or at one value each. */
const byPlace = new Set([
  ...['type', 'required', 'properties', 'additionalProperties', 'propertyNames'],
  ...['items', 'minItems', 'maxItems', 'minProperties', 'if', 'then'],
]);

/** `whole` is the part of an object that the schema is for. The path starts there. */
function leafSchemas(
  schema: unknown,
  whole: unknown,
  path: readonly (string | number)[],
): object[] | undefined {
  if (schema === true || schema === undefined) return [];
  if (typeof schema !== 'object' || schema === null) return undefined;
  const [step, ...rest] = path;
  if (step === undefined) return [schema];
  if (!Object.keys(schema).every((key) => byPlace.has(key))) return undefined;
  const { properties = {}, additionalProperties, items, if: condition, then } = schema as Schema;
  const isNamed = typeof step === 'string' && Object.hasOwn(properties, step);
  const inner =
    typeof step === 'number' ? items : isNamed ? properties[step] : additionalProperties;
  const own = leafSchemas(inner, Reflect.get(Object(whole), step), rest);
  // A value that a condition looks at could change what is required elsewhere.
  const conditional = leafSchemas(condition, whole, path);
  if (!own || conditional?.length !== 0) return undefined;
  const implied = holds(condition, whole) ? leafSchemas(then, whole, path) : [];
  return implied && [...own, ...implied];
}

/** Reports whether the condition of a schema holds for a list or a map; false without one. */
function holds(condition: unknown, whole: unknown): boolean {
  if (condition === undefined) return false;
  const type = Array.isArray(whole) ? 'array' : 'object';
  return compiledSchema({ type, ...Object(condition) })(whole);
}

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly additionalProperties?: unknown;
  readonly items?: unknown;
  readonly if?: unknown;
  readonly then?: unknown;
}
