import type { Feature } from '../../core/cli/feature.ts';

/** Records who controls the domains of hostnames. */
export const prove: Feature = {
  name: 'prove',
  codes: async () => (await import('./codes.ts')).proveProblems,
  part: async () => ({ codes: (await import('./codes.ts')).proveProblems }),
  commands: {
    prove: {
      group: 'change',
      summary: 'record who controls the domains of hostnames',
      description: 'look up the TXT records of hostnames, and record who controls their domains',
      load: async () => (await import('./cli/prove-command.ts')).proveCommand,
    },
  },
  examples: {
    prove: [
      ['look up the TXT records of hostnames, and record what they prove', 'prove'],
      ['look up the proofs that a pull request adds', 'prove --check --base origin/main'],
    ],
  },
};
