import { declarationSchema, publicationSchema, purgeSchema } from './bot-answer.ts';

/** The JSON Schemas of its answers, by file name in docs/schemas. No program loads them. */
export const schemas = {
  'declaration.schema.json': declarationSchema,
  'publication.schema.json': publicationSchema,
  'purge.schema.json': purgeSchema,
};
