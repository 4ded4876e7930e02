import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { jsonSchemas } from '../../../src/features/reference/json-schemas.ts';
import { runInProcess } from './run-in-process.ts';

/**
 * Runs a command line in every format of `-o` and gives the JSON answer, which fits its schema and is what the
 * YAML one says.
 */
export async function answered(
  line: readonly string[],
  root: string,
  schema: string,
): Promise<unknown> {
  const { status, out } = await runInProcess([...line, '-o', 'json'], root);
  expect(status).toBe(0);
  const answer: unknown = JSON.parse(out);
  const validate = new Ajv2020().compile(JSON.parse(jsonSchemas().get(schema) ?? ''));
  expect([validate(answer), validate.errors]).toEqual([true, null]);
  const yaml = await runInProcess([...line, '-o', 'yaml'], root);
  expect(parse(yaml.out)).toEqual(answer);
  const csv = (await runInProcess([...line, '-o', 'csv'], root)).out.trimEnd().split('\n');
  expect(csv.length).toBeGreaterThan(1);
  return answer;
}
