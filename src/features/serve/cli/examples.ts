import type { Examples } from '../../../core/cli/feature.ts';

/** Two examples for each command and subcommand. A test runs them all. */
export const examples: Examples = {
  serve: [
    ['the files here, on http://127.0.0.1:8080', 'serve'],
    [
      'a branch of the remote, for other machines, with a token',
      'serve --branch main --listen 0.0.0.0:8080 --token-file token',
    ],
  ],
};
