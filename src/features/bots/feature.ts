import type { Feature } from '../../core/cli/feature.ts';

const owner = 'akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4';

/** Commits to a branch of a remote: claims to declare and to remove, stale files, manifests. */
export const bots: Feature = {
  name: 'bots',
  codes: async () => (await import('./codes.ts')).botsProblems,
  part: async () => ({ codes: (await import('./codes.ts')).botsProblems }),
  commands: {
    declare: {
      group: 'bots',
      summary: 'declare a claim on a branch: allocate, commit, push',
      load: async () => (await import('./cli/declare-commands.ts')).declareCommand,
    },
    publish: {
      group: 'bots',
      summary: "push each cluster's manifests to a branch of its own",
      description: "put each cluster's manifests on a branch of their own; push what changed",
      load: async () => (await import('./cli/reconcile-commands.ts')).publishCommand,
    },
    purge: {
      group: 'bots',
      summary: 'remove a lease or a claim from a branch: commit, push',
      description: 'remove a lease or a claim from a branch: release, commit, push',
      load: async () => (await import('./cli/declare-commands.ts')).purgeCommand,
    },
    reconcile: {
      group: 'bots',
      summary: 'follow a branch: synthesize, commit, push what is stale',
      description: 'follow a branch: synthesize, commit and push what is stale',
      load: async () => (await import('./cli/reconcile-commands.ts')).reconcileCommand,
    },
  },
  examples: {
    declare: [
      [
        'declare a claim, and print its address',
        `declare ${owner}/18600002/1/1 \\\n    web 3000 --endpoint blog --external-port 80`,
      ],
      [
        'promise an address before there is a lease, on another branch',
        `declare --promise ${owner} \\\n    --endpoint relay --until 2026-12-01 --branch next -o json`,
      ],
    ],
    publish: [
      ['a branch for each cluster', "publish --branch 'deploy/{cluster}'"],
      ['what a tag has', "publish --branch 'deploy/{cluster}' --source v1.2.0"],
    ],
    purge: [
      ['remove a lease', `purge ${owner}/18600001/1/1`],
      ['remove a port of a lease', `purge ${owner}/18600001/1/1 \\\n    web 80/tcp`],
    ],
    reconcile: [
      ['follow main until a signal', 'reconcile'],
      ['one round, for a scheduled job', 'reconcile --once --branch next'],
    ],
  },
};
