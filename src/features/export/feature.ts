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
      load: async () => (await import('./cli/export-commands.ts')).exportCommands,
    },
  },
  examples: {
    export: [
      ['the changes that NetBox needs', 'export netbox --dry-run --api https://netbox.example.com'],
      ['a table of all addresses for a spreadsheet', 'export addresses'],
    ],
    'export addresses': [
      ['CSV, a line for each address', 'export addresses'],
      ['JSON, of another commit than the current one', 'export addresses --ref v1.2.0 -o json'],
    ],
    'export netbox': [
      [
        'the changes to make; the token is in NETBOX_TOKEN',
        'export netbox --dry-run --api https://netbox.example.com',
      ],
      [
        'after each merge; the first time with --create-missing',
        'export netbox --apply --api https://netbox.example.com \\\n    --token-file token',
      ],
    ],
    'export zone': [
      ['the records of a zone, for $INCLUDE', 'export zone --zone example.com'],
      ['the PTR records of 203.0.113.0/24', 'export zone --reverse --zone 113.0.203.in-addr.arpa'],
    ],
  },
};
