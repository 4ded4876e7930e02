import type { Examples } from '../../../core/cli/feature.ts';

/** Two examples for each command and subcommand. A test runs them all. */
export const examples: Examples = {
  prove: [
    ['look up the TXT records of hostnames, and record what they prove', 'prove'],
    ['look up the proofs that a pull request adds', 'prove --check --base origin/main'],
  ],
};
