import { hostnameProofsSchema, proofCheckSchema } from './prove-answer.ts';

/** The JSON Schemas of its answers, by file name in docs/schemas. No program loads them. */
export const schemas = {
  'hostname-proofs.schema.json': hostnameProofsSchema,
  'proof-check.schema.json': proofCheckSchema,
};
