import * as z from 'zod';
import type { Day } from '../../model/day.ts';
import type { HostnameChange } from '../../model/hostname.ts';
import { formatAddress } from '../../net/address.ts';
import {
  type Answer,
  addressCount,
  answeredCount,
  answeredState,
  apiVersion,
} from '../../text/answer.ts';
import type { RunSummary } from './changes-text.ts';

const change = z.strictObject({
  address: z.string(),
  change: z.enum(['allocated', 'reclaimed', 'updated', 'released', 'removed']),
  pool: z.string(),
  holder: z.string().describe('The holder of the address; after release, the last one.'),
});

const hostnameChange = z.strictObject({
  hostname: z.string(),
  change: change.shape.change,
  holder: z.string().describe('The holder of the hostname; after release, the last one.'),
});

/** The fields of a run in an answer. */
export const runFields = {
  ...answeredState,
  changes: z.array(change).describe('By address, IPv4 first.'),
  hostnames: z
    .array(hostnameChange)
    .min(1)
    .exactOptional()
    .describe('By name; absent when none changes.'),
  held: addressCount.describe('The number of addresses that are held now.'),
  written: answeredCount.describe('The number of files that were written.'),
  removed: answeredCount.describe('The number of files that were removed.'),
  cautions: z
    .array(z.string())
    .min(1)
    .exactOptional()
    .describe('What the author should know; absent when there is nothing.'),
  rebasedOn: z
    .string()
    .exactOptional()
    .describe('The commit on which the branch was recorded as a single run.'),
};

export const runSchema = z
  .strictObject({ apiVersion, kind: z.literal('Run'), ...runFields })
  .describe('The output of leasehold synth -o json and leasehold prune -o json.');

export type Run = Answer<typeof runSchema>;

export const checkSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Check'),
    ...answeredState,
    base: z.string().exactOptional().describe('With --base: the merge base.'),
    head: z.string().exactOptional().describe('With --head: the checked commit.'),
    held: addressCount.exactOptional().describe('Without --base: how many addresses are held.'),
    cautions: z.array(z.string()).describe('With --base: what to know about the comparison.'),
  })
  .describe('The output of leasehold check -o json without problems.');

export type Check = Answer<typeof checkSchema>;

/** The counts of a run for an answer. */
export function runCounts(day: Day, run: RunSummary): Omit<Run, 'apiVersion' | 'kind'> {
  const { changes, hostnameChanges = [], held, written, removed, cautions = [], rebasedOn } = run;
  return {
    day,
    changes: changes.map(({ address, kind, pool, holder }) => ({
      address: formatAddress(address),
      change: kind,
      pool,
      holder,
    })),
    ...(hostnameChanges.length > 0 ? { hostnames: hostnameChanges.map(hostnameAnswer) } : {}),
    held: String(held),
    written,
    removed,
    ...(cautions.length > 0 ? { cautions: [...cautions] } : {}),
    ...(rebasedOn === undefined ? {} : { rebasedOn }),
  };
}

function hostnameAnswer({ hostname, kind, holder }: HostnameChange) {
  return { hostname, change: kind, holder };
}
