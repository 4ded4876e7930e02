import { statusSchema } from '../../lib/service/status-answer.ts';

/** The JSON Schemas of its answers, by file name in docs/schemas. No program loads them. */
export const schemas = {
  'status.schema.json': statusSchema,
};
