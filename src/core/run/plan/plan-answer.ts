import * as z from 'zod';
import { bothFamilies } from '../../net/address.ts';
import { type Answer, addressCount, apiVersion } from '../../text/answer.ts';
import { problemCode } from '../../text/failure-answer.ts';
import { fieldText } from '../../text/message-text.ts';
import { type CautionCode, cautionCodes } from './caution-codes.ts';
import { grades } from './objects/field-grades.ts';

/** Upper bound of every list: more than a repository of 100,000 leases has. */
const mostRows = 200_000;

/** A Kubernetes name, a holder or a pool. */
const name = z.string().max(1024);
const sentence = z.string().max(65_536);
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const count = z.int().min(0).max(1_000_000_000);
const line = z.int().min(1).max(1_000_000_000);
const file = z
  .string()
  .min(1)
  .max(4096)
  .describe('From the folder of the workspace, with forward slashes.');

const objectName = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/);
const uncommitted = z
  .literal(true)
  .exactOptional()
  .describe('True when the working tree with changes since this commit was planned.');

/** One of the two commits that a plan compares. */
const commit = z.strictObject({
  commit: objectName.describe('The full object name.'),
  day: day.describe("The committer's day, UTC."),
  parents: z.array(objectName).max(100).describe('More than one for a merge.'),
  uncommitted,
});
export type PlanCommit = Answer<typeof commit>;

/** How many addresses of one family of a pool are in use. */
const occupancy = z.strictObject({
  usable: addressCount.describe('Addresses that can be assigned.'),
  held: addressCount,
  retained: addressCount.describe('Released, and still kept for their last holders.'),
  free: addressCount.describe('A new holder could get one on that day.'),
  draining: addressCount
    .exactOptional()
    .describe('Of a draining pool: neither in use nor free, since it gives none to new holders.'),
  percent: z
    .int()
    .min(0)
    .max(100)
    .describe('Share of the usable addresses that are in use, rounded down.'),
});
export type Occupancy = Answer<typeof occupancy>;

/**
 * One family of a pool before and after. Families are separate so that an empty /64 does not hide a
 * full /28. A side is absent when it does not declare the pool with addresses of the family.
 */
const totals = z
  .strictObject({
    pool: name,
    zone: name,
    family: z.enum(bothFamilies),
    before: occupancy.exactOptional(),
    after: occupancy.exactOptional(),
  })
  .describe('A side is absent when it does not declare the pool.');
export type PoolTotals = Answer<typeof totals>;

const addressText = z.string().min(2).max(45);

/** The record of an address or hostname on one side. */
const side = z.strictObject({
  holder: name,
  state: z.enum(['held', 'released']),
  freeFrom: day
    .exactOptional()
    .describe('Once released: the first day on which any holder may get it.'),
  promisedUntil: day
    .exactOptional()
    .describe('For a promised address without claims: the last day of the promise.'),
  publicAddress: addressText
    .exactOptional()
    .describe(
      'Of a held address: the address by which clients beyond the NAT of its pool reach it.',
    ),
  dns: z
    .array(addressText)
    .max(mostRows)
    .exactOptional()
    .describe('Of a held hostname: the addresses of its DNS records.'),
  claims: z
    .array(name)
    .max(mostRows)
    .describe('The claims on it, such as web 80/TCP. Of a hostname its route.'),
});
export type AddressSide = Answer<typeof side>;

/** A line of a file, on the side of a plan that has it. */
const place = z.strictObject({
  side: z.enum(['base', 'head']).describe('Which commit has the line.'),
  file,
  line,
});
export type PlanPlace = Answer<typeof place>;

/** One changed address. */
const address = z.strictObject({
  address: addressText.describe('Canonical text.'),
  pool: name,
  change: z.enum(['allocated', 'reclaimed', 'updated', 'released', 'removed']),
  before: side.exactOptional(),
  after: side.exactOptional(),
  details: z.array(sentence).max(mostRows).describe('What changes, each a short phrase.'),
  at: place.describe(
    'The declaration that asks for it, else the one that did, in the base; else its allocation file.',
  ),
});
export type AddressChange = Answer<typeof address>;

/** One changed hostname. */
const hostname = z.strictObject({
  hostname: z.string().min(1).max(253),
  change: address.shape.change,
  before: side.exactOptional(),
  after: side.exactOptional(),
  details: address.shape.details,
  at: place.describe('The declaration, else that of the base; else the record.'),
});
export type ChangedHostname = Answer<typeof hostname>;

/** A risk that a reviewer must judge. It does not block the merge. */
const caution = z.strictObject({
  code: z.enum(Object.keys(cautionCodes) as [CautionCode, ...CautionCode[]]),
  message: sentence,
  at: place.exactOptional(),
});
export type Caution = Answer<typeof caution>;

/** Why a pull request must not be merged. */
const problem = z.strictObject({
  code: problemCode,
  message: sentence,
  of: z
    .enum(['tree', 'change'])
    .describe('tree: the head itself is invalid. change: the step from the base is not allowed.'),
  file,
  line,
  column: line,
  hint: sentence.exactOptional(),
  also: z.array(z.string().max(8192)).max(mostRows).describe('Other places, as file:line:column.'),
});
export type PlanProblem = Answer<typeof problem>;

