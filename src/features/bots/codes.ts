import { type CodeExplanation, featureCodes } from '../../core/model/codes/problem-codes.ts';

/** Problems of a purge, by code. */
export const botsProblems = {
  PORT_UNCLEAR: {
    title: 'A purge names the port of a container instead of the port on the address.',
    fix: 'Use the port on the address, which leasehold prints after the service.',
  },
} as const satisfies Readonly<Record<string, CodeExplanation>>;

export const problem = featureCodes(botsProblems);
