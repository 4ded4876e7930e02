import * as z from 'zod';
import {
  type Answer,
  answeredDay,
  answeredPublicAddresses,
  answeredState,
  answeredWithheld,
  apiVersion,
} from '../../core/text/answer.ts';

const port = z.int().min(1).max(65535);

/** A claim, as `leasehold list` and `leasehold verify` show it. */
export const listClaimSchema = z.strictObject({
  lease: z
    .string()
    .exactOptional()
    .describe('owner/dseq/gseq/oseq/provider, for an endpoint of an Akash lease.'),
  cluster: z.string().exactOptional().describe('The cluster of this member of an anycast group.'),
  namespace: z.string().describe('The namespace of its Service.'),
  service: z.string(),
  port: port.exactOptional().describe('The port of the pods, when it is a number.'),
  externalPort: port.describe('The port on the address.'),
  protocol: z.enum(['TCP', 'UDP', 'SCTP']),
  dns: z.array(z.string()).min(1).exactOptional().describe('The DNS names that it requests.'),
  file: z.string().describe('Where the claim is declared, as file:line.'),
});

export type ListClaim = Answer<typeof listClaimSchema>;

/** The last day of a promise, in the answers that have claims. */
export const promisedUntil = answeredDay
  .exactOptional()
  .describe('For a promised address without claims: the last day of the promise.');

const texts = z.array(z.string()).min(1).exactOptional();

const announcement = z.strictObject({
  by: z.enum(['l2', 'bgp']),
  name: z.string().describe('The name of the advertisement: that of the pool, unless it has one.'),
  interfaces: texts.describe('For l2: the network interfaces; absent for all.'),
  peers: texts.describe('For bgp: the peers; absent for all.'),
  communities: texts.describe('For bgp: the communities of the routes.'),
  localPref: z.int().min(0).exactOptional().describe('For bgp: the local preference.'),
  nodes: texts.describe(
    'Node selectors: a node must match one of them. Absent when every node may announce.',
  ),
});

export type Announcement = Answer<typeof announcement>;

/** How addresses are announced, in the answers that have addresses or pools. */
export const answeredAnnounced = z
  .array(announcement)
  .min(1)
  .exactOptional()
  .describe('How the addresses are announced, by declaration; absent without a declared pool.');

/** A holder and its addresses; after release, the addresses still recorded for it. */
const item = z.strictObject({
  holder: z.string().describe('The holder of the addresses; after release, the last holder.'),
  cluster: z.string().describe('The clusters of an anycast group are separated by commas.'),
  pool: z.string(),
  zone: z.string().describe('Empty when the pool is no longer declared.'),
  addresses: z.array(z.string()).min(1).max(2).describe('IPv4 first.'),
  publicAddresses: answeredPublicAddresses,
  state: z.enum(['held', 'released']),
  since: answeredDay.describe('The day the holder got the first of the addresses.'),
  freeFrom: z
    .string()
    .exactOptional()
    .describe('After release: the first day the addresses are free, UTC.'),
  withheld: answeredWithheld,
  promisedUntil,
  announced: answeredAnnounced,
  claims: z.array(listClaimSchema).describe('The claims served on the addresses.'),
});

export type ListItem = Answer<typeof item>;

export const listSchema = z
  .strictObject({
    apiVersion: apiVersion,
    kind: z.literal('List'),
    ...answeredState,
    items: z.array(item).describe('By holder, unless --sort says otherwise.'),
  })
  .describe('The output of leasehold list -o json.');

export type List = Answer<typeof listSchema>;
