import * as z from 'zod';
import { ipFamilies } from '../../model/lease.ts';
import { calendarDay, dnsLabel } from '../../text/common-fields.ts';
import { akashAddress } from '../akash-fields.ts';
import { endpointNameField } from '../lease/lease-schema.ts';
import { editorMetadata } from '../object-meta.ts';

/** A `Promise`: an address for an IP endpoint of an Akash owner, before there is a lease. */
export const promiseSchema = z
  .strictObject({
    apiVersion: z.literal('leasehold.dev/v1'),
    kind: z.literal('Promise'),
    metadata: editorMetadata,
    spec: z.strictObject({
      owner: akashAddress.describe("The tenant's bech32 address, akash1…"),
      endpoint: endpointNameField.describe("The name of the owner's IP endpoint."),
      until: calendarDay('FIELD_VALUE').describe('The last day, UTC, at most 30 days ahead.'),
      cluster: dnsLabel.optional().describe('Default: defaultCluster.'),
      zone: dnsLabel.optional().describe('The zone the address comes from; default: defaultZone.'),
      pool: dnsLabel
        .optional()
        .describe('The pool the address comes from; default: any of the zone.'),
      ipFamily: z
        .enum(ipFamilies)
        .default('ipv4')
        .describe('dual: one address of each family, both from one pool.'),
    }),
  })
  .describe('A promise of leasehold: an address before there is a lease.');
