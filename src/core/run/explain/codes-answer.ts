import * as z from 'zod';
import { type Answer, apiVersion } from '../../text/answer.ts';

export const codesSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Codes'),
    items: z.array(
      z.strictObject({
        code: z.string(),
        title: z.string().describe('What it means.'),
        fix: z.string().describe('What to do about it.'),
      }),
    ),
  })
  .describe('The output of leasehold explain -o json.');

export type Codes = Answer<typeof codesSchema>;
