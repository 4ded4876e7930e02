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
      load: async () => (await import('./cli/serve-command.ts')).addServeCommand,
    },
  },
  examples: async () => (await import('./cli/examples.ts')).examples,
};
