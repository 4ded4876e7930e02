import type { Feature } from '../../core/cli/feature.ts';

/** Shows who has which address, and how full the pools are. */
export const list: Feature = {
  name: 'list',
  commands: {
    list: {
      group: 'everyDay',
      summary: 'show who has which address',
      description: 'show who has which address, or the values that charts need for theirs',
      load: async () => (await import('./cli/list-command.ts')).listCommand,
    },
    pools: {
      group: 'ask',
      summary: 'show how full the pools are, or how much each owner has',
      load: async () => (await import('./cli/pools-command.ts')).poolsCommand,
    },
    who: {
      group: 'everyDay',
      summary: 'show who has an address, or what a holder or owner has',
      description: 'show who has an address, or what a holder, owner, dseq or service has',
      load: async () => (await import('./cli/who-command.ts')).whoCommand,
    },
  },
  examples: {
    list: [
      ['everything that has an address', 'list'],
      ['the values that the chart of a Reservation needs', 'list shop/chart -o values'],
    ],
    pools: [
      ['how full the pools are', 'pools'],
      ['how much each owner has, and what its quota leaves', 'pools --owners'],
    ],
    who: [
      ['who has an address', 'who 203.0.113.7'],
      ['what a Service has, for a script', 'who shop/web -o json'],
    ],
  },
};
