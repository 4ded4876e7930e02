import { allocationCodes } from './allocation-codes.ts';
import { declarationCodes } from './declaration-codes.ts';
import { poolCodes } from './pool-codes.ts';

/** The entry of a code in `leasehold explain CODE` and docs/problems.md. */
export interface CodeExplanation {
  /** One sentence: what is wrong. */
  readonly title: string;
  /** How to fix it. */
  readonly fix: string;
}

/**
 * Everything that can be wrong with committed input, by code. Scripts and tests rely on the codes;
 * the wording can change.
 */
export const problemCodes = {
  ...declarationCodes,
  ...poolCodes,
  ...allocationCodes,
  STALE: {
    title: 'The committed files differ from what leasehold synth writes.',
    fix: 'Run leasehold synth and commit the result. If synth has nothing to write, git may ignore a file: git status --ignored shows it.',
  },
} as const satisfies Record<string, CodeExplanation>;

/** A stable code of a problem. */
export type ProblemCode = keyof typeof problemCodes;
