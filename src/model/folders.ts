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
