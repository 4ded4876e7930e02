import { type CodeExplanation, featureCodes } from '../../core/model/codes/problem-codes.ts';

/** The reasons why a file or an installation is not written, by code. */
export const setupProblems = {
  CODEOWNERS_MARKERS: {
    title: 'A CODEOWNERS file has only one of the two markers of leasehold, or one of them twice.',
    fix: 'Remove the section that leasehold wrote, with its markers, and run `leasehold codeowners --write` again.',
  },
  METALLB_UNFIT: {
    title: 'The declared MetalLB cannot be installed as requested, or lacks a requested feature.',
    fix: 'Correct the version or namespace of MetalLB in leases/pools.yaml if another one runs, or use the option that the message names.',
  },
  KUBESPRAY_UNSAID: {
    title: "Kubespray's variables cannot express what leases/pools.yaml declares.",
    fix: 'Let Kubespray install MetalLB without pools, as `leasehold bootstrap kubespray` prints it. Leasehold then manages the pools.',
  },
} as const satisfies Readonly<Record<string, CodeExplanation>>;

export const problem = featureCodes(setupProblems);
