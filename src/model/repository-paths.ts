/** The folder that leasehold reads: pools, declarations, SDLs and allocations. */
export const leasesFolder = 'leases';

/** The declared pool file. */
export const poolsPath = `${leasesFolder}/pools.yaml`;

/** The policy file: who may declare what. Not every tree has one. */
export const policyPath = `${leasesFolder}/policy.yaml`;

/** The folder of the allocation files, one per address. Only leasehold writes there. */
export const allocationsFolder = `${leasesFolder}/allocations`;

/** The folder of ownership keys: `<namespace>/<name>.yaml`, and the id of the repository. */
export const keysFolder = `${leasesFolder}/keys`;

/** The file with the repository's id, for which signatures are made. */
export const repositoryIdPath = `${keysFolder}/repository.yaml`;

/** The folder of the manifests. Only leasehold writes there. */
export const distFolder = 'dist';

/** What Flux leaves out when it takes a folder's files. Flux reads it; no file of leasehold needs it. */
export const sourceIgnorePath = '.sourceignore';

/** What git keeps out of commits. */
export const gitIgnorePath = '.gitignore';

/** The folder of leasehold's own state in a working tree: journal and lock. Never committed. */
export const stateFolder = '.leasehold';

/** CODEOWNERS in the order in which a forge looks for it. */
export const codeownersPaths = {
  github: ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'],
  gitlab: ['CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'],
} as const;

/** What runs in the CI of a forge: the file of a repository, and the file of leasehold that it is made of. */
export const ciPaths = {
  github: [
    ['.github/workflows/leasehold-plan.yml', 'docs/ci/github/leasehold-plan.yml'],
    ['.github/workflows/leasehold-comment.yml', 'docs/ci/github/leasehold-comment.yml'],
  ],
  gitlab: [['.gitlab/leasehold.gitlab-ci.yml', 'docs/ci/gitlab/leasehold.gitlab-ci.yml']],
} as const;

/** The example of a declaration, by who it is for. Outside of `leases/`, so that it gets no address. */
export const examplePaths = {
  akash: 'examples/ember/18500001.yaml',
  platform: 'examples/shop/web.yaml',
} as const;

const closedList: readonly string[] = [
  '.gitattributes',
  '.gitignore',
  '.gitlab-ci.yml',
  'README.md',
  'cdk8s.yaml',
  'package.json',
  'gitops/argocd.yaml',
  'gitops/flux.yaml',
  ...Object.values(codeownersPaths).flat(),
  ...Object.values(ciPaths).flatMap((files) => files.map(([path]) => path)),
  ...Object.values(examplePaths),
];

/** Where the objects of an engine stand. */
export const gitopsFolder = 'gitops';

/** The file of the objects that let Flux apply one of several clusters. */
export function fluxPath(cluster: string): string {
  return `gitops/flux-${cluster}.yaml`;
}

/** True for a file outside of `leases/` and `dist/` that is written when a repository is set up. */
export function isSetupPath(path: string): boolean {
  return (
    closedList.includes(path) ||
    /^gitops\/flux-[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?\.yaml$/.test(path)
  );
}
