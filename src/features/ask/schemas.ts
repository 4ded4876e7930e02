import { capacitySchema } from '../../lib/forecast/capacity-answer.ts';
import { forecastsSchema } from '../../lib/forecast/forecast-answer.ts';
import {
  addressHistorySchema,
  hostnameHistorySchema,
} from '../../lib/history/address-history-answer.ts';
import { addressMapSchema } from './address-map.ts';
import { holderHistorySchema } from './history/holder-history.ts';
import { signatureReportSchema } from './history/signature-report-answer.ts';
import { usageSchema } from './history/usage-answer.ts';

/** The JSON Schemas of its answers, by file name in docs/schemas. No program loads them. */
export const schemas = {
  'address-history.schema.json': addressHistorySchema,
  'address-map.schema.json': addressMapSchema,
  'capacity.schema.json': capacitySchema,
  'forecasts.schema.json': forecastsSchema,
  'holder-history.schema.json': holderHistorySchema,
  'hostname-history.schema.json': hostnameHistorySchema,
  'signature-report.schema.json': signatureReportSchema,
  'usage.schema.json': usageSchema,
};
