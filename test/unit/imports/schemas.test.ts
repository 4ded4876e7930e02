import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { schemas } from '../../../imports/schemas.ts';
import { emittedKinds, liveKinds } from '../../../src/core/model/kinds.ts';

test('there is a schema for every kind that is written, and each is closed all the way down', () => {
  const written = emittedKinds.map(
    (kind) => `${liveKinds[kind].apiVersion}/${liveKinds[kind].kind}`,
  );
  expect(Object.keys(schemas).sort()).toEqual(written.sort());
  expect(openPlaces(schemas, '')).toEqual([]);
});

test.each(Object.entries(schemas))('the schema of %s fits the meta-schema', (_, schema) => {
  const ajv = new Ajv();
  expect([ajv.validateSchema(schema), ajv.errors]).toEqual([true, null]);
});

/** Where a schema takes an object and says nothing of other fields. */
function openPlaces(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const isOpen =
    'type' in schema && schema.type === 'object' && !('additionalProperties' in schema);
  return [
    ...(isOpen ? [path] : []),
    ...Object.entries(schema).flatMap(([key, value]) => openPlaces(value, `${path}/${key}`)),
  ];
}
