import type { Feature } from '../../core/cli/feature.ts';

/** Moves, pins and releases what has an address; changes the layout of a live cluster. */
export const move: Feature = {
  name: 'move',
  commands: {
    'migrate-layout': {
      group: 'change',
      summary: "change the layout of MetalLB's pools in a live cluster",
      description: "change the layout of MetalLB's pools in a live cluster; no address changes",
      load: async () => (await import('./cli/move-commands.ts')).migrateLayoutCommand,
    },
    move: {
      group: 'change',
      summary: 'give a holder another address',
      description: 'give a holder another address: the only way to change one',
      load: async () => (await import('./cli/move-commands.ts')).moveCommand,
    },
    pin: {
      group: 'change',
      summary: 'write the addresses of holders into their declarations',
      description: 'write the addresses that holders have into their declarations',
      load: async () => (await import('./cli/move-commands.ts')).pinCommand,
    },
    release: {
      group: 'change',
      summary: 'end what has an address or a hostname',
      description: 'remove the declarations that hold an address or a hostname, and synthesize',
      load: async () => (await import('./cli/release-commands.ts')).releaseCommand,
    },
  },
  examples: {
    'migrate-layout': [
      ['the next step to one pool for each declared one', 'migrate-layout pool'],
      ['back, in one of several clusters', 'migrate-layout lease --cluster west'],
    ],
    move: [
      ['another address of the same pool', 'move shop/web'],
      ['an exact new address', 'move 203.0.113.7 --to 203.0.113.20'],
    ],
    pin: [
      ['write the address of a Service into its declaration', 'pin shop/web'],
      ['pin all that a block has', 'pin 203.0.113.0/28'],
    ],
    release: [
      ['end what has an address', 'release 203.0.113.7'],
      ['end all of a cluster', 'release --cluster west'],
    ],
  },
};
