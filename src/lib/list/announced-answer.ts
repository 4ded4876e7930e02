import * as z from 'zod';
import type { Answer } from '../../core/text/answer.ts';

const texts = z.array(z.string()).min(1).exactOptional();

const announcement = z.strictObject({
  by: z.enum(['l2', 'bgp']),
  name: z.string().describe('The name of the advertisement: that of the pool, unless it has one.'),
  interfaces: texts.describe('For l2: the network interfaces; absent for all.'),
  peers: texts.describe('For bgp: the peers; absent for all.'),
  communities: texts.describe('For bgp: the communities of the routes.'),
  localPref: z.int().min(0).exactOptional().describe('For bgp: the local preference.'),
  nodes: texts.describe('The node selectors, of which one must match; absent for all nodes.'),
});

export type Announcement = Answer<typeof announcement>;

/** How addresses are announced, in the answers that have addresses or pools. */
export const answeredAnnounced = z
  .array(announcement)
  .min(1)
  .exactOptional()
  .describe('How the addresses are announced, by declaration; absent without a declared pool.');
