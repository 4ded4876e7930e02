import type { Feature } from './feature.ts';

/** The commands of core. */
export const core: Feature = {
  name: 'core',
  commands: {
    add: {
      group: 'everyDay',
      summary: 'write the declaration of a lease, Service or hostname',
      description: 'write the declaration of a lease, Service, promise, hostname or reservation',
      load: async () => (await import('./add/add-command.ts')).addAddCommand,
    },
    check: {
      group: 'everyDay',
      summary: 'verify that the committed files are what synth writes',
      description: 'verify that the committed files are what synth writes; write nothing',
      load: async () => (await import('./commands/synth-commands.ts')).addCheckCommand,
    },
    cleanup: {
      group: 'change',
      summary: 'remove all declarations of a cluster; synthesize',
      description: 'remove the declarations of all leases of a cluster, and synthesize',
      load: async () => (await import('./commands/release-commands.ts')).addCleanupCommand,
    },
    explain: {
      group: 'help',
      summary: 'explain a problem code and what to do about it',
      load: async () => (await import('./commands/explain-command.ts')).addExplainCommand,
    },
    list: {
      group: 'everyDay',
      summary: 'show who has which address',
      description: 'show who has which address, or the values that charts need for theirs',
      load: async () => (await import('./commands/list-command.ts')).addListCommand,
    },
    'migrate-layout': {
      group: 'change',
      summary: "change the layout of MetalLB's pools in a live cluster",
      description: "change the layout of MetalLB's pools in a live cluster; no address changes",
      load: async () => (await import('./commands/move-commands.ts')).addMigrateLayoutCommand,
    },
    move: {
      group: 'change',
      summary: 'give a holder another address',
      description: 'give a holder another address: the only way to change one',
      load: async () => (await import('./commands/move-commands.ts')).addMoveCommand,
    },
    pin: {
      group: 'change',
      summary: 'write the addresses of holders into their declarations',
      description: 'write the addresses that holders have into their declarations',
      load: async () => (await import('./commands/move-commands.ts')).addPinCommand,
    },
    plan: {
      group: 'everyDay',
      summary: 'show what a pull request does; write nothing',
      description:
        'show what a pull request does: to addresses, pools and manifests; write nothing',
      load: async () => (await import('./commands/plan-command.ts')).addPlanCommand,
    },
    pools: {
      group: 'ask',
      summary: 'show how full the pools are, or how much each owner has',
      load: async () => (await import('./commands/pools-command.ts')).addPoolsCommand,
    },
    prune: {
      group: 'change',
      summary: 'remove records that are free again, and ended promises',
      description:
        'remove the records of released addresses that are free for anyone, and the promises that have ended',
      load: async () => (await import('./commands/synth-commands.ts')).addPruneCommand,
    },
    release: {
      group: 'change',
      summary: 'end what has an address or a hostname',
      description: 'remove the declarations that hold an address or a hostname, and synthesize',
      load: async () => (await import('./commands/release-commands.ts')).addReleaseCommand,
    },
    resolve: {
      group: 'change',
      summary: 'repair the generated files after a merge or rebase',
      description: 'repair allocations and manifests after a merge or rebase',
      load: async () => (await import('./commands/resolve-command.ts')).addResolveCommand,
    },
    synth: {
      group: 'everyDay',
      summary: 'allocate addresses and hostnames; write leases/, dist/',
      description: 'allocate addresses and hostnames; write their records below leases/, and dist/',
      load: async () => (await import('./commands/synth-commands.ts')).addSynthCommand,
    },
    who: {
      group: 'everyDay',
      summary: 'show who has an address, or what a holder or owner has',
      description: 'show who has an address, or what a holder, owner, dseq or service has',
      load: async () => (await import('./commands/who-command.ts')).addWhoCommand,
    },
  },
  examples: async () => (await import('./examples.ts')).examples,
};
