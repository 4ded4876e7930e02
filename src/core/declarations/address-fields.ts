import * as z from 'zod';
import { ipFamilies, longestRetention } from '../model/lease.ts';
import { dnsLabel } from '../text/common-fields.ts';

/** The cluster of a declaration. */
export const clusterField = dnsLabel.optional().describe('Default: defaultCluster.');

/** The fields that decide which pools a holder may get its addresses from, and their families. */
export const poolFields = {
  zone: dnsLabel.optional().describe('The zone the address comes from; default: defaultZone.'),
  pool: dnsLabel.optional().describe('The pool the address comes from; default: any of the zone.'),
  ipFamily: z
    .enum(ipFamilies)
    .default('ipv4')
    .describe('dual: one address of each family, both from one pool.'),
};

/** How the address is announced. */
export const advertisementField = dnsLabel
  .optional()
  .describe('An advertisement of leases/pools.yaml; default: as the pool is announced.');

/** Whole days. */
export const retentionField = z
  .int()
  .min(0)
  .max(longestRetention)
  .default(0)
  .describe('Whole days the address is kept after release.');
