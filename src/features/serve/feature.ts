import type { Feature } from '../../core/cli/feature.ts';

/** Answers over HTTP who has which address. */
export const serve: Feature = {
  name: 'serve',
  needs: ['ipam'],
  commands: {
    serve: {
      group: 'ask',
      summary: 'answer over HTTP who has which address',
      description: 'serve who has which address over HTTP: for an Akash provider, scripts, people',
      load: async () => (await import('./cli/serve-command.ts')).serveCommand,
    },
  },
  examples: {
    serve: [
      ['the files here, on http://127.0.0.1:8080', 'serve'],
      [
        'a branch of the remote, for other machines, with a token',
        'serve --branch main --listen 0.0.0.0:8080 --token-file token',
      ],
    ],
  },
};
