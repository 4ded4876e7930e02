import type { Feature } from '../../core/cli/feature.ts';

/** Makes and uses the keys that prove who owns an address. */
export const keys: Feature = {
  name: 'keys',
  commands: {
    key: {
      group: 'change',
      summary: 'make and use the keys that prove who owns an address',
      description: 'make, show and use the keys that prove who owns an address',
      load: async () => (await import('./cli/key-commands.ts')).addKeyCommands,
    },
  },
  examples: async () => (await import('./cli/examples.ts')).examples,
};
