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
 * Everything that can be wrong with committed input, by code; features add more. Scripts and tests rely on the codes;
 * the wording can change.
 */
export const problemCodes = {
  ...declarationCodes,
  ...poolCodes,
  ...allocationCodes,
  STALE: {
    title: 'The committed files differ from what `leasehold synth` writes.',
    fix: 'Run `leasehold synth` and commit the result. If synth has nothing to write, git may ignore a file: `git status --ignored` shows it.',
  },
} as const satisfies Record<string, CodeExplanation>;

declare const ofFeature: unique symbol;

/** A code that a feature has added, by {@link featureCodes}. */
export type FeatureCode = string & { readonly [ofFeature]: true };

/** A stable code of a problem: one of core, or of a feature. */
export type ProblemCode = keyof typeof problemCodes | FeatureCode;

/** The codes of a feature, each by its own text. */
export function featureCodes<Code extends string>(
  explained: Readonly<Record<Code, CodeExplanation>>,
): { readonly [Own in Code]: FeatureCode } {
  return Object.fromEntries(Object.keys(explained).map((code) => [code, code])) as never;
}

const added: Record<string, CodeExplanation> = {};

/** Makes the codes of a feature known to {@link allProblemCodes}. */
export function addProblemCodes(codes: Readonly<Record<string, CodeExplanation>>): void {
  Object.assign(added, codes);
}

/** The codes of core, and those that features have added. */
export function allProblemCodes(): Readonly<Record<string, CodeExplanation>> {
  return { ...problemCodes, ...added };
}
