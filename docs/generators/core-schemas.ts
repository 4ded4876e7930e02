import { hostnameSchema } from '../../src/core/declarations/hostname-file.ts';
import { keySchema, repositorySchema } from '../../src/core/declarations/key-file.ts';
import { leaseSchema } from '../../src/core/declarations/lease/lease-schema.ts';
import { policySchema } from '../../src/core/declarations/policy-schema.ts';
import { poolsSchema } from '../../src/core/declarations/pools/pools-schema.ts';
import { promiseSchema } from '../../src/core/declarations/promise/promise-schema.ts';
import { renameSchema } from '../../src/core/declarations/rename-file.ts';
import { reservationSchema } from '../../src/core/declarations/service/reservation-file.ts';
import { serviceSchema } from '../../src/core/declarations/service/service-schema.ts';
import { allocationSchema } from '../../src/core/records/allocation-schema.ts';
import { domainProofSchema } from '../../src/core/records/domain-proof-file.ts';
import { hostnameRecordSchema } from '../../src/core/records/hostname-file.ts';
import { codesSchema } from '../../src/core/run/explain/codes-answer.ts';
import { planSchema } from '../../src/core/run/plan/plan-answer.ts';
import { checkSchema, runSchema } from '../../src/core/run/synth/run-answer.ts';
import { failureSchema } from '../../src/core/text/failure-answer.ts';

/** The JSON Schemas of core, by file name in docs/schemas. No program loads them. */
export const schemas = {
  'allocation.schema.json': allocationSchema,
  'check.schema.json': checkSchema,
  'codes.schema.json': codesSchema,
  'domain-proof.schema.json': domainProofSchema,
  'failure.schema.json': failureSchema,
  'hostname-record.schema.json': hostnameRecordSchema,
  'hostname.schema.json': hostnameSchema,
  'key.schema.json': keySchema,
  'lease.schema.json': leaseSchema,
  'plan.schema.json': planSchema,
  'policy.schema.json': policySchema,
  'pools.schema.json': poolsSchema,
  'promise.schema.json': promiseSchema,
  'rename.schema.json': renameSchema,
  'repository.schema.json': repositorySchema,
  'reservation.schema.json': reservationSchema,
  'run.schema.json': runSchema,
  'service.schema.json': serviceSchema,
};
