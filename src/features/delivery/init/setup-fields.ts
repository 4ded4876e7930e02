import type { z } from 'zod';
import { akashAddress } from '../../../declarations/akash-fields.ts';
import { reviewer } from '../../../declarations/policy-schema.ts';
import { metallbVersion } from '../../../declarations/pools/pools-schema.ts';
import { poolRange } from '../../../text/address-fields.ts';
import { dnsLabel } from '../../../text/name-fields.ts';

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
