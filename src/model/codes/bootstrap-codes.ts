import type { CodeExplanation } from './code-explanation.ts';

/** What `leasehold bootstrap` was asked for and the pool file does not allow. */
export const bootstrapCodes = {
  METALLB_UNFIT: {
    title: 'The declared MetalLB cannot be set up as asked, or has not what was asked for.',
    fix: 'Declare another version or namespace of MetalLB in leases/pools.yaml, if that is what runs, or ask for what the message names.',
  },
  KUBESPRAY_UNSAID: {
    title: "Kubespray's variables cannot say what leases/pools.yaml declares.",
    fix: 'Let Kubespray install MetalLB without pools, as leasehold bootstrap kubespray prints it, and leave the pools to leasehold.',
  },
} as const satisfies Record<string, CodeExplanation>;
