import * as z from 'zod';
import { hostnameSchema } from '../../declarations/hostname-file.ts';
import { inventorySchema } from '../../declarations/inventory-schema.ts';
import { keySchema, repositorySchema } from '../../declarations/key-file.ts';
import { leaseSchema } from '../../declarations/lease/lease-schema.ts';
import { policySchema } from '../../declarations/policy-schema.ts';
import { poolsSchema } from '../../declarations/pools/pools-schema.ts';
import { promiseSchema } from '../../declarations/promise/promise-schema.ts';
import { reservationSchema } from '../../declarations/service/reservation-file.ts';
import { serviceSchema } from '../../declarations/service/service-schema.ts';
import { allocationSchema } from '../../records/allocation-schema.ts';
import { domainProofSchema } from '../../records/domain-proof-file.ts';
import { hostnameRecordSchema } from '../../records/hostname-file.ts';
import { failureSchema } from '../../text/failure-answer.ts';
import { additionSchema } from '../add/add-answer.ts';
import { addressMapSchema } from '../ask/address-map.ts';
import { capacitySchema } from '../ask/capacity/capacity-answer.ts';
import { forecastsSchema } from '../ask/capacity/forecast-answer.ts';
import { freeRangesSchema } from '../ask/free-ranges.ts';
import {
  addressHistorySchema,
  hostnameHistorySchema,
} from '../ask/history/address-history-answer.ts';
import { signatureReportSchema } from '../ask/history/signature-report-answer.ts';
import { usageSchema } from '../ask/history/usage-answer.ts';
import { hostnamesSchema } from '../ask/hostnames-answer.ts';
import { listSchema } from '../ask/list-answer.ts';
import { ownerUsagesSchema } from '../ask/owner-usage.ts';
import { poolUsagesSchema } from '../ask/pool-usage-answer.ts';
import { whoSchema } from '../ask/who.ts';
import { declarationSchema, publicationSchema, purgeSchema } from '../bots/bot-answer.ts';
import { diagnosisSchema } from '../cluster/diagnosis-answer.ts';
import { verificationSchema } from '../cluster/verification-answer.ts';
import { postingSchema } from '../comment/comment-answer.ts';
import { codeownersSchema } from '../delivery/codeowners.ts';
import { setupSchema } from '../delivery/init/setup-answer.ts';
import { addressExportSchema } from '../export/address-export.ts';
import { netBoxExportSchema } from '../export/netbox/netbox-export-answer.ts';
import { zoneExportSchema } from '../export/zone-export.ts';
import { importSchema } from '../import/import-answer.ts';
import {
  keyRotationSchema,
  keySignatureSchema,
  keyUsageSchema,
  newKeySchema,
} from '../keys/key-answer.ts';
import { resolutionSchema } from '../merge/resolution-answer.ts';
import {
  cleanupSchema,
  layoutMigrationSchema,
  moveSchema,
  pinSchema,
  releaseSchema,
} from '../operate/operation-answer.ts';
import { pictureSchema } from '../picture/picture-answer.ts';
import { planSchema } from '../plan/plan-answer.ts';
import { hostnameProofsSchema, proofCheckSchema } from '../prove/prove-answer.ts';
import { statusSchema } from '../serve/status-answer.ts';
import { checkSchema, runSchema } from '../synth/run-answer.ts';
import { codesSchema } from './codes-answer.ts';

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
