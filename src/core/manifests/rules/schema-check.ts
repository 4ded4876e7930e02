import { schemas } from '../../../../imports/schemas.ts';
import { objectName } from '../../model/live.ts';
import { InternalError } from '../../model/problem.ts';
import type { Manifest } from '../manifest.ts';

/** The checks of the kinds that this process has written. */
const ofKinds = new Map<string, SchemaCheck>();

/**
 * Checks an object against the closed schema of its kind. The API server drops unknown fields
 * silently. Throws an InternalError when the object does not fit, or when its kind has no schema.
 */
export function checkManifest(manifest: Manifest): void {
  const { apiVersion, kind, metadata } = manifest;
  const key = `${apiVersion}/${kind}`;
  let check = ofKinds.get(key);
  if (!check) {
    const schema = schemas[key];
    if (!schema) throw new InternalError(`${objectName(kind, metadata)}: ${key} has no schema`);
    check = schemaCheck(schema);
    ofKinds.set(key, check);
  }
  const fault = check(manifest);
  if (fault === undefined) return;
  const name = objectName(kind, metadata);
  throw new InternalError(`${name} does not match its schema: ${fault}`);
}

/**
 * Checks a value by a JSON schema. Returns the place and the rule of the first fault, such as
 * `/spec/port must be at most 65535`; undefined when the value fits.
 */
export type SchemaCheck = (value: unknown) => string | undefined;

/**
 * Makes the check of a schema. Throws an InternalError for a keyword that it does not know.
 * test/property/schema-check.test.ts compares it with ajv.
 */
