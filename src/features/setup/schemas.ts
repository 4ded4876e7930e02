import { codeownersSchema } from './codeowners.ts';
import { setupSchema } from './init/setup-answer.ts';

/** The JSON Schemas of its answers, by file name in docs/schemas. No program loads them. */
export const schemas = {
  'codeowners.schema.json': codeownersSchema,
  'setup.schema.json': setupSchema,
};
