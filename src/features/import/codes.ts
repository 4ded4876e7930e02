import { type CodeExplanation, featureCodes } from '../../core/model/codes/problem-codes.ts';

/** The problems of an import, by code. */
export const importProblems = {
  IMPORT_TRUNCATED: {
    title: 'A file to import is one page of a longer response.',
    fix: 'Request all objects at once, such as with ?limit=0, or pass the files of all pages. With a page missing, its addresses would look free.',
  },
  FENCE_LIVE: {
    title:
      'An imported pool is open to all Services in its cluster, but would be declared with a closed fence. Live Services would lose their addresses.',
    fix: 'On Cilium, give the live Services the label that the message prints. On MetalLB, write fence: open into the pool in leases/pools.yaml and import again. Remove it in a commit of its own when `leasehold verify` reports no Service that needs it. If no live Service needs the addresses, use `leasehold import SOURCE --allow-closed-fence`.',
  },
} as const satisfies Readonly<Record<string, CodeExplanation>>;

export const problem = featureCodes(importProblems);
