// @module-tag counted

import { resolve } from 'node:path';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { schemas } from '../../imports/schemas.ts';
import { type SchemaCheck, schemaCheck } from '../../src/core/manifests/rules/schema-check.ts';
import { SeededRandom } from '../support/life/seeded-random.ts';
import { repeats, runs } from '../support/run/scope.ts';
import { filesBelow } from '../support/trees/tree-bytes.ts';

const repository = resolve(import.meta.dirname, '../..');
const ajv = new Ajv({ allErrors: true, unicodeRegExp: false, unicode: false, logger: false });

interface KnownObject {
  readonly kind: string;
  readonly object: object;
}

interface Validators {
  readonly own: SchemaCheck;
  readonly theirs: ValidateFunction;
}

let objects: readonly KnownObject[];
let byKind: ReadonlyMap<string, Validators>;
/** Keys and values that stand somewhere in an object or a schema, and others. */
let keys: readonly string[];
let values: readonly unknown[];

beforeAll(() => {
  objects = [...filesBelow(repository, ['dist', 'test/golden/cases'])].flatMap(([path, text]) =>
    path.includes('dist/') && path.endsWith('.yaml')
      ? parseAllDocuments(text, { version: '1.1' }).map((document) => {
          const object = document.toJS();
          return { kind: `${object.apiVersion}/${object.kind}`, object };
        })
      : [],
  );
  byKind = new Map(
    Object.entries(schemas).map(([kind, schema]) => [
      kind,
      { own: schemaCheck(schema), theirs: ajv.compile(schema) },
    ]),
  );
  const parts = [...objects.map(({ object }) => object), schemas].flatMap(partsOf);
  keys = [...new Set([...parts.map(([key]) => key), ...oddKeys])];
  values = [...new Set([...parts.map(([, value]) => value), ...oddValues])];
});

const oddKeys = ['', 'a/b', 'a~b', 'constructor', '__proto__x', 'toString', 'é', '-a', 'A_b'];
// biome-ignore format: a list to read, not a column
const oddValues: readonly unknown[] = [
  null, undefined, true, false, 0, -1, 1, 1.5, 65_535, 65_536, 2 ** 31, 2 ** 32, 1e300, Number.NaN, Infinity,
  '', ' ', 'x', 'X', 'é', '🎉'.repeat(8), 'x'.repeat(63), 'x'.repeat(64), 'x'.repeat(253), 'x'.repeat(318), '1', '-1',
  '::', '203.0.113.7', '203.0.113.0/28', 'a\n', '\na', [], {}, [[]], [null], [1, 1], ['IPv4', 'IPv4'], { a: 1 },
];

/** The keys of an object and what they have, at all depths. */
function partsOf(object: object): (readonly [string, unknown])[] {
  return Object.entries(object).flatMap(([key, value]) => [
    [key, value] as const,
    ...(typeof value === 'object' && value !== null ? partsOf(value) : []),
  ]);
}

/** Changes an object in one place, or in two. */
function mutated(object: object, random: SeededRandom): object {
  const copy = structuredClone(object);
  mutate(copy, random);
  if (random.isOnceIn(4)) mutate(copy, random);
  return copy;
}

/** Changes one part of an object, at any depth. */
function mutate(whole: object, random: SeededRandom): void {
  const inner = Object.entries(whole);
  const [key = '', value] = random.of(inner) ?? [];
  if (typeof value === 'object' && value !== null && !random.isOnceIn(5)) {
    mutate(value, random);
    return;
  }
  const fields = whole as Record<string, unknown>;
  const other = structuredClone(random.of(values));
  const change = random.below(9);
  if (change === 0 && Array.isArray(whole)) whole.splice(random.below(inner.length + 1), 0, other);
  else if (change === 0) fields[random.of(keys) ?? ''] = other;
  else if (change === 1 && Array.isArray(whole)) whole.push(structuredClone(value));
  else if (change === 1) delete fields[key];
  else if (change === 2) fields[key] = other;
  else fields[key] = nearby(value, random);
}

/** Nearly the same text or number. */
function nearby(value: unknown, random: SeededRandom): unknown {
  if (typeof value === 'number') return value + random.one(-1, 1, 1, 0.5, 65_536);
  if (typeof value !== 'string') return structuredClone(random.of(values));
  const at = random.below(value.length + 1);
  const character = random.one('', 'a', 'b', '1', '2', '-', '.', 'Z', '/', 'é');
  return `${value.slice(0, at)}${character}${value.slice(at + random.below(2))}`;
}

/** The place that our check names for an error of ajv. */
function placeOf({ instancePath, params, propertyName }: ErrorObject): string {
  const field: unknown = params.additionalProperty ?? params.missingProperty ?? propertyName;
  const step = String(field).replaceAll('~', '~0').replaceAll('/', '~1');
  return field === undefined ? instancePath || '/' : `${instancePath}/${step}`;
}

test('an object fits its schema just when ajv says so, and a fault is where ajv finds one', () => {
  const random = new SeededRandom(54);
  const count = repeats(runs(16_000), 400_000);
  const fitting = new Map<string, number>();
  let faults = 0;
  for (let round = 0; round < count; round += 1) {
    const { kind, object } = random.of(objects)!;
    const { own, theirs } = byKind.get(kind)!;
    const changed = mutated(object, random);
    const fault = own(changed);
    expect([theirs(changed), fault, changed]).toEqual([fault === undefined, fault, changed]);
    if (fault === undefined) fitting.set(kind, 1 + (fitting.get(kind) ?? 0));
    else {
      faults += 1;
      expect((theirs.errors ?? []).map(placeOf)).toContain(fault.split(' ')[0]);
    }
  }
  expect(faults).toBeGreaterThan(count / 2);
  expect([...fitting.values()].reduce((sum, one) => sum + one, 0)).toBeGreaterThan(count / 20);
  expect(fitting.size).toBeGreaterThan(repeats(5, 16));
});

test('every object of dist/ and of the golden cases fits, and each kind is among them', () => {
  for (const { kind, object } of objects) {
    expect([byKind.get(kind)?.own(object), byKind.get(kind)?.theirs(object)]).toEqual([
      undefined,
      true,
    ]);
  }
  expect([...new Set(objects.map(({ kind }) => kind))].sort()).toEqual(Object.keys(schemas).sort());
});

test.each([
  ['a keyword that it does not know', { type: 'object', patternProperties: {} }],
  ['the same below others', { items: { anyOf: [{ not: { format: 'int32' } }] } }],
  ['a type that it does not know', { type: 'number' }],
  ['several types', { type: ['string', 'null'] }],
  ['a schema that is no object', { properties: { a: true } }],
  ['items that are compared, and are no words', { uniqueItems: true, items: { type: 'object' } }],
])('a schema with %s is a bug', (_, schema) => {
  expect(() => schemaCheck(schema)).toThrow(/not known|not a schema|needs an enum/);
});

test('a text may have as many characters as its schema allows, and no more', () => {
  const check = schemaCheck({ type: 'string', maxLength: 3 });
  expect([check('abc'), check('abcd')]).toEqual([undefined, expect.stringContaining('at most 3')]);
});
