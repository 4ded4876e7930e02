import type { Examples } from '../../../core/cli/feature.ts';

/** Two examples for each command and subcommand. A test runs them all. */
export const examples: Examples = {
  capacity: [
    ['what can still be promised', 'capacity'],
    [
      'fail when a zone has fewer than ten addresses left',
      'capacity --zone inet --family ipv4 --at-least 10',
    ],
  ],
  history: [
    ['all holders that an address had', 'history 203.0.113.7'],
    ['who had it in May', 'history 203.0.113.7 --since 2026-05-01 --until 2026-05-31'],
  ],
  map: [
    ['each address of a pool as a block', 'map public'],
    ['with letters instead of blocks', 'map public --ascii'],
  ],
  sdl: [
    [
      'an SDL with the addresses of its tenant',
      'sdl fill node.yaml \\\n    --owner akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4',
    ],
    [
      'the same, for an SDL on standard input',
      'sdl fill - \\\n    --owner akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4',
    ],
  ],
  'sdl fill': [
    [
      'replace $(leased.NAME) with the address of the endpoint',
      'sdl fill node.yaml \\\n    --owner akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4',
    ],
    [
      'of a lease in another cluster than the default one',
      'sdl fill node.yaml --cluster east \\\n    --owner akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4',
    ],
  ],
  usage: [
    ['what to bill for January', 'usage --month 2026-01'],
    ['a line for each address, for a spreadsheet', 'usage --month 2026-01 -o csv'],
  ],
  'verify-history': [
    ['all commits of the branch', 'verify-history --allowed-signers ../signers'],
    [
      'only the commits of a pull request',
      'verify-history --allowed-signers ../signers --base origin/main',
    ],
  ],
};
