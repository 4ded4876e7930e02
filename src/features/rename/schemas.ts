import { renamingSchema } from './rename-answer.ts';

/** The JSON Schema of its answer, by file name in docs/schemas. No program loads it. */
export const schemas = { 'renaming.schema.json': renamingSchema };
