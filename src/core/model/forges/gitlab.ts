import type { ForgeFacts } from './forge.ts';

export const gitlab: ForgeFacts = {
  label: 'GitLab',
  request: 'merge request',
  codeowners: ['CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'],
  newCodeowners: '.gitlab/CODEOWNERS',
  ownersLines: 'paths',
  ciKit: [['.gitlab/leasehold.gitlab-ci.yml', 'docs/ci/gitlab/leasehold.gitlab-ci.yml']],
  gates: ['.gitlab/', '.gitlab-ci.yml'],
  blob: '-/blob',
  mostChars: 1_000_000,
  toolExample: 'https://gitlab.com/OWNER/leasehold.git#v0.1.0',
  isCI: ({ GITLAB_CI }) => GITLAB_CI === 'true',
  targetOf: (env) => env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME || undefined,
  isQueued: (env) => env.CI_MERGE_REQUEST_EVENT_TYPE === 'merge_train',
  webOf: ({ CI_PROJECT_URL: project }) => project || undefined,
};
