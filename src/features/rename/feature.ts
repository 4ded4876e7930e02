import type { Feature } from '../../core/cli/feature.ts';

/** Gives holders another name, with their addresses. */
export const rename: Feature = {
  name: 'rename',
  commands: {
    rename: {
      group: 'change',
      summary: 'give a Service, endpoint or namespace another name',
      description:
        'give a Service, a sharing key, an IP endpoint or a namespace another name; the addresses stay',
      load: async () => (await import('./cli/rename-command.ts')).renameCommand,
    },
  },
  examples: {
    rename: [
      ['a Service', 'rename shop/web shop/web-v2'],
      ['all Services of a namespace', 'rename shop store'],
    ],
  },
};
