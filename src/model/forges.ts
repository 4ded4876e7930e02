/** The paths of a repository that a forge gives a meaning, and those of its web pages. */
export const forges = {
  github: {
    /** In the order in which it looks for the file. */
    codeowners: ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'],
    newCodeowners: '.github/CODEOWNERS',
    /** The CI files, each with the file of leasehold that it is a copy of. */
    ciKit: [
      ['.github/workflows/leasehold-plan.yml', 'docs/ci/github/leasehold-plan.yml'],
      ['.github/workflows/leasehold-comment.yml', 'docs/ci/github/leasehold-comment.yml'],
    ],
    /** The part of a URL between the repository and a commit. */
    blob: 'blob',
  },
  gitlab: {
    codeowners: ['CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'],
    newCodeowners: '.gitlab/CODEOWNERS',
    ciKit: [['.gitlab/leasehold.gitlab-ci.yml', 'docs/ci/gitlab/leasehold.gitlab-ci.yml']],
    blob: '-/blob',
  },
} as const;

/** A program that hosts the repository, with reviews and CI. */
export type Forge = keyof typeof forges;

/** True for the name of a forge, such as `github`. */
export function isForge(name: string): name is Forge {
  return Object.hasOwn(forges, name);
}
