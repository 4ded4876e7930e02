import { allocationCodes } from './allocation-codes.ts';
import { bootstrapCodes } from './bootstrap-codes.ts';
import { claimCodes } from './claim-codes.ts';
import type { CodeExplanation } from './code-explanation.ts';
import { declarationCodes } from './declaration-codes.ts';
import { fileCodes } from './file-codes.ts';
import { policyCodes } from './policy-codes.ts';
import { poolCodes } from './pool-codes.ts';
import { sdlCodes } from './sdl-codes.ts';
import { serviceCodes } from './service-codes.ts';

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
