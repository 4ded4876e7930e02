import * as z from 'zod';

/** The type of an answer: the output of a schema, deeply read-only. */
export type Answer<Schema extends z.ZodType> = Unchanging<z.output<Schema>>;

type Unchanging<Value> = Value extends string
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]: Unchanging<Value[Key]> }
    : Value;

/** The version of every answer. */
export const apiVersion = z.literal('leasehold.dev/v1');

export const answeredDay = z.string().describe('A day, UTC, as YYYY-MM-DD.');

export const answeredTime = z.string().describe('A time, UTC, as 2026-01-02T10:00:00Z.');

/**
 * A number of addresses, as decimal text: a /64 has more than a JSON number can hold, and
 * JavaScript and jq would round it. All counts of addresses have this type; counts of anything else
 * are JSON numbers, {@link answeredCount}.
 */
export const addressCount = z
  .string()
  .regex(/^(0|[1-9]\d{0,39})$/)
  .describe('A number of addresses, as decimal text.');

/** The public addresses, beside `addresses`. */
export const answeredPublicAddresses = z
  .array(z.string())
  .min(1)
  .max(2)
  .exactOptional()
  .describe(
    'The addresses by which clients beyond the NAT of the pool reach them, in the order of addresses; absent when they are the same.',
  );

/** Of a released address: see `withheld` of the pools' index. */
export const answeredWithheld = z
  .string()
  .exactOptional()
  .describe('Why no new holder gets it, even once it is free, such as: no pool has it.');

/** A number of files, commits, problems or the like. */
export const answeredCount = z.int().min(0);

/**
 * The day and the commit that an answer was computed from. A command that writes names the commit
 * that was checked out, and is uncommitted.
 */
export const answeredState = {
  day: answeredDay.describe(
    'The day that the answer was computed for, UTC, as YYYY-MM-DD; of a run that records, the recorded day.',
  ),
  commit: z
    .string()
    .exactOptional()
    .describe('The commit of the tree; absent outside git and without a commit.'),
  uncommitted: z
    .literal(true)
    .exactOptional()
    .describe('True when the tree has uncommitted changes.'),
};

/** The day and the commit of an answer. */
export type AnsweredState = Answer<z.ZodObject<typeof answeredState>>;

/** An answer before the day and the commit are known. */
export type Stateless<Value> = Omit<Value, keyof AnsweredState>;
