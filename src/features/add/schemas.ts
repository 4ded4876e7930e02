import { additionSchema } from './add-answer.ts';

/** The JSON Schemas of its answers, by file name in docs/schemas. No program loads them. */
export const schemas = {
  'addition.schema.json': additionSchema,
};
