/** How MetalLB's objects are laid out: one pool per declared pool, or one per held address set. */
export const lastingLayouts = ['pool', 'lease'] as const;
export type LastingLayout = (typeof lastingLayouts)[number];

/**
 * `both` is the step between the two. Its pools overlap, so MetalLB rejects the configuration and
 * keeps using the last valid one: live addresses stay, and new ones wait.
 */
export const layouts = [...lastingLayouts, 'both'] as const;
export type Layout = (typeof layouts)[number];

/** True when each declared pool has an IPAddressPool. */
export function hasDeclaredPools({ layout }: { readonly layout: Layout }): boolean {
  return layout !== 'lease';
}

/** True when each held address set has an IPAddressPool. */
export function hasHeldPools({ layout }: { readonly layout: Layout }): boolean {
  return layout !== 'pool';
}

/**
 * The prefixes of MetalLB's annotations, the newest first. Every supported version reads the last
 * one; beside the first it is a fallback. MetalLB: controller/service.go.
 */
export const annotationPrefixes = ['metallb.io', 'metallb.universe.tf'] as const;
export type AnnotationPrefix = (typeof annotationPrefixes)[number];

/** The MetalLB of one cluster. */
export interface MetalLB {
  readonly kind: 'metallb';
  /** `major.minor.patch`, supported: `firstMetalLB`. */
  readonly version: string;
  /** The namespace that MetalLB runs in. It reads its objects from this one only. */
  readonly namespace: string;
  readonly layout: Layout;
  /** The prefix from 0.14.9 on, when the pool file sets one: `annotationPrefix` in src/core/manifests. */
  readonly annotationPrefix?: AnnotationPrefix | undefined;
  /**
   * `--lb-class` of its controller and speakers: MetalLB serves Services of that class only.
   * Undefined for Services without a class.
   */
  readonly loadBalancerClass?: string | undefined;
  /** The plane whose live addresses this one takes over; undefined for none. */
  readonly movedFrom?: 'metallb' | 'cilium' | undefined;
  /** The fields that the pool file has, or must have, at the cluster; undefined for none. */
  readonly atCluster?: readonly string[];
}

/** The classes of Services that Cilium serves beside those without a class. Cilium: operator/pkg/lbipam/cell.go. */
export const ciliumClasses = {
  l2: 'io.cilium/l2-announcer',
  bgp: 'io.cilium/bgp-control-plane',
} as const;

/** The Cilium of one cluster, with LB-IPAM. */
export interface Cilium {
  readonly kind: 'cilium';
  /** `major.minor.patch`, supported: `firstCilium`. */
  readonly version: string;
  /** The namespace that Cilium runs in. Its pools and policies are cluster-scoped. */
  readonly namespace: string;
  /** A pool for each held address would cost its operator minutes at each start. */
  readonly layout: 'pool';
  /** The class of all Services, one of `ciliumClasses`. Undefined for none. */
  readonly loadBalancerClass?: (typeof ciliumClasses)[keyof typeof ciliumClasses] | undefined;
  /** The plane whose live addresses this one takes over; undefined for none. */
  readonly movedFrom?: 'metallb' | 'cilium' | undefined;
  /** The fields that the pool file has, or must have, at the cluster; undefined for none. */
  readonly atCluster?: readonly string[];
}

/**
 * The annotations by which LB-IPAM reads what a Service asks for: the current names, then the older
 * ones. Cilium: pkg/annotation/k8s.go.
 */
export const ciliumKeys = [
  {
    addresses: 'lbipam.cilium.io/ips',
    sharingKey: 'lbipam.cilium.io/sharing-key',
    crossNamespace: 'lbipam.cilium.io/sharing-cross-namespace',
  },
  {
    addresses: 'io.cilium/lb-ipam-ips',
    sharingKey: 'io.cilium/lb-ipam-sharing-key',
    crossNamespace: 'io.cilium/lb-ipam-sharing-cross-namespace',
  },
] as const;

/** The communities with a name that Cilium knows. Cilium: bgp_advert_types.go BGPWellKnownCommunity. */
export const wellKnownCommunities: readonly string[] = [
  'internet',
  'planned-shut',
  'accept-own',
  'route-filter-translated-v4',
  'route-filter-v4',
  'route-filter-translated-v6',
  'route-filter-v6',
  'llgr-stale',
  'no-llgr',
  'blackhole',
  'no-export',
  'no-advertise',
  'no-export-subconfed',
  'no-peer',
];

/** The data plane of a cluster: what gives its Services their addresses and announces them. */
export type Plane = MetalLB | Cilium;

/** The planes as people write them. */
export const planeNames: Readonly<Record<Plane['kind'], string>> = {
  metallb: 'MetalLB',
  cilium: 'Cilium',
};

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

/** The Cilium of a pool file that names no version and no namespace. */
export const usualCilium = { version: '1.18.2', namespace: 'kube-system' } as const;

/** The version and namespace of a plane whose pool file names none. */
export const usualPlanes = {
  metallb: usualMetalLB,
  cilium: usualCilium,
} as const satisfies Readonly<Record<Plane['kind'], object>>;

/** The first version of Cilium with a behaviour that leasehold depends on. */
export const firstCilium = {
  /**
   * Can be declared in `leases/pools.yaml`. Earlier ones give Services other addresses when the
   * operator starts again. Cilium: #41147.
   */
  supported: '1.18.2',
  /** Shares a port number by TCP and by UDP; in earlier ones a setting turns that off. Cilium: upgrade.rst. */
  sharesByProtocol: '1.19.0',
} as const;

/** True when a version, `major.minor.patch`, is `first` or later. */
export function isSince(version: string, first: string): boolean {
  const parts = version.split('.').map(Number);
  const others = first.split('.').map(Number);
  const index = parts.findIndex((part, at) => part !== others[at]);
  return index < 0 || (parts[index] ?? 0) > (others[index] ?? 0);
}
