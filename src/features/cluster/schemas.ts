import { diagnosisSchema } from './diagnosis-answer.ts';
import { verificationSchema } from './verification-answer.ts';

/** The JSON Schemas of its answers, by file name in docs/schemas. No program loads them. */
export const schemas = {
  'diagnosis.schema.json': diagnosisSchema,
  'verification.schema.json': verificationSchema,
};
