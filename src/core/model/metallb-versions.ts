/** The MetalLB of a pool file that names no version and no namespace. */
export const usualMetalLB = { version: '0.14.9', namespace: 'metallb-system' } as const;

/** The first version of MetalLB with a behaviour that leasehold depends on. */
export const firstMetalLB = {
  /** Can be declared in `leases/pools.yaml`. */
  supported: '0.13.9',
  /** Reads large BGP communities; earlier ones refuse all pools. MetalLB: release notes. */
  largeCommunities: '0.13.10',
  /** Does not announce from nodes whose network is unavailable. MetalLB: internal/k8s/nodes. */
  readsNodeConditions: '0.13.10',
  /** Does not announce from nodes that are labelled so. MetalLB: internal/k8s/nodes. */
  excludesNodes: '0.14.0',
  /** Has frr-k8s. MetalLB: config/manifests/metallb-frr-k8s.yaml. */
  frrK8s: '0.14.0',
  /** Writes a ServiceL2Status for each Service that it announces by L2. MetalLB: release notes. */
  l2Status: '0.14.4',
  /** A node keeps its ServiceL2Status when another one takes the Service and gives it back. MetalLB: layer2_status_controller.go. */
  ownL2Status: '0.15.0',
  /** Reads `metallb.io/` annotations; earlier ones ignore them. MetalLB: controller/service.go. */
  metallbIoAnnotations: '0.14.9',
  /** Reprocesses all Services when a sharing key or pods change. */
  reprocessesAll: '0.15.0',
  /** Writes a ServiceBGPStatus for each Service that it announces by BGP. MetalLB: release notes. */
  bgpStatus: '0.15.0',
  /** Has frr-k8s by default. MetalLB: release notes. */
  frrK8sByDefault: '0.16.0',
  /** Serves its metrics over HTTPS only. MetalLB: release notes. */
  secureMetrics: '0.16.0',
} as const;

/** The only version of MetalLB that does not announce from cordoned nodes (its release notes). */
export const skipsCordonedNodes = '0.14.9';

/** True when a version of MetalLB, `major.minor.patch`, is `first` or later. */
export function isSince(version: string, first: string): boolean {
  const parts = version.split('.').map(Number);
  const others = first.split('.').map(Number);
  const index = parts.findIndex((part, at) => part !== others[at]);
  return index < 0 || (parts[index] ?? 0) > (others[index] ?? 0);
}
