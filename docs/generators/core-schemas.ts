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
import { additionSchema } from '../../src/core/run/add/add-answer.ts';
import { codesSchema } from '../../src/core/run/explain/codes-answer.ts';
import { freeRangesSchema } from '../../src/core/run/list/free-ranges.ts';
import { hostnamesSchema } from '../../src/core/run/list/hostnames-answer.ts';
import { listSchema } from '../../src/core/run/list/list-answer.ts';
import { ownerUsagesSchema } from '../../src/core/run/list/owner-usage.ts';
import { poolUsagesSchema } from '../../src/core/run/list/pool-usage-answer.ts';
import { whoSchema } from '../../src/core/run/list/who.ts';
import { resolutionSchema } from '../../src/core/run/merge/resolution-answer.ts';
import {
  layoutMigrationSchema,
  moveSchema,
  pinSchema,
  releaseSchema,
} from '../../src/core/run/operate/operation-answer.ts';
import { planSchema } from '../../src/core/run/plan/plan-answer.ts';
import { checkSchema, runSchema } from '../../src/core/run/synth/run-answer.ts';
import { failureSchema } from '../../src/core/text/failure-answer.ts';

/** The JSON Schemas of core, by file name in docs/schemas. No program loads them. */
export const schemas = {
  'addition.schema.json': additionSchema,
  'allocation.schema.json': allocationSchema,
  'check.schema.json': checkSchema,
  'codes.schema.json': codesSchema,
  'domain-proof.schema.json': domainProofSchema,
  'failure.schema.json': failureSchema,
  'free-ranges.schema.json': freeRangesSchema,
  'hostname-record.schema.json': hostnameRecordSchema,
  'hostname.schema.json': hostnameSchema,
  'hostnames.schema.json': hostnamesSchema,
  'key.schema.json': keySchema,
  'layout-migration.schema.json': layoutMigrationSchema,
  'lease.schema.json': leaseSchema,
  'list.schema.json': listSchema,
  'move.schema.json': moveSchema,
  'owner-usages.schema.json': ownerUsagesSchema,
  'pin.schema.json': pinSchema,
  'plan.schema.json': planSchema,
  'policy.schema.json': policySchema,
  'pool-usages.schema.json': poolUsagesSchema,
  'pools.schema.json': poolsSchema,
  'promise.schema.json': promiseSchema,
  'release.schema.json': releaseSchema,
  'rename.schema.json': renameSchema,
  'repository.schema.json': repositorySchema,
  'reservation.schema.json': reservationSchema,
  'resolution.schema.json': resolutionSchema,
  'run.schema.json': runSchema,
  'service.schema.json': serviceSchema,
  'who.schema.json': whoSchema,
};
