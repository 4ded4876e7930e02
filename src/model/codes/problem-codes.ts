import { allocationCodes, claimCodes } from './allocation-codes.ts';
import { declarationCodes, fileCodes, sdlCodes, serviceCodes } from './declaration-codes.ts';
import { bootstrapCodes, policyCodes, poolCodes } from './pool-codes.ts';

/** What `leasehold explain CODE` and docs/problems.md say about a code. */
export interface CodeExplanation {
  /** One sentence: what is wrong. */
  readonly title: string;
  /** What to do about it. */
  readonly fix: string;
}

/**
 * Everything that can be wrong with committed input, by code. The code is the contract: scripts and
 * tests go by it; the wording of messages may change.
 */
export const problemCodes = {
  ...fileCodes,
  ...declarationCodes,
  ...serviceCodes,
  ...poolCodes,
  ...sdlCodes,
  ...claimCodes,
  ...allocationCodes,
  ...policyCodes,
  ...bootstrapCodes,
  STALE: {
    title: 'What is committed is not what synth gives.',
    fix: 'Run leasehold synth and commit what it writes.',
  },
} as const satisfies Record<string, CodeExplanation>;

/** A stable code of a problem. */
export type ProblemCode = keyof typeof problemCodes;
