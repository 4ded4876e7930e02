import { addressExportSchema } from './address-export.ts';
import { netBoxExportSchema } from './netbox/netbox-export-answer.ts';
import { zoneExportSchema } from './zone-export.ts';

/** The JSON Schemas of its answers, by file name in docs/schemas. No program loads them. */
export const schemas = {
  'address-export.schema.json': addressExportSchema,
  'netbox-export.schema.json': netBoxExportSchema,
  'zone-export.schema.json': zoneExportSchema,
};
