import * as z from 'zod';
import { type CautionCode, cautionCodes } from '../../model/codes/caution-codes.ts';
import { type ProblemCode, problemCodes } from '../../model/codes/problem-codes.ts';
import { type Answer, apiVersion } from '../../text/answer.ts';
import { fieldText } from '../../text/field-text.ts';

/** More of anything than a repository of 100,000 leases has. */
const mostRows = 200_000;

/** A name of Kubernetes, a holder, a pool. */
const name = z.string().max(1024);
const sentence = z.string().max(65_536);
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const count = z.int().min(0).max(1_000_000_000);
const decimal = z.string().regex(/^(0|[1-9]\d{0,39})$/);
const line = z.int().min(1).max(1_000_000_000);
const file = z
  .string()
  .min(1)
  .max(4096)
  .describe('From the root of the repository, with forward slashes.');

/** One of the two commits that a plan compares. */
const commit = z.strictObject({
  commit: z
    .string()
    .regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/)
    .describe('The full object name.'),
  day: day.describe("The committer's day, UTC."),
  parents: z
    .array(z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/))
    .max(100)
    .describe('More than one for a merge.'),
  uncommitted: z
    .literal(true)
    .exactOptional()
    .describe('True when the working tree is meant, which has more than this commit.'),
});
export type PlanCommit = Answer<typeof commit>;

/** How many addresses of one family of a pool are in use. Addresses are counted in decimal text: a /64 has many. */
const occupancy = z.strictObject({
  usable: decimal.describe('Addresses that can be given out at all, in decimal.'),
  held: count,
  retained: count.describe('Released, and still kept for their last holders.'),
  free: decimal,
  percent: z.int().min(0).max(100).describe('What is not free of what is usable, rounded down.'),
});
export type Occupancy = Answer<typeof occupancy>;

/**
 * One family of a pool before and after: a full /28 must not hide behind an empty /64. A side is absent when
 * it does not declare the pool with addresses of the family.
 */
const totals = z
  .strictObject({
    pool: name,
    zone: name,
    family: z.enum(['ipv4', 'ipv6']),
    before: occupancy.exactOptional(),
    after: occupancy.exactOptional(),
  })
  .describe('A side is absent when it does not declare the pool.');
export type PoolTotals = Answer<typeof totals>;

/** What is recorded of an address on one side. */
const side = z.strictObject({
  holder: name,
  state: z.enum(['held', 'released']),
  freeFrom: day
    .exactOptional()
    .describe('Once released: the first day on which anyone may get it.'),
  claims: z.array(name).max(mostRows).describe('What stands on it, such as web 80/TCP.'),
});
export type AddressSide = Answer<typeof side>;

/** A line of a file, on the side of a plan that has it. */
const place = z.strictObject({
  side: z.enum(['base', 'head']).describe('Which commit has the line.'),
  file,
  line,
});
export type PlanPlace = Answer<typeof place>;

/** One address that a pull request changes something about. */
const address = z.strictObject({
  address: z.string().min(2).max(45).describe('Canonical text.'),
  pool: name,
  change: z.enum(['allocated', 'reclaimed', 'updated', 'released', 'removed']),
  before: side.exactOptional(),
  after: side.exactOptional(),
  details: z.array(sentence).max(mostRows).describe('What changes, each a short phrase.'),
  at: place.describe('The declaration that asks for it; else its allocation file.'),
});
export type AddressChange = Answer<typeof address>;

/** Something that a reviewer must think about. Does not stop a merge. */
const caution = z.strictObject({
  code: z.enum(Object.keys(cautionCodes) as [CautionCode, ...CautionCode[]]),
  message: sentence,
  at: place.exactOptional(),
});
export type Caution = Answer<typeof caution>;

/** Why a pull request must not be merged. */
const problem = z.strictObject({
  code: z.enum(Object.keys(problemCodes) as [ProblemCode, ...ProblemCode[]]),
  message: sentence,
  of: z
    .enum(['tree', 'change'])
    .describe('tree: the head is wrong in itself. change: it may not follow from the base.'),
  file,
  line,
  column: line,
  hint: sentence.exactOptional(),
  also: z.array(z.string().max(8192)).max(mostRows).describe('Other places, as file:line:column.'),
});
export type PlanProblem = Answer<typeof problem>;

/** What happens to one object that an engine applies. */
const objectChange = z.strictObject({
  action: z.enum(['added', 'changed', 'removed']),
  object: name,
});
export type ObjectChange = Answer<typeof objectChange>;

/** One file of manifests that differs. */
const manifest = z.strictObject({
  path: file,
  holder: name.exactOptional().describe('Whose footprint it is; absent for what is of no holder.'),
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

/** What `leasehold plan -o json` prints. */
export const planSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Plan'),
    verdict: z
      .enum(['no change', 'routine', 'caution', 'blocked'])
      .describe('blocked: it must not be merged.'),
    summary: sentence.describe('What it does, in one sentence.'),
    base: commit,
    head: commit,
    pools: z.array(totals).max(mostRows).describe('Before and after.'),
    addresses: z.array(address).max(mostRows).describe('By address, IPv4 first.'),
    cautions: z.array(caution).max(mostRows).describe('What to think about; docs/plan.md.'),
    problems: z.array(problem).max(mostRows).describe('Why it must not be merged; by place.'),
    manifests: z.array(manifest).max(mostRows).describe('Files below dist/ that differ, by path.'),
    digest: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('Plans with one digest do the same.'),
  })
  .describe('What leasehold plan -o json prints.');
/**
 * What merging a pull request does: to addresses, to pools, to the objects that an engine applies.
 * The same two commits give the same plan.
 */
export type Plan = Answer<typeof planSchema>;

/**
 * What a pull request does, in one phrase: `no change` for a reader who need not look, `routine` when
 * addresses are only given and nothing that serves is touched, `caution` when somebody must think about
 * it, and `blocked` when it must not be merged.
 */
export type Verdict = Plan['verdict'];

/**
 * What happens to an address:
 *
 * - `allocated`: somebody gets it who did not have it. `before` is its last holder, if there was one.
 * - `reclaimed`: its last holder comes back to it.
 * - `updated`: its holder keeps it, and other claims stand on it, or another promise is made.
 * - `released`: its holder loses it.
 * - `removed`: its record goes; nobody had it any more.
 */
export type AddressChangeKind = AddressChange['change'];

/** Larger than the plan of every lease of a large repository. */
const mostBytes = 128 * 1024 * 1024;

/** More messages of one file help nobody. */
const mostMessages = 20;

/** A plan, or what is wrong with what should be one: sentences without trailing period. */
export type PlanReading =
  | { readonly ok: true; readonly value: Plan }
  | { readonly ok: false; readonly messages: readonly string[] };

/**
 * Reads what `leasehold plan -o json` printed, perhaps in a job that runs what a stranger wrote: nothing
 * of it is taken on trust. Every field is known, of its type and of bounded size, and codes are ours; that
 * what it says is true is not known.
 */
export function readPlanJson(bytes: Uint8Array): PlanReading {
  if (bytes.length > mostBytes) return refused(`the plan is larger than ${mostBytes} bytes`);
  const value = jsonOf(bytes);
  if (value === undefined) return refused('the plan is not JSON in UTF-8');
  const parsed = planSchema.safeParse(value.json);
  if (parsed.success) return { ok: true, value: parsed.data };
  const messages = parsed.error.issues.map(
    ({ path, message }) => `the plan is wrong at '${fieldText(path).slice(0, 200)}': ${message}`,
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
