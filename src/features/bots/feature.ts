import type { Feature } from '../../core/cli/feature.ts';

/** Commits to a branch of a remote: claims to declare and to remove, stale files, manifests. */
export const bots: Feature = {
  name: 'bots',
  commands: {
    declare: {
      group: 'bots',
      summary: 'declare a claim on a branch: allocate, commit, push',
      load: async () => (await import('./cli/declare-commands.ts')).addDeclareCommand,
    },
    publish: {
      group: 'bots',
      summary: "push each cluster's manifests to a branch of its own",
      description: "put each cluster's manifests on a branch of their own; push what changed",
      load: async () => (await import('./cli/reconcile-commands.ts')).addPublishCommand,
    },
    purge: {
      group: 'bots',
      summary: 'remove a lease or a claim from a branch: commit, push',
      description: 'remove a lease or a claim from a branch: release, commit, push',
      load: async () => (await import('./cli/declare-commands.ts')).addPurgeCommand,
    },
    reconcile: {
      group: 'bots',
      summary: 'follow a branch: synthesize, commit, push what is stale',
      description: 'follow a branch: synthesize, commit and push what is stale',
      load: async () => (await import('./cli/reconcile-commands.ts')).addReconcileCommand,
    },
  },
  examples: async () => (await import('./cli/examples.ts')).examples,
};
