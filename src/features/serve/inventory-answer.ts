import * as z from 'zod';
import { bothFamilies } from '../../core/net/address.ts';
import { type Answer, addressCount, answeredState, apiVersion } from '../../core/text/answer.ts';

/** Leased addresses as a ResourcePair of Akash: chain-sdk, inventory/v1/resourcepair.proto. */
const leasedIP = z.strictObject({
  capacity: addressCount.describe('All addresses that leases may get.'),
  allocatable: addressCount.describe('The same: no address is kept back.'),
  allocated: addressCount.describe('The part that new leases cannot get.'),
});

/** The answer of `/api/v1/inventory`. */
export const leasedIPInventorySchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('LeasedIPInventory'),
    ...answeredState,
    cluster: z.string(),
    leased_ip: leasedIP.describe("As in an Akash provider's status: IPv4 of the zone of leases."),
    items: z
      .array(
        z.strictObject({ zone: z.string(), family: z.enum(bothFamilies), leased_ip: leasedIP }),
      )
      .describe('Each zone with addresses of a family for leases, in the order of the pool file.'),
  })
  .describe(
    'The leased addresses of a cluster, as the inventory of an Akash provider counts them.',
  );

export type LeasedIPInventory = Answer<typeof leasedIPInventorySchema>;
