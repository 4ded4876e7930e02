import { diagnosisSchema } from './diagnosis-answer.ts';
import { planeMoveSchema } from './plane-move/plane-move-answer.ts';
import { verificationSchema } from './verification-answer.ts';

/** The JSON Schemas of its answers, by file name in docs/schemas. No program loads them. */
export const schemas = {
  'diagnosis.schema.json': diagnosisSchema,
  'plane-move.schema.json': planeMoveSchema,
  'verification.schema.json': verificationSchema,
};
