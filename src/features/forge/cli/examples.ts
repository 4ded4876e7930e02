import type { Examples } from '../../../core/cli/feature.ts';

/** Two examples for each command and subcommand. A test runs them all. */
export const examples: Examples = {
  comment: [
    ['in the CI of a pull request', 'comment --plan plan.json'],
    [
      'show what would be posted, and where',
      'comment --plan plan.json --dry-run \\\n    --repository acme/leases --pull-request 7',
    ],
  ],
};
