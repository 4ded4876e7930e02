import * as z from 'zod';
import { type Answer, answeredCommit, answeredDay, apiVersion } from '../../text/answer.ts';

const rule = z.strictObject({
  path: z.string().describe('The pattern of the line, from the root of the repository.'),
  owners: z.array(z.string()).describe('Empty for a path that needs no approval.'),
});
export type OwnersRule = Answer<typeof rule>;

export const codeownersSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Codeowners'),
    day: answeredDay,
    ...answeredCommit,
    rules: z.array(rule).describe('The last matching rule counts.'),
  })
  .describe('The output of leasehold codeowners -o json.');

export type Codeowners = Answer<typeof codeownersSchema>;
