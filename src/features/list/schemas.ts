import { hostnamesSchema } from '../../lib/list/hostnames-answer.ts';
import { listSchema } from '../../lib/list/list-answer.ts';
import { ownerUsagesSchema } from '../../lib/list/owner-usage.ts';
import { poolUsagesSchema } from '../../lib/list/pool-usage-answer.ts';
import { whoSchema } from '../../lib/list/who.ts';
import { freeRangesSchema } from './free-ranges.ts';

/** The JSON Schemas of its answers, by file name in docs/schemas. No program loads them. */
export const schemas = {
  'free-ranges.schema.json': freeRangesSchema,
  'hostnames.schema.json': hostnamesSchema,
  'list.schema.json': listSchema,
  'owner-usages.schema.json': ownerUsagesSchema,
  'pool-usages.schema.json': poolUsagesSchema,
  'who.schema.json': whoSchema,
};
