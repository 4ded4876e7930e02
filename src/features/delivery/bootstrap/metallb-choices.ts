/** How MetalLB's speakers speak BGP. MetalLB: its variable METALLB_BGP_TYPE. */
export const bgpModes = ['native', 'frr', 'frr-k8s'] as const;

/** One of {@link bgpModes}. */
export type BgpMode = (typeof bgpModes)[number];

/** A MetalLB to install. */
export interface MetalLBInstall {
  /** `major.minor.patch`, 0.13.9 or later. The chart has the same number. */
  readonly version: string;
  readonly namespace: string;
  readonly bgp: BgpMode;
  /** Undefined for one that serves Services without a class. */
  readonly loadBalancerClass?: string | undefined;
}

/** The namespace of MetalLB's own manifests, and the one that the Akash IP operator looks it up in. */
export const usualMetalLBNamespace = 'metallb-system';

/** What put MetalLB into a cluster: its chart, or its manifests, which Kubespray has too. Their labels differ. */
export type MetalLBSource = 'chart' | 'manifest';
