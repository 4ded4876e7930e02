import type { Feature } from '../../core/cli/feature.ts';

/** What other tools read: a new repository, objects of Argo CD and Flux, bootstrap, CODEOWNERS. */
export const setup: Feature = {
  name: 'setup',
  commands: {
    bootstrap: {
      group: 'cluster',
      summary: 'print what a cluster needs before its first lease',
      load: async () => (await import('./cli/bootstrap/bootstrap-command.ts')).addBootstrapCommands,
    },
    codeowners: {
      group: 'bots',
      summary: 'print the CODEOWNERS lines that follow from the policy',
      description: 'print the lines of CODEOWNERS that follow from leases/policy.yaml',
      load: async () => (await import('./cli/delivery-commands.ts')).addCodeownersCommand,
    },
    gitops: {
      group: 'cluster',
      summary: 'print the objects that let Argo CD or Flux apply dist/',
      load: async () => (await import('./cli/delivery-commands.ts')).addGitopsCommands,
    },
    init: {
      group: 'start',
      summary: 'set up a repository for leases, or complete one',
      description: 'set up a repository that leases addresses, or complete one',
      load: async () => (await import('./cli/init/init-command.ts')).addInitCommand,
    },
  },
  examples: async () => (await import('./cli/examples.ts')).examples,
};
