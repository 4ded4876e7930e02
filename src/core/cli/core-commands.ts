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
  schemas: {
    'addition.schema.json': async () => (await import('../run/add/add-answer.ts')).additionSchema,
    'allocation.schema.json': async () =>
      (await import('../records/allocation-schema.ts')).allocationSchema,
    'check.schema.json': async () => (await import('../run/synth/run-answer.ts')).checkSchema,
    'cleanup.schema.json': async () =>
      (await import('../run/operate/operation-answer.ts')).cleanupSchema,
    'codes.schema.json': async () => (await import('../run/explain/codes-answer.ts')).codesSchema,
    'domain-proof.schema.json': async () =>
      (await import('../records/domain-proof-file.ts')).domainProofSchema,
    'failure.schema.json': async () => (await import('../text/failure-answer.ts')).failureSchema,
    'free-ranges.schema.json': async () =>
      (await import('../run/list/free-ranges.ts')).freeRangesSchema,
    'hostname-record.schema.json': async () =>
      (await import('../records/hostname-file.ts')).hostnameRecordSchema,
    'hostname.schema.json': async () =>
      (await import('../declarations/hostname-file.ts')).hostnameSchema,
    'hostnames.schema.json': async () =>
      (await import('../run/list/hostnames-answer.ts')).hostnamesSchema,
    'inventory.schema.json': async () =>
      (await import('../declarations/inventory-schema.ts')).inventorySchema,
    'key.schema.json': async () => (await import('../declarations/key-file.ts')).keySchema,
    'layout-migration.schema.json': async () =>
      (await import('../run/operate/operation-answer.ts')).layoutMigrationSchema,
    'lease.schema.json': async () =>
      (await import('../declarations/lease/lease-schema.ts')).leaseSchema,
    'list.schema.json': async () => (await import('../run/list/list-answer.ts')).listSchema,
    'move.schema.json': async () => (await import('../run/operate/operation-answer.ts')).moveSchema,
    'owner-usages.schema.json': async () =>
      (await import('../run/list/owner-usage.ts')).ownerUsagesSchema,
    'pin.schema.json': async () => (await import('../run/operate/operation-answer.ts')).pinSchema,
    'plan.schema.json': async () => (await import('../run/plan/plan-answer.ts')).planSchema,
    'policy.schema.json': async () =>
      (await import('../declarations/policy-schema.ts')).policySchema,
    'pool-usages.schema.json': async () =>
      (await import('../run/list/pool-usage-answer.ts')).poolUsagesSchema,
    'pools.schema.json': async () =>
      (await import('../declarations/pools/pools-schema.ts')).poolsSchema,
    'promise.schema.json': async () =>
      (await import('../declarations/promise/promise-schema.ts')).promiseSchema,
    'release.schema.json': async () =>
      (await import('../run/operate/operation-answer.ts')).releaseSchema,
    'repository.schema.json': async () =>
      (await import('../declarations/key-file.ts')).repositorySchema,
    'reservation.schema.json': async () =>
      (await import('../declarations/service/reservation-file.ts')).reservationSchema,
    'resolution.schema.json': async () =>
      (await import('../run/merge/resolution-answer.ts')).resolutionSchema,
    'run.schema.json': async () => (await import('../run/synth/run-answer.ts')).runSchema,
    'service.schema.json': async () =>
      (await import('../declarations/service/service-schema.ts')).serviceSchema,
    'who.schema.json': async () => (await import('../run/list/who.ts')).whoSchema,
  },
};
