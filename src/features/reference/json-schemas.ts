import * as z from 'zod';
import { hostnameSchema } from '../../core/declarations/hostname-file.ts';
import { inventorySchema } from '../../core/declarations/inventory-schema.ts';
import { keySchema, repositorySchema } from '../../core/declarations/key-file.ts';
import { leaseSchema } from '../../core/declarations/lease/lease-schema.ts';
import { policySchema } from '../../core/declarations/policy-schema.ts';
import { poolsSchema } from '../../core/declarations/pools/pools-schema.ts';
import { promiseSchema } from '../../core/declarations/promise/promise-schema.ts';
import { reservationSchema } from '../../core/declarations/service/reservation-file.ts';
import { serviceSchema } from '../../core/declarations/service/service-schema.ts';
import { allocationSchema } from '../../core/records/allocation-schema.ts';
import { domainProofSchema } from '../../core/records/domain-proof-file.ts';
import { hostnameRecordSchema } from '../../core/records/hostname-file.ts';
import { additionSchema } from '../../core/run/add/add-answer.ts';
import { codesSchema } from '../../core/run/explain/codes-answer.ts';
import { freeRangesSchema } from '../../core/run/list/free-ranges.ts';
import { hostnamesSchema } from '../../core/run/list/hostnames-answer.ts';
import { listSchema } from '../../core/run/list/list-answer.ts';
import { ownerUsagesSchema } from '../../core/run/list/owner-usage.ts';
import { poolUsagesSchema } from '../../core/run/list/pool-usage-answer.ts';
import { whoSchema } from '../../core/run/list/who.ts';
import { resolutionSchema } from '../../core/run/merge/resolution-answer.ts';
import {
  cleanupSchema,
  layoutMigrationSchema,
  moveSchema,
  pinSchema,
  releaseSchema,
} from '../../core/run/operate/operation-answer.ts';
import { planSchema } from '../../core/run/plan/plan-answer.ts';
import { checkSchema, runSchema } from '../../core/run/synth/run-answer.ts';
import { failureSchema } from '../../core/text/failure-answer.ts';
import { capacitySchema } from '../../lib/forecast/capacity-answer.ts';
import { forecastsSchema } from '../../lib/forecast/forecast-answer.ts';
import {
  addressHistorySchema,
  hostnameHistorySchema,
} from '../../lib/history/address-history-answer.ts';
import { addressMapSchema } from '../ask/address-map.ts';
import { signatureReportSchema } from '../ask/history/signature-report-answer.ts';
import { usageSchema } from '../ask/history/usage-answer.ts';
import { declarationSchema, publicationSchema, purgeSchema } from '../bots/bot-answer.ts';
import { diagnosisSchema } from '../cluster/diagnosis-answer.ts';
import { verificationSchema } from '../cluster/verification-answer.ts';
import { addressExportSchema } from '../export/address-export.ts';
import { netBoxExportSchema } from '../export/netbox/netbox-export-answer.ts';
import { zoneExportSchema } from '../export/zone-export.ts';
import { postingSchema } from '../forge/comment-answer.ts';
import { importSchema } from '../import/import-answer.ts';
import {
  keyRotationSchema,
  keySignatureSchema,
  keyUsageSchema,
  newKeySchema,
} from '../keys/key-answer.ts';
import { pictureSchema } from '../page/picture-answer.ts';
import { hostnameProofsSchema, proofCheckSchema } from '../prove/prove-answer.ts';
import { statusSchema } from '../serve/status-answer.ts';
import { codeownersSchema } from '../setup/codeowners.ts';
import { setupSchema } from '../setup/init/setup-answer.ts';

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
