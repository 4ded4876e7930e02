import * as z from 'zod';
import { type Answer, apiVersion } from '../../text/answer.ts';

const port = z.int().min(1).max(65535);

/** One claim, as `leasehold list` and `leasehold verify` show it. */
export const listClaimSchema = z.strictObject({
  lease: z
    .string()
    .exactOptional()
    .describe('owner/dseq/gseq/oseq/provider, for an endpoint of an Akash lease.'),
  cluster: z.string().exactOptional().describe('Which one, in an anycast group.'),
  namespace: z.string().describe('The namespace of its Service.'),
  service: z.string(),
  port: port.exactOptional().describe("The pods' port, where it is known as a number."),
  externalPort: port.describe('The port on the address.'),
  protocol: z.enum(['TCP', 'UDP', 'SCTP']),
  file: z.string().describe('Where it is declared, as file:line.'),
});

export type ListClaim = Answer<typeof listClaimSchema>;

/** A holder and what it has; after release, the addresses still recorded for it. */
const item = z.strictObject({
  holder: z.string().describe('Who has the addresses; once released, who had them last.'),
  cluster: z.string().describe('Of an anycast group: all, with commas between.'),
  pool: z.string(),
  zone: z.string().describe('Empty when the pool is no longer declared.'),
  addresses: z.array(z.string()).min(1).max(2).describe('IPv4 first.'),
  state: z.enum(['held', 'released']),
  freeFrom: z.string().exactOptional().describe('Once released: the first day they are free, UTC.'),
  claims: z.array(listClaimSchema).describe('What stands on the addresses.'),
});

export type ListItem = Answer<typeof item>;

/** What `leasehold list -o json` prints. */
export const listSchema = z
  .strictObject({
    apiVersion: apiVersion,
    kind: z.literal('List'),
    items: z.array(item).describe('Sorted by holder.'),
  })
  .describe('What leasehold list -o json prints.');

export type List = Answer<typeof listSchema>;
