import type { Feature } from '../../core/cli/feature.ts';

/** Posts a plan on a pull request of a forge, which GitLab calls a merge request. */
export const forge: Feature = {
  name: 'forge',
  commands: {
    comment: {
      group: 'bots',
      summary: 'post a plan on a pull request, and keep it up to date',
      description: 'post a plan on a pull request, as one comment kept up to date',
      load: async () => (await import('./cli/comment-command.ts')).commentCommand,
    },
  },
  examples: {
    comment: [
      ['in the CI of a pull request', 'comment --plan plan.json'],
      [
        'show what would be posted, and where',
        'comment --plan plan.json --dry-run \\\n    --repository acme/leases --pull-request 7',
      ],
    ],
  },
};
