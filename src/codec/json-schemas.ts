import * as z from 'zod';
import { addressMapSchema } from './address-map-schema.ts';
import { allocationSchema } from './allocation-schema.ts';
import {
  addressHistorySchema,
  ownerUsagesSchema,
  poolUsagesSchema,
  whoSchema,
} from './asking-schema.ts';
import { declarationSchema, purgeSchema } from './bot-schema.ts';
import { capacitySchema, forecastsSchema } from './capacity-schema.ts';
import { cleanupSchema } from './cleanup-schema.ts';
import { diagnosisSchema } from './diagnosis-schema.ts';
import { importSchema } from './import-schema.ts';
import { keySchema, repositorySchema } from './key-schema.ts';
import { leaseSchema } from './lease-schema.ts';
import { listSchema } from './list-schema.ts';
import { moveSchema, pinSchema, releaseSchema } from './operation-schema.ts';
import { pictureSchema } from './picture-schema.ts';
import { planSchema } from './plan-schema.ts';
import { policySchema } from './policy-schema.ts';
import { poolsSchema } from './pools-schema.ts';
import { reservationSchema } from './reservation-schema.ts';
import { failureSchema, statusSchema } from './serve-schema.ts';
import { serviceSchema } from './service-schema.ts';
import { verificationSchema } from './verification-schema.ts';

const schemas = {
  'address-history.schema.json': addressHistorySchema,
  'address-map.schema.json': addressMapSchema,
  'allocation.schema.json': allocationSchema,
  'capacity.schema.json': capacitySchema,
  'cleanup.schema.json': cleanupSchema,
  'declaration.schema.json': declarationSchema,
  'diagnosis.schema.json': diagnosisSchema,
  'failure.schema.json': failureSchema,
  'forecasts.schema.json': forecastsSchema,
  'import.schema.json': importSchema,
  'key.schema.json': keySchema,
  'lease.schema.json': leaseSchema,
  'list.schema.json': listSchema,
  'move.schema.json': moveSchema,
  'owner-usages.schema.json': ownerUsagesSchema,
  'picture.schema.json': pictureSchema,
  'pin.schema.json': pinSchema,
  'plan.schema.json': planSchema,
  'policy.schema.json': policySchema,
  'pool-usages.schema.json': poolUsagesSchema,
  'pools.schema.json': poolsSchema,
  'purge.schema.json': purgeSchema,
  'release.schema.json': releaseSchema,
  'repository.schema.json': repositorySchema,
  'reservation.schema.json': reservationSchema,
  'service.schema.json': serviceSchema,
  'status.schema.json': statusSchema,
  'verification.schema.json': verificationSchema,
  'who.schema.json': whoSchema,
};

/**
 * JSON Schemas (draft 2020-12) of what people write and of what leasehold prints: file name under
 * `docs/schemas/` to text. Editors complete and check by them; they say less than leasehold checks.
 */
export function jsonSchemas(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(schemas).map(([name, schema]) => {
      const json = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' });
      return [name, `${JSON.stringify(json, undefined, 2)}\n`];
    }),
  );
}
