import * as z from 'zod';
import { calendarDay } from '../../text/common-fields.ts';
import { clusterField, poolFields } from '../address-fields.ts';
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
      cluster: clusterField,
      ...poolFields,
    }),
  })
  .describe('A promise of leasehold: an address before there is a lease.');
