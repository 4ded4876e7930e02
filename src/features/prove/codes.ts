import { type CodeExplanation, featureCodes } from '../../core/model/codes/problem-codes.ts';

/** The findings of `leasehold prove`, by code. */
export const proveProblems = {
  PROOF_GONE: {
    title: 'The TXT record that proved a domain no longer names the holder.',
    fix: 'Have the record published again. If the domain has another owner, remove the proof, and the hostnames that it proves.',
  },
} as const satisfies Readonly<Record<string, CodeExplanation>>;

export const problem = featureCodes(proveProblems);
