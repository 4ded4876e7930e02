import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { schemas } from '../../../../imports/schemas.ts';
import { objectName } from '../../model/live.ts';
import { InternalError } from '../../model/problem.ts';
import type { Manifest } from '../manifest.ts';

const ajv = new Ajv({
  strictSchema: true,
  strictTypes: true,
  strictTuples: true,
  unicodeRegExp: false,
  // Lengths are counted in code units. Every text with a maximum length has an ASCII pattern.
  unicode: false,
  // Ajv would warn about that option on stderr. Errors in a schema throw.
  logger: false,
  // A unit test compares the schemas with their meta-schema. A command compiles a few schemas for
  // few objects: that takes twice as long when ajv checks each schema and optimizes the code.
  meta: false,
  validateSchema: false,
  code: { optimize: false },
});
const compiled = new Map<string, ValidateFunction>();

/**
 * Checks an object against the closed schema of its kind. The API server drops unknown fields
 * silently. Throws an InternalError when the object does not fit, or when its kind has no schema.
 */
export function checkSchema(manifest: Manifest): void {
  const name = objectName(manifest.kind, manifest.metadata);
  const validate = validatorOf(manifest, name);
  if (validate(withNumbers(manifest))) return;
  const errors = (validate.errors ?? []).map(errorText).join('; ');
  throw new InternalError(`${name} does not match its schema: ${errors}`);
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

function validatorOf({ apiVersion, kind }: Manifest, name: string): ValidateFunction {
  const key = `${apiVersion}/${kind}`;
  return compiledOnce(key, () => {
    const schema = schemas[key];
    if (!schema) throw new InternalError(`${name}: ${key} has no schema`);
    return schema;
  });
}

function compiledOnce(key: string, schemaOf: () => object): ValidateFunction {
  const known = compiled.get(key);
  if (known) return known;
  const validate = ajv.compile(schemaOf());
  compiled.set(key, validate);
  return validate;
}

function errorText({ instancePath, message, params }: ErrorObject): string {
  const field = 'additionalProperty' in params ? ` '${params.additionalProperty}'` : '';
  return `${instancePath || '/'} ${message}${field}`;
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

function compiledSchema(schema: object): ValidateFunction {
  return compiledOnce(JSON.stringify(schema), () => schema);
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