export function schemaCheck(schema: object): SchemaCheck {
  const check = checkOf(schema);
  return (value) => {
    const fault = check(value);
    return fault?.startsWith(' ') ? `/${fault}` : fault;
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** As {@link schemaCheck}, but the place of the value itself is empty. */
function checkOf(schema: unknown): SchemaCheck {
  if (!isMap(schema)) throw new InternalError(`${JSON.stringify(schema)} is not a schema`);
  const checks = Object.keys(schema).flatMap((keyword) => {
    const makeCheck = keywords.get(keyword);
    if (!makeCheck) throw new InternalError(`the schema keyword '${keyword}' is not known`);
    return makeCheck(schema[keyword] as never, schema) ?? [];
  });
  const [only] = checks;
  if (only && checks.length === 1) return only;
  return (value) => {
    for (const check of checks) {
      const fault = check(value);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

type Guard<Value> = (value: unknown) => value is Value;

const isMap: Guard<Fields> = (value): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isList: Guard<readonly unknown[]> = Array.isArray;
const isText: Guard<string> = (value) => typeof value === 'string';
const isNumber: Guard<number | bigint> = (value) =>
  typeof value === 'number' || typeof value === 'bigint';
const isAny: Guard<unknown> = (_value): _value is unknown => true;

const types = new Map<string, (value: unknown) => boolean>([
  ['object', isMap],
  ['array', isList],
  ['string', isText],
  ['boolean', (value) => typeof value === 'boolean'],
  ['integer', (value) => typeof value === 'bigint' || Number.isInteger(value)],
]);

/** A rule for values of one type. Other values have no fault in it. */
function rule<Value>(
  isOfType: Guard<Value>,
  holds: (value: Value) => boolean,
  text: string,
): SchemaCheck {
  return (value) => (isOfType(value) && !holds(value) ? ` must ${text}` : undefined);
}

/** Makes the check of a keyword from its value. Undefined when another keyword has that check. */
type MakeCheck = (value: never, schema: Fields) => SchemaCheck | undefined;

const keywords: ReadonlyMap<string, MakeCheck> = new Map(
  Object.entries<MakeCheck>({
    type: (type: string) => {
      const isOfType = types.get(type);
      if (!isOfType) throw new InternalError(`the schema type '${type}' is not known`);
      return rule(isAny, isOfType, `be of type ${type}`);
    },
    const: (wanted: unknown) => rule(isAny, (value) => value === wanted, `be ${wanted}`),
    enum: (texts: readonly unknown[]) =>
      rule(isAny, (value) => texts.includes(value), `be one of ${texts.join(', ')}`),
    pattern: (pattern: string) => {
      const expression = new RegExp(pattern);
      return rule(isText, (text) => expression.test(text), `match ${pattern}`);
    },
    // Lengths are counted in code units. Every text with a maximum length has an ASCII pattern.
    minLength: (least: number) =>
      rule(isText, ({ length }) => length >= least, `have at least ${least} characters`),
    maxLength: (most: number) =>
      rule(isText, ({ length }) => length <= most, `have at most ${most} characters`),
    minimum: (least: number) => rule(isNumber, (value) => value >= least, `be at least ${least}`),
    maximum: (most: number) => rule(isNumber, (value) => value <= most, `be at most ${most}`),
    minItems: (least: number) =>
      rule(isList, ({ length }) => length >= least, `have at least ${least} items`),
    maxItems: (most: number) =>
      rule(isList, ({ length }) => length <= most, `have at most ${most} items`),
    uniqueItems: (_: boolean, { items }) => {
      if (!isMap(items) || !('enum' in items)) throw new InternalError('uniqueItems needs an enum');
      return rule(isList, (list) => new Set(list).size === list.length, 'have each item once');
    },
    items: (schema: object) => {
      const check = checkOf(schema);
      return (list) => {
        if (!isList(list)) return undefined;
        for (let index = 0; index < list.length; index += 1) {
          const fault = check(list[index]);
          if (fault !== undefined) return `/${index}${fault}`;
        }
        return undefined;
      };
    },
    required: (names: readonly string[]) => (map) => {
      const missing = isMap(map) ? names.find((name) => map[name] === undefined) : undefined;
      return missing === undefined ? undefined : `${stepTo(missing)} is missing`;
    },
    minProperties: (least: number) =>
      rule(isMap, (map) => Object.keys(map).length >= least, `have at least ${least} fields`),
    propertyNames: (schema: object) => {
      const check = checkOf(schema);
      return (map) => {
        const wrong = isMap(map)
          ? Object.keys(map).find((name) => check(name) !== undefined)
          : undefined;
        return wrong === undefined ? undefined : `${stepTo(wrong)} must have another name`;
      };
    },
    properties: (_: object, schema) => fieldsCheck(schema),
    additionalProperties: (_: unknown, schema) =>
      'properties' in schema ? undefined : fieldsCheck(schema),
    anyOf: (schemas: readonly object[]) => {
      const checks = schemas.map(checkOf);
      const holds = (value: unknown) => checks.some((check) => check(value) === undefined);
      return rule(isAny, holds, 'match one of several schemas');
    },
    not: (schema: object) => {
      const check = checkOf(schema);
      return rule(isAny, (value) => check(value) !== undefined, 'not match a schema');
    },
    if: () => undefined,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: (schema: object, { if: condition }) => {
      const [applies, check] = [checkOf(condition), checkOf(schema)];
      return (value) => (applies(value) === undefined ? check(value) : undefined);
    },
  }),
);

/** The check of `properties` and `additionalProperties` together. */
function fieldsCheck({ properties, additionalProperties: others = true }: Fields): SchemaCheck {
  const unnamed =
    typeof others === 'boolean' ? () => (others ? undefined : ' is not known') : checkOf(others);
  const named = new Map(
    Object.entries(Object(properties)).map(([name, schema]) => [name, checkOf(schema)]),
  );
  return (map) => {
    if (!isMap(map)) return undefined;
    for (const name in map) {
      const value = map[name];
      const check = named.get(name);
      if (check && value === undefined) continue;
      const fault = (check ?? unnamed)(value);
      if (fault !== undefined) return `${stepTo(name)}${fault}`;
    }
    return undefined;
  };
}

/** A step of a JSON Pointer (RFC 6901). */
function stepTo(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
