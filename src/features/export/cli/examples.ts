import type { Examples } from '../../../core/cli/feature.ts';

/** Two examples for each command and subcommand. A test runs them all. */
export const examples: Examples = {
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
};
