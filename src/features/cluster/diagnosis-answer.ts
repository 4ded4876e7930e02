import * as z from 'zod';
import { type Answer, answeredState, apiVersion, type Stateless } from '../../core/text/answer.ts';
import { type FindingCode, findingCodes } from './doctor/finding-codes.ts';

const codes = Object.keys(findingCodes) as [FindingCode, ...FindingCode[]];

/** The result of one check of `leasehold doctor`. Texts are sentences without a trailing period. */
const finding = z.strictObject({
  level: z
    .enum(['ok', 'caution', 'problem', 'unknown'])
    .describe(
      'problem: must be fixed. caution: should be reviewed. unknown: could not be checked.',
    ),
  code: z
    .enum(codes)
    .meta({ codes: 'findings' })
    .describe('What was checked; leasehold explain CODE tells what to do.'),
  found: z.string().describe('What was found, as one sentence.'),
  means: z.string().exactOptional().describe('What follows from it.'),
  fix: z.string().exactOptional().describe('What to do.'),
  command: z.string().exactOptional().describe('A shell command that does it.'),
});
export type Finding = Answer<typeof finding>;

/** The output of `leasehold doctor -o json`. */
export const diagnosisSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Diagnosis'),
    ...answeredState,
    cluster: z.string().describe('The declared cluster.'),
    asked: z.string().describe('The cluster that was queried: context and server.'),
    ok: z.boolean().describe('True when there is no problem, and nothing unknown that has a fix.'),
    findings: z.array(finding).describe('In the order of the codes.'),
  })
  .describe('What leasehold doctor -o json prints.');
export type Diagnosis = Stateless<Answer<typeof diagnosisSchema>>;

/** `problem` must be fixed, `caution` should be reviewed, `unknown` could not be checked. */
export type Level = Finding['level'];
