import type { Feature } from '../../core/cli/feature.ts';

/** Questions about the addresses: capacity, histories, usage, maps, and SDLs to fill in. */
export const ask: Feature = {
  name: 'ask',
  commands: {
    capacity: {
      group: 'ask',
      summary: 'show how many addresses can still be promised',
      load: async () => (await import('./cli/capacity-command.ts')).addCapacityCommand,
    },
    history: {
      group: 'ask',
      summary: 'show who had an address or a hostname, and when',
      load: async () => (await import('./cli/history-commands.ts')).addHistoryCommand,
    },
    map: {
      group: 'ask',
      summary: 'show a pool as blocks: held, retained, reserved, free',
      load: async () => (await import('./cli/map-command.ts')).addMapCommand,
    },
    sdl: {
      group: 'ask',
      summary: "write leased addresses into a tenant's SDL",
      description: "write leased addresses into a tenant's SDL",
      load: async () => (await import('./cli/sdl-command.ts')).addSdlCommands,
    },
    usage: {
      group: 'ask',
      summary: 'count the address-days of each owner in a month',
      description: 'count the address-days of each owner in a month, from git',
      load: async () => (await import('./cli/usage-command.ts')).addUsageCommand,
    },
    'verify-history': {
      group: 'bots',
      summary: 'verify that allowed signers signed what changed leases',
      description: 'verify that allowed signers signed what changed leases and manifests',
      load: async () => (await import('./cli/history-commands.ts')).addVerifyHistoryCommand,
    },
  },
  examples: async () => (await import('./cli/examples.ts')).examples,
};
