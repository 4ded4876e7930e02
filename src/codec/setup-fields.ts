import type { z } from 'zod';
import { poolRange } from './address-fields.ts';
import { akashAddress } from './akash-fields.ts';
import { dnsLabel } from './name-fields.ts';
import { reviewer } from './policy-schema.ts';
import { metallbVersion } from './pools-schema.ts';

const schemas = { poolRange, akashAddress, dnsLabel, metallbVersion, reviewer } as const;

/** A field of the pool file or the policy that people are asked for by itself. */
export type SetupField = keyof typeof schemas;

/** What its file's schema finds wrong with the text of a field, for a person; undefined when nothing is. */
export function fieldFault(field: SetupField, text: string): string | undefined {
  const parsed = schemas[field].safeParse(text);
  if (parsed.success) return undefined;
  const [issue] = parsed.error.issues;
  return issue === undefined ? 'not what is expected' : faultText(issue, text);
}

function faultText(issue: z.core.$ZodIssue, text: string): string {
  if (issue.code === 'too_big') {
    return `it has ${text.length} characters, expected at most ${issue.maximum}`;
  }
  return issue.message;
}
