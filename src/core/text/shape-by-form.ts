import * as z from 'zod';
import type { FormedText, FormPart, PlainForm } from './yaml/plain-form.ts';
import type { PlainScalar } from './yaml/plain-yaml.ts';

/**
 * Reads a document by its schema and its form. Two documents of one form differ in their scalars
 * only, so what the schema made of the first one is a pattern for the others, and only their
 * scalars are checked. test/property/shape-by-form.test.ts compares it with the whole schema.
 */

/** The patterns by schema and form; undefined where the schema judges scalars together. */
const patterns = new WeakMap<z.ZodType, WeakMap<PlainForm, Fill | undefined>>();

/** Makes the output of a part from the scalars of a document; {@link invalid} if one is invalid. */
type Fill = (scalars: FormedText['scalars']) => unknown;

/** Stands for the output of an invalid scalar: `undefined` can be valid. */
const invalid = Symbol('invalid');

/** The output of a schema; undefined when the whole schema has to read the document. */
export function readByPattern<Schema extends z.ZodType>(
  schema: Schema,
  { form, scalars }: FormedText,
): { readonly output: z.output<Schema> } | undefined {
  const output = patterns.get(schema)?.get(form)?.(scalars);
  return output === undefined || output === invalid
    ? undefined
    : { output: output as z.output<Schema> };
}

/** Makes a pattern of a document that the whole schema has read, the first one of its form. */
export function learnPattern(schema: z.ZodType, { form }: FormedText, output: unknown): void {
  const known = patterns.get(schema) ?? new WeakMap<PlainForm, Fill | undefined>();
  patterns.set(schema, known);
  if (!known.has(form)) known.set(form, fillOf(schema, form.root, output));
}

const keyRules = new WeakSet<z.ZodType>();

/**
 * Declares that the checks of a mapping look at its keys only, and not at their values. Without
 * that, a schema with checks of its own reads each document as a whole.
 */
export function judgedByKeys<Schema extends z.ZodType>(schema: Schema): Schema {
  keyRules.add(schema);
  return schema;
}

/** Undefined when the schema judges scalars below the part together. */
function fillOf(schema: z.ZodType, part: FormPart, output: unknown): Fill | undefined {
  if (typeof part === 'number') return scalarFill(schema, part);
  const inner = unwrapped(schema);
  if (part.kind === 'list') {
    if (!(inner instanceof z.ZodArray) || !Array.isArray(output) || isJudged(inner)) {
      return undefined;
    }
    const fills = part.items.map((item, index) =>
      fillOf(inner.element as z.ZodType, item, output[index]),
    );
    return fills.every((fill) => fill !== undefined) ? listFill(fills) : undefined;
  }
  if (!isMapping(output) || isJudged(inner)) return undefined;
  const fills = [...part.entries].map(([key, own]) => {
    const field = fieldOf(inner, key);
    return [key, field && fillOf(field, own, output[key])] as const;
  });
  const known = fills.flatMap(([key, fill]) => (fill ? [[key, fill] as const] : []));
  return known.length === fills.length ? mapFill(output, known) : undefined;
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The schema of a value that is present. */
function unwrapped(schema: z.ZodType): z.ZodType {
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault;
  return isWrapper ? unwrapped(schema.unwrap() as z.ZodType) : schema;
}

function fieldOf(schema: z.ZodType, key: string): z.ZodType | undefined {
  if (schema instanceof z.ZodRecord) return schema.valueType as z.ZodType;
  if (!(schema instanceof z.ZodObject)) return undefined;
  return Object.hasOwn(schema.shape, key) ? (schema.shape[key] as z.ZodType) : undefined;
}

/** True for a schema with a check of its own that may look at scalars. */
function isJudged(schema: z.ZodType): boolean {
  if (keyRules.has(schema)) return false;
  const { checks = [] } = schema.def as { readonly checks?: readonly Check[] };
  return checks.some(({ _zod: { def } }) => !lengthChecks.has(def.check));
}

interface Check {
  readonly _zod: { readonly def: { readonly check: string } };
}

const lengthChecks = new Set(['min_length', 'max_length', 'length_equals']);

/** Most scalars are those of the document before, so the last output is kept. */
function scalarFill(schema: z.ZodType, index: number): Fill {
  let last: PlainScalar | undefined;
  let output: unknown = invalid;
  return (scalars) => {
    const scalar = scalars[index];
    if (scalar !== last) {
      const parsed = schema.safeParse(scalar);
      last = scalar;
      output = parsed.success ? parsed.data : invalid;
    }
    return output;
  };
}

function listFill(fills: readonly Fill[]): Fill {
  return (scalars) => {
    const list: unknown[] = [];
    for (const fill of fills) {
      const item = fill(scalars);
      if (item === invalid) return invalid;
      list.push(item);
    }
    return list;
  };
}

/** Fields that the document does not have are those of the first output: their defaults. */
function mapFill(
  first: Readonly<Record<string, unknown>>,
  fills: readonly (readonly [key: string, fill: Fill])[],
): Fill {
  return (scalars) => {
    const map: Record<string, unknown> = { ...first };
    for (const [key, fill] of fills) {
      const value = fill(scalars);
      if (value === invalid) return invalid;
      map[key] = value;
    }
    return map;
  };
}
