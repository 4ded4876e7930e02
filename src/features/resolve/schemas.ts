import { resolutionSchema } from './resolution-answer.ts';

/** The JSON Schemas of its answers, by file name in docs/schemas. No program loads them. */
export const schemas = {
  'resolution.schema.json': resolutionSchema,
};
