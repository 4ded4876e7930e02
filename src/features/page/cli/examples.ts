import type { Examples } from '../../../core/cli/feature.ts';

/** Two examples for each command and subcommand. A test runs them all. */
export const examples: Examples = {
  report: [
    ['one page for the browser', 'report --out report.html'],
    ['before and after of this branch', 'report --base origin/main --out report.html'],
  ],
};
