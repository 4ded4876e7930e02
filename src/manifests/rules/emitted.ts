import type { Metadata } from '../manifest.ts';

/** The parts of an emitted `IPAddressPool` that MetalLB's rules are about. */
export interface EmittedPool {
  readonly metadata: Metadata;
  readonly spec: {
    readonly addresses: readonly string[];
    readonly autoAssign: boolean;
    readonly avoidBuggyIPs: boolean;
    /** None of a pool with an open fence. */
    readonly serviceAllocation?: {
      readonly namespaces?: readonly string[];
      readonly namespaceSelectors?: readonly EmittedSelector[];
      readonly serviceSelectors?: readonly EmittedSelector[];
    };
  };
}

/** A label selector of an emitted pool. */
export interface EmittedSelector {
  readonly matchLabels?: { readonly [key: string]: string };
}

/** The parts of an emitted advertisement that MetalLB's rules are about. */
export interface EmittedAdvertisement {
  readonly metadata: Metadata;
  readonly spec: {
    readonly ipAddressPools: readonly string[];
    readonly aggregationLength?: number;
    readonly aggregationLengthV6?: number;
  };
}

/** The parts of an emitted Service that MetalLB's rules are about. What its author left out, the API server fills in. */
export interface EmittedService {
  readonly metadata: Metadata;
  readonly spec: {
    readonly type: string;
    readonly loadBalancerIP?: string;
    readonly loadBalancerClass?: string;
    readonly ipFamilyPolicy?: string;
    readonly ipFamilies?: readonly string[];
    readonly externalTrafficPolicy?: string;
    readonly selector?: { readonly [label: string]: string };
    readonly ports: readonly { readonly port: number; readonly protocol: string }[];
  };
}
