import type { Feature } from '../../core/cli/feature.ts';

/** Repairs the generated files after a merge or rebase. */
export const resolve: Feature = {
  name: 'resolve',
  commands: {
    resolve: {
      group: 'change',
      summary: 'repair the generated files after a merge or rebase',
      description: 'repair allocations and manifests after a merge or rebase',
      load: async () => (await import('./cli/resolve-command.ts')).resolveCommand,
    },
  },
  examples: {
    resolve: [
      ['during a merge or rebase with conflicts', 'resolve'],
      ['keep the addresses of the current branch', 'resolve --keep ours'],
    ],
  },
};
