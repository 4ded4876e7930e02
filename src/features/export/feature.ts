import type { Feature } from '../../core/cli/feature.ts';

/** Brings the addresses of a commit into NetBox, CSV and DNS zones. */
export const exports: Feature = {
  name: 'export',
  commands: {
    export: {
      group: 'bots',
      summary: 'write addresses to NetBox; print CSV or a DNS zone',
      description:
        'bring the addresses of a commit into other inventories, and their names into DNS',
      load: async () => (await import('./cli/export-commands.ts')).addExportCommands,
    },
  },
  examples: async () => (await import('./cli/examples.ts')).examples,
};
