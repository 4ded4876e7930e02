import * as z from 'zod';
import { hostnameSchema } from '../../src/core/declarations/hostname-file.ts';
import { inventorySchema } from '../../src/core/declarations/inventory-schema.ts';
import { keySchema, repositorySchema } from '../../src/core/declarations/key-file.ts';
import { leaseSchema } from '../../src/core/declarations/lease/lease-schema.ts';
import { policySchema } from '../../src/core/declarations/policy-schema.ts';
import { poolsSchema } from '../../src/core/declarations/pools/pools-schema.ts';
import { promiseSchema } from '../../src/core/declarations/promise/promise-schema.ts';
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
  cleanupSchema,
  layoutMigrationSchema,
  moveSchema,
  pinSchema,
  releaseSchema,
} from '../../src/core/run/operate/operation-answer.ts';
import { planSchema } from '../../src/core/run/plan/plan-answer.ts';
import { checkSchema, runSchema } from '../../src/core/run/synth/run-answer.ts';
import { failureSchema } from '../../src/core/text/failure-answer.ts';
import { addressMapSchema } from '../../src/features/ask/address-map.ts';
import { signatureReportSchema } from '../../src/features/ask/history/signature-report-answer.ts';
import { usageSchema } from '../../src/features/ask/history/usage-answer.ts';
import {
  declarationSchema,
  publicationSchema,
  purgeSchema,
} from '../../src/features/bots/bot-answer.ts';
import { diagnosisSchema } from '../../src/features/cluster/diagnosis-answer.ts';
import { verificationSchema } from '../../src/features/cluster/verification-answer.ts';
import { addressExportSchema } from '../../src/features/export/address-export.ts';
import { netBoxExportSchema } from '../../src/features/export/netbox/netbox-export-answer.ts';
import { zoneExportSchema } from '../../src/features/export/zone-export.ts';
import { postingSchema } from '../../src/features/forge/comment-answer.ts';
import { importSchema } from '../../src/features/import/import-answer.ts';
import {
  keyRotationSchema,
  keySignatureSchema,
  keyUsageSchema,
  newKeySchema,
} from '../../src/features/keys/key-answer.ts';
import { pictureSchema } from '../../src/features/page/picture-answer.ts';
import { hostnameProofsSchema, proofCheckSchema } from '../../src/features/prove/prove-answer.ts';
import { statusSchema } from '../../src/features/serve/status-answer.ts';
import { codeownersSchema } from '../../src/features/setup/codeowners.ts';
import { setupSchema } from '../../src/features/setup/init/setup-answer.ts';
import { capacitySchema } from '../../src/lib/forecast/capacity-answer.ts';
import { forecastsSchema } from '../../src/lib/forecast/forecast-answer.ts';
import {
  addressHistorySchema,
  hostnameHistorySchema,
} from '../../src/lib/history/address-history-answer.ts';

const schemas = {
  'addition.schema.json': additionSchema,
  'address-export.schema.json': addressExportSchema,
  'address-history.schema.json': addressHistorySchema,
  'hostname-history.schema.json': hostnameHistorySchema,
  'address-map.schema.json': addressMapSchema,
  'allocation.schema.json': allocationSchema,
  'capacity.schema.json': capacitySchema,
  'check.schema.json': checkSchema,
  'cleanup.schema.json': cleanupSchema,
  'codeowners.schema.json': codeownersSchema,
  'codes.schema.json': codesSchema,
  'declaration.schema.json': declarationSchema,
  'diagnosis.schema.json': diagnosisSchema,
  'domain-proof.schema.json': domainProofSchema,
  'failure.schema.json': failureSchema,
  'forecasts.schema.json': forecastsSchema,
  'free-ranges.schema.json': freeRangesSchema,
  'hostname.schema.json': hostnameSchema,
  'hostname-record.schema.json': hostnameRecordSchema,
  'hostnames.schema.json': hostnamesSchema,
  'hostname-proofs.schema.json': hostnameProofsSchema,
  'import.schema.json': importSchema,
  'inventory.schema.json': inventorySchema,
  'key.schema.json': keySchema,
  'key-rotation.schema.json': keyRotationSchema,
  'key-signature.schema.json': keySignatureSchema,
  'key-usage.schema.json': keyUsageSchema,
  'layout-migration.schema.json': layoutMigrationSchema,
  'lease.schema.json': leaseSchema,
  'list.schema.json': listSchema,
  'move.schema.json': moveSchema,
  'netbox-export.schema.json': netBoxExportSchema,
  'new-key.schema.json': newKeySchema,
  'owner-usages.schema.json': ownerUsagesSchema,
  'picture.schema.json': pictureSchema,
  'pin.schema.json': pinSchema,
  'plan.schema.json': planSchema,
  'policy.schema.json': policySchema,
  'pool-usages.schema.json': poolUsagesSchema,
  'pools.schema.json': poolsSchema,
  'posting.schema.json': postingSchema,
  'promise.schema.json': promiseSchema,
  'proof-check.schema.json': proofCheckSchema,
  'publication.schema.json': publicationSchema,
  'purge.schema.json': purgeSchema,
  'release.schema.json': releaseSchema,
  'repository.schema.json': repositorySchema,
  'reservation.schema.json': reservationSchema,
  'resolution.schema.json': resolutionSchema,
  'run.schema.json': runSchema,
  'service.schema.json': serviceSchema,
  'setup.schema.json': setupSchema,
  'signature-report.schema.json': signatureReportSchema,
  'status.schema.json': statusSchema,
  'usage.schema.json': usageSchema,
  'verification.schema.json': verificationSchema,
  'who.schema.json': whoSchema,
  'zone-export.schema.json': zoneExportSchema,
};

/**
 * JSON Schemas (draft 2020-12) of declarations and of the output of leasehold: file name under
 * `docs/schemas/` to text. Editors use them for completion; leasehold checks more than they
 * express.
 */
export function jsonSchemas(): ReadonlyMap<string, string> {
  const texts = Object.entries(schemas).map(([name, schema]) => {
    const json = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' });
    return [name, textOf(json)] as const;
  });
  return new Map([...texts, ['leases.schema.json', textOf(anyFile)]]);
}

/** The schema of each kind of file in `leases/`. */
const fileKinds = {
  Allocation: 'allocation',
  DomainProof: 'domain-proof',
  Hostname: 'hostname',
  HostnameRecord: 'hostname-record',
  Inventory: 'inventory',
  Key: 'key',
  Lease: 'lease',
  Policy: 'policy',
  Pools: 'pools',
  Promise: 'promise',
  Repository: 'repository',
  Reservation: 'reservation',
  Service: 'service',
};

/** Any file in `leases/`, by its kind. An SDL has none, and is not checked. */
const anyFile = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  description: 'A file in leases/ of leasehold.',
  type: 'object',
  properties: { kind: { enum: Object.keys(fileKinds) } },
  allOf: Object.entries(fileKinds).map(([kind, name]) => ({
    if: { properties: { kind: { const: kind } }, required: ['kind'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { $ref: `${name}.schema.json` },
  })),
};

function textOf(schema: object): string {
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
