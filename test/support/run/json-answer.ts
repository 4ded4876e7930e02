import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { jsonSchemas } from '../../../docs/generators/json-schemas.ts';
import { runInProcess } from './run-in-process.ts';

const validator = new Ajv2020();

/** Runs a command with `-o json`, and gives its answer, which fits a schema. */
export async function answerOf(
  line: readonly string[],
  root: string,
  {
    schema,
    status = 0,
    env = {},
  }: {
    readonly schema: string;
    readonly status?: number;
    readonly env?: Readonly<Record<string, string>>;
  },
): Promise<unknown> {
  const finished = await runInProcess([...line, '-o', 'json'], root, env);
  expect(finished).toMatchObject({ status });
  const answer: unknown = JSON.parse(finished.out);
  const validate = validator.compile(JSON.parse(jsonSchemas().get(`${schema}.schema.json`) ?? ''));
  expect([validate(answer), validate.errors]).toEqual([true, null]);
  return answer;
}

/**
 * Runs a command line in every format of `-o` and gives the JSON answer, which fits its schema and is what the
 * YAML one says.
 */
export async function answered(
  line: readonly string[],
  root: string,
  schema: string,
): Promise<unknown> {
  const answer = await answerOf(line, root, { schema });
  const yaml = await runInProcess([...line, '-o', 'yaml'], root);
  expect(parse(yaml.out)).toEqual(answer);
  const csv = (await runInProcess([...line, '-o', 'csv'], root)).out.trimEnd().split('\n');
  expect(csv.length).toBeGreaterThan(1);
  return answer;
}
