import * as z from 'zod';
import { type ProblemCode, problemCodes } from '../model/codes/problem-codes.ts';
import { type Answer, apiVersion } from './answer.ts';

const place = z.strictObject({
  file: z.string().describe('From the root of the repository, with forward slashes.'),
  line: z.int().min(1),
  column: z.int().min(1),
});

/** The code of a problem. The JSON Schemas have those of the features too. */
export const problemCode = z
  .enum(Object.keys(problemCodes) as [ProblemCode, ...ProblemCode[]])
  .meta({ codes: 'problems' });

/** A problem of the committed files. */
const problem = z.strictObject({
  code: problemCode,
  message: z.string(),
  at: place,
  also: z.array(place).exactOptional().describe('Other places that are involved.'),
  hint: z.string().exactOptional().describe('The next edit or command.'),
});

/** Why there is no answer, in the same form for every command and every request. */
export const failureSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Failure'),
    status: z
      .int()
      .min(1)
      .max(599)
      .describe('The exit status of the command, or the HTTP status of leasehold serve.'),
    reason: z.string(),
    problems: z.array(problem).exactOptional().describe('The problems of the files, by place.'),
  })
  .describe('The output of a failed command with -o json; the answer to a failed request.');

export type Failure = Answer<typeof failureSchema>;
