import type { ForgeFacts } from './forge.ts';
import { github } from './github.ts';

/** The facts that Gitea and Forgejo, which comes from it, have in common. */
const common = {
  request: 'pull request',
  // gitea: models/issues/pull.go, GetCodeOwnersFromContent.
  ownersLines: 'expressions',
  blob: 'src/commit',
  // No limit of their own. gitea: models/issues/comment.go, Content is a LONGTEXT.
  mostChars: 1_000_000,
  targetOf: github.targetOf,
  isQueued: github.isQueued,
  webOf: github.webOf,
} as const satisfies Partial<ForgeFacts>;

/** The file of both from which the CI kit is filled. */
const shippedKit = 'docs/ci/gitea/leasehold.yml';

/** Gitea. Its runner sets `GITEA_ACTIONS` beside the variables of GitHub. */
export const gitea: ForgeFacts = {
  ...common,
  label: 'Gitea',
  // gitea: services/issue/pull.go, codeOwnerFiles.
  codeowners: ['CODEOWNERS', 'docs/CODEOWNERS', '.gitea/CODEOWNERS'],
  newCodeowners: '.gitea/CODEOWNERS',
  ciKit: [['.gitea/workflows/leasehold.yml', shippedKit]],
  gates: ['.gitea/'],
  toolExample: 'https://gitea.com/OWNER/leasehold.git#v0.1.0',
  isCI: (env) => env.GITEA_ACTIONS === 'true' && !forgejo.isCI(env),
};

/**
 * Forgejo. Its runner sets `FORGEJO_ACTIONS` since version 7, and `GITEA_ACTIONS` too
 * (forgejo-runner: internal/app/run/runner.go). An older one is taken for Gitea's.
 */
export const forgejo: ForgeFacts = {
  ...common,
  label: 'Forgejo',
  hosts: ['codeberg.org'],
  // forgejo: services/issue/pull.go. Older versions do not look into `.forgejo/`.
  codeowners: ['CODEOWNERS', 'docs/CODEOWNERS', '.gitea/CODEOWNERS', '.forgejo/CODEOWNERS'],
  newCodeowners: 'CODEOWNERS',
  ciKit: [['.forgejo/workflows/leasehold.yml', shippedKit]],
  gates: ['.forgejo/'],
  toolExample: 'https://codeberg.org/OWNER/leasehold.git#v0.1.0',
  isCI: ({ FORGEJO_ACTIONS }) => FORGEJO_ACTIONS === 'true',
};
