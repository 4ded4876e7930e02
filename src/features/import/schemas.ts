import { importSchema } from './import-answer.ts';

/** The JSON Schemas of its answers, by file name in docs/schemas. No program loads them. */
export const schemas = {
  'import.schema.json': importSchema,
};
