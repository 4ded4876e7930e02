import type { Feature } from '../../core/cli/feature.ts';

/** Questions about the addresses: capacity, histories, usage, maps, and SDLs to fill in. */
export const ask: Feature = {
  name: 'ask',
  commands: {
    capacity: {
      group: 'ask',
      summary: 'show how many addresses can still be promised',
      load: async () => (await import('./cli/capacity-command.ts')).capacityCommand,
    },
    history: {
      group: 'ask',
      summary: 'show who had an address, or what a holder had',
      load: async () => (await import('./cli/history-commands.ts')).historyCommand,
    },
    map: {
      group: 'ask',
      summary: 'show a pool as blocks: held, retained, reserved, free',
      load: async () => (await import('./cli/map-command.ts')).mapCommand,
    },
    sdl: {
      group: 'ask',
      summary: "write leased addresses into a tenant's SDL",
      description: "write leased addresses into a tenant's SDL",
      load: async () => (await import('./cli/sdl-command.ts')).sdlCommands,
    },
    usage: {
      group: 'ask',
      summary: 'count the address-days of each owner in a month',
      description: 'count the address-days of each owner in a month, from git',
      load: async () => (await import('./cli/usage-command.ts')).usageCommand,
    },
    'verify-history': {
      group: 'bots',
      summary: 'verify that allowed signers signed what changed leases',
      description: 'verify that allowed signers signed what changed leases and manifests',
      load: async () => (await import('./cli/history-commands.ts')).verifyHistoryCommand,
    },
  },
  examples: {
    capacity: [
      ['what can still be promised', 'capacity'],
      [
        'fail when a zone has fewer than ten addresses left',
        'capacity --zone inet --family ipv4 --at-least 10',
      ],
    ],
    history: [
      ['all holders that an address had', 'history 203.0.113.7'],
      ['all that an owner has or had', 'history akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4'],
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
  },
};
