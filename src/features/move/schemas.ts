import { layoutMigrationSchema, moveSchema, pinSchema, releaseSchema } from './operation-answer.ts';

/** The JSON Schemas of its answers, by file name in docs/schemas. No program loads them. */
export const schemas = {
  'layout-migration.schema.json': layoutMigrationSchema,
  'move.schema.json': moveSchema,
  'pin.schema.json': pinSchema,
  'release.schema.json': releaseSchema,
};
