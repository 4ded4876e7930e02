import { forges } from './forges/forges.ts';
/** The folder that leasehold reads: pools, declarations, SDLs and allocations. */
export const leasesFolder = 'leases';

/** The declared pool file. */
export const poolsPath = `${leasesFolder}/pools.yaml`;

/** The policy file: who may declare what. Optional. */
export const policyPath = `${leasesFolder}/policy.yaml`;

/** The folder of the allocation files, one per address. Only leasehold writes there. */
export const allocationsFolder = `${leasesFolder}/allocations`;

/** The folder of the records of hostnames, one per name. Only leasehold writes there. */
export const hostnamesFolder = `${leasesFolder}/hostnames`;

/** The folders of `leases/` that only leasehold writes. */
export const recordFolders: readonly string[] = [allocationsFolder, hostnamesFolder];

/** True for the path of a record, of an address or a hostname. */
export function isRecordPath(path: string): boolean {
  return recordFolders.some((folder) => path.startsWith(`${folder}/`));
}

/**
 * The folder of the proofs of domains, `<holder>/<domain>.yaml`. Only leasehold writes there; the
 * files belong to the operators.
 */
export const proofsFolder = `${leasesFolder}/proofs`;

/** The folder of ownership keys, `<namespace>/<name>.yaml`, and of the id of the repository. */
export const keysFolder = `${leasesFolder}/keys`;

/** The folders of `leases/` in which no declarations are. */
export const foldersWithoutDeclarations: readonly string[] = [
  ...recordFolders,
  proofsFolder,
  keysFolder,
];

/**
 * The usual folder of the declarations of a namespace, or of an owner. The cluster is left out in a
 * repository with one. A name that a folder without declarations has gets a prefix.
 */
export function declarationsFolder(cluster: string | undefined, namespace: string): string {
  const names = [
    ...(cluster === undefined ? [] : [folderName('cluster', cluster)]),
    folderName('namespace', namespace),
  ];
  return [leasesFolder, ...names].join('/');
}

function folderName(prefix: string, name: string): string {
  const isTaken = foldersWithoutDeclarations.includes(`${leasesFolder}/${name}`);
  return isTaken ? `${prefix}-${name}` : name;
}

/** The file with the id of the repository, which is a part of every signed text. */
export const repositoryIdPath = `${keysFolder}/repository.yaml`;

/** The folder of the manifests. Only leasehold writes there. */
export const distFolder = 'dist';

/** The file of patterns that Flux leaves out. Leasehold writes none. */
export const sourceIgnorePath = '.sourceignore';

/** The file of patterns that git leaves out. */
export const gitIgnorePath = '.gitignore';

/** How git converts files at a checkout. */
export const gitAttributesPath = '.gitattributes';

/** The folder of the journal and the lock in a working tree. Never committed. */
export const stateFolder = '.leasehold';

/** Examples of declarations. They are outside of `leases/`, so that they get no address. */
export const examplePaths = {
  akash: 'examples/ember/18500001.yaml',
  platform: 'examples/shop/web.yaml',
} as const;

/** The files with the objects of an engine, of a repository with one cluster. */
export const engineFiles = { argocd: 'gitops/argocd.yaml', flux: 'gitops/flux.yaml' } as const;

/** An engine that applies `dist/`. */
export type Engine = keyof typeof engineFiles;

/** The names of the engines. */
export const engines = Object.keys(engineFiles) as readonly Engine[];

/** The engine of a name such as `flux`; undefined for any other text. */
export function engineOf(name: string | undefined): Engine | undefined {
  return engines.find((engine) => engine === name);
}

const closedList: readonly string[] = [
  '.gitattributes',
  '.gitignore',
  '.gitlab-ci.yml',
  '.vscode/settings.json',
  'README.md',
  'cdk8s.yaml',
  'package.json',
  ...Object.values(engineFiles),
  ...Object.values(forges).flatMap(({ codeowners, ciKit }) => [
    ...codeowners,
    ...ciKit.map(([path]) => path),
  ]),
  ...Object.values(examplePaths),
];

/** The folder of the objects for Argo CD or Flux. */
export const gitopsFolder = 'gitops';

/** The file of the Flux objects of one of several clusters. */
export function fluxPath(cluster: string): string {
  return `gitops/flux-${cluster}.yaml`;
}

/** True for a file outside of `leases/` and `dist/` that `leasehold init` writes. */
export function isSetupPath(path: string): boolean {
  return (
    closedList.includes(path) ||
    /^gitops\/flux-[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?\.yaml$/.test(path)
  );
}

/** The folders and files of a workspace that leasehold reads. */
export const readPaths: readonly string[] = [
  leasesFolder,
  distFolder,
  stateFolder,
  gitAttributesPath,
  gitIgnorePath,
  sourceIgnorePath,
];