/** A changed field of a live object. */
const fieldChange = z.strictObject({
  path: name.describe('Such as spec.ports[0].targetPort; a point when the object cannot be read.'),
  before: name.exactOptional().describe('Shortened; absent without a value.'),
  after: name.exactOptional().describe('Shortened; absent without a value.'),
  grade: z
    .enum(grades)
    .describe(
      'reach: who can connect, who answers. identity: what engines and policies read. cosmetic: the others.',
    ),
});
export type FieldChange = Answer<typeof fieldChange>;

/** The change of one object that an engine applies. */
const objectChange = z.strictObject({
  action: z.enum(['added', 'changed', 'removed']),
  object: name,
  fields: z
    .array(fieldChange)
    .min(1)
    .max(mostRows)
    .exactOptional()
    .describe('Of a changed object; absent when only its layout changes.'),
});
export type ObjectChange = Answer<typeof objectChange>;

/** One manifest file that differs. */
const manifest = z.strictObject({
  path: file,
  movedFrom: file
    .exactOptional()
    .describe('The path of the file in the base, when it has the same objects at another path.'),
  holder: name
    .exactOptional()
    .describe('The holder that the file belongs to; absent when there is none.'),
  objects: z.array(objectChange).max(mostRows),
  added: count.describe('Lines.'),
  removed: count.describe('Lines.'),
  diff: z
    .string()
    .max(16 * 1024 * 1024)
    .refine((text) => !/(?:^|\n)(?![ +\-@\\\n]|$)/.test(text), 'expected lines of a unified diff')
    .describe('Hunks of a unified diff, without file headers.'),
});
export type ManifestChange = Answer<typeof manifest>;

/** The output of `leasehold plan -o json`. */
export const planSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Plan'),
    verdict: z
      .enum(['no change', 'routine', 'caution', 'blocked'])
      .describe('blocked: it must not be merged.'),
    day: day.describe('The day that the plan is for: that of the head, or of the run.'),
    commit: objectName.describe('The planned commit, the same as in head.'),
    uncommitted,
    folder: z
      .string()
      .min(2)
      .max(4096)
      .endsWith('/')
      .exactOptional()
      .describe(
        'The folder of the workspace in its repository, with a slash at the end; absent for the root of the repository.',
      ),
    summary: sentence.describe('The changes in one sentence.'),
    base: commit,
    head: commit,
    pools: z.array(totals).max(mostRows).describe('Before and after.'),
    addresses: z.array(address).max(mostRows).describe('By address, IPv4 first.'),
    hostnames: z
      .array(hostname)
      .min(1)
      .max(mostRows)
      .exactOptional()
      .describe('By name; absent when none changes.'),
    cautions: z
      .array(caution)
      .max(mostRows)
      .describe('Risks to judge; leasehold explain CODE tells what to do.'),
    problems: z.array(problem).max(mostRows).describe('Why it must not be merged; by place.'),
    manifests: z.array(manifest).max(mostRows).describe('Files below dist/ that differ, by path.'),
    digest: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('Plans with the same digest make the same changes.'),
  })
  .describe('The output of leasehold plan -o json.');
/**
 * The effects of merging a pull request on addresses, pools and the objects that an engine applies.
 * The same two commits give the same plan.
 */
export type Plan = Answer<typeof planSchema>;

/**
 * `no change`: nothing to review. `routine`: changes without cautions, such as new allocations.
 * `caution`: a reviewer must judge a risk. `blocked`: it must not be merged.
 */
export type Verdict = Plan['verdict'];

/**
 * - `allocated`: a new holder gets the address. `before` is its last holder, if there was one.
 * - `reclaimed`: its last holder gets it again.
 * - `updated`: its holder keeps it, with other claims or another retention.
 * - `released`: its holder loses it.
 * - `removed`: the record of a released address is removed.
 */
export type AddressChangeKind = AddressChange['change'];

/** Larger than a plan that changes every lease of a large repository. */
const mostBytes = 128 * 1024 * 1024;

/** Further messages about one file are counted only. */
const mostMessages = 20;

/** A plan, or the reasons why the input is not one: sentences without trailing period. */
export type PlanReading =
  | { readonly ok: true; readonly value: Plan }
  | { readonly ok: false; readonly messages: readonly string[] };

/**
 * Reads the output of `leasehold plan -o json`. The input is untrusted: it may come from a job that
 * ran code of a fork. Fields, types, sizes and codes are checked; the content may still be false.
 */
export function readPlanJson(bytes: Uint8Array): PlanReading {
  if (bytes.length > mostBytes) return refused(`the plan is larger than ${mostBytes} bytes`);
  const value = jsonOf(bytes);
  if (value === undefined) return refused('the plan is not JSON in UTF-8');
  const parsed = planSchema.safeParse(value.json);
  if (parsed.success) return { ok: true, value: parsed.data };
  const messages = parsed.error.issues.map(
    ({ path, message }) => `the plan is invalid at '${fieldText(path).slice(0, 200)}': ${message}`,
  );
  return refused(...messages);
}

function refused(...all: readonly string[]): PlanReading {
  const left = all.length - mostMessages;
  const shown = all.slice(0, mostMessages).map((message) => message.slice(0, 1000));
  return { ok: false, messages: left > 0 ? [...shown, `and ${left} more`] : shown };
}

function jsonOf(bytes: Uint8Array): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return undefined;
  }
}
