import { fieldText } from '../../text/field-text.ts';
import { type Plan, planSchema } from './plan-answer.ts';

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
