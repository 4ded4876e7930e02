import {
  keyRotationSchema,
  keySignatureSchema,
  keyUsageSchema,
  newKeySchema,
} from './key-answer.ts';

/** The JSON Schemas of its answers, by file name in docs/schemas. No program loads them. */
export const schemas = {
  'key-rotation.schema.json': keyRotationSchema,
  'key-signature.schema.json': keySignatureSchema,
  'key-usage.schema.json': keyUsageSchema,
  'new-key.schema.json': newKeySchema,
};
