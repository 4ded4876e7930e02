import type { CodeExplanation } from './code-explanation.ts';

/** What the policy refuses, and what is written from it. */
export const policyCodes = {
  POLICY_DUPLICATE: {
    title: 'The policy names a tenant or a folder twice.',
    fix: 'Give each folder to one tenant. A folder inside of it may belong to another.',
  },
  POLICY_REFUSED: {
    title: 'A declaration asks for what its folder may not declare.',
    fix: 'Correct it, or have the operators change leases/policy.yaml first: a pull request is also judged by the policy that it starts from.',
  },
  MOVE_UNASKED: {
    title:
      'A pull request moves an address, and neither who declares its holder nor the operators ask for it.',
    fix: 'Change the declaration of the holder in the same pull request: pin the new address there, or say why it moves in a comment, as where an SDL has no field for a pin. Or have the operators reserve the old address in leases/pools.yaml, or drain its pool. Without that, anybody could take an address from another tenant.',
  },
  CODEOWNERS_MARKERS: {
    title: 'A CODEOWNERS file has a marker of leasehold without its counterpart, or twice.',
    fix: 'Remove what is left of the part that leasehold wrote, markers too, and run leasehold codeowners --write again.',
  },
} as const satisfies Record<string, CodeExplanation>;
