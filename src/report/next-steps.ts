import type { SetupAnswers } from '../model/setup.ts';

/** What is there once a repository is set up. */
export interface SetupDone {
  /** False outside of a git repository. */
  readonly isRepository: boolean;
  /** The files of the engine's objects. */
  readonly enginePaths: readonly string[];
}

/** What people do next, a line each: commands, and what a forge is told. Ends in a line break. */
export function nextSteps(answers: SetupAnswers, { isRepository, enginePaths }: SetupDone): string {
  const { branch, forge, profile } = answers;
  const steps = [
    ...(isRepository ? [] : [`git init --initial-branch=${branch}`]),
    'npm install',
    'git add -A',
    'git commit -m "Lease addresses with leasehold"',
    `git push -u origin ${branch}`,
    ...(forge === 'github'
      ? [
          `in a ruleset for ${branch}: require the check plan, a review by code owners, and a merge queue or branches that are up to date`,
        ]
      : []),
    ...(forge === 'gitlab'
      ? [
          'in the settings: require that pipelines succeed, and turn on merged results; store GITLAB_TOKEN for the comments',
        ]
      : []),
    'npx leasehold doctor',
    ...(profile === 'akash' ? ["stop Akash's IP operator: it would rewrite what is applied"] : []),
    ...enginePaths.map((path) => `kubectl apply -f ${path}`),
  ];
  return `\nnext:\n${steps.map((step) => `  ${step}\n`).join('')}`;
}
