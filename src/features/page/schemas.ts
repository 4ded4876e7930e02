import { picturePastSchema, pictureSchema } from './picture-answer.ts';

/** The JSON Schemas of its answers, by file name in docs/schemas. No program loads them. */
export const schemas = {
  'picture-past.schema.json': picturePastSchema,
  'picture.schema.json': pictureSchema,
};
