import type { ForgeFacts } from './forge.ts';

export const github: ForgeFacts = {
  label: 'GitHub',
  request: 'pull request',
  codeowners: ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'],
  newCodeowners: '.github/CODEOWNERS',
  ownersLines: 'paths',
  ciKit: [
    ['.github/workflows/leasehold-plan.yml', 'docs/ci/github/leasehold-plan.yml'],
    ['.github/workflows/leasehold-comment.yml', 'docs/ci/github/leasehold-comment.yml'],
  ],
  gates: ['.github/', 'action.yaml', 'action.yml'],
  blob: 'blob',
  // GitHub: "Body is too long (maximum is 65536 characters)".
  mostChars: 65_536,
  toolExample: 'https://github.com/OWNER/leasehold.git#v0.1.0',
  // Forgejo and Gitea set GitHub's variables too.
  isCI: ({ GITHUB_ACTIONS, GITEA_ACTIONS, FORGEJO_ACTIONS }) =>
    GITHUB_ACTIONS === 'true' && GITEA_ACTIONS !== 'true' && FORGEJO_ACTIONS !== 'true',
  targetOf: ({ GITHUB_BASE_REF: branch }) => branch || undefined,
  isQueued: ({ GITHUB_EVENT_NAME: event }) => event === 'merge_group',
  webOf: ({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name }) =>
    server && name ? `${server.replace(/\/+$/, '')}/${name}` : undefined,
};
