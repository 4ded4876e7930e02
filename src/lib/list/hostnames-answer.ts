import * as z from 'zod';
import { type Answer, answeredDay, answeredState, apiVersion } from '../../core/text/answer.ts';

/** A recorded hostname. */
export const hostnameItem = z.strictObject({
  hostname: z.string(),
  state: z.enum(['held', 'released']),
  holder: z.string().describe('After release, the last holder.'),
  since: answeredDay.describe('The day the holder got the hostname, UTC.'),
  released: z
    .strictObject({
      on: answeredDay,
      freeFrom: answeredDay.describe('The first day the hostname is free for any holder.'),
    })
    .exactOptional(),
  service: z.string().exactOptional().describe('The Service that it is routed to.'),
  port: z.int().min(1).max(65535).exactOptional().describe('The port of the Service.'),
  routedBy: z
    .string()
    .exactOptional()
    .describe('What routes it: Gateway namespace/name, or IngressClass name.'),
  addresses: z
    .array(z.string())
    .min(1)
    .max(2)
    .exactOptional()
    .describe('The public addresses of the Service in front, when the pool file names it.'),
  lease: z.string().exactOptional().describe('The id of the Akash lease of the Service.'),
  file: z.string().exactOptional().describe('Where it is declared, as file:line.'),
  proof: z
    .strictObject({
      domain: z.string(),
      checked: answeredDay.describe('The day on which the TXT record was last seen, UTC.'),
    })
    .exactOptional()
    .describe('The proof that the holder controls a domain of the hostname.'),
});

export type HostnameItem = Answer<typeof hostnameItem>;

export const hostnamesSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Hostnames'),
    ...answeredState,
    items: z.array(hostnameItem).describe('By hostname.'),
  })
  .describe('The output of leasehold list --hostnames -o json.');

export type Hostnames = Answer<typeof hostnamesSchema>;
