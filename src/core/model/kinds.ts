import type { Plane } from './planes.ts';
import { type Cluster, type Emit, nginxGateway } from './pools.ts';

/** Facts about the objects of a kind. */
interface Traits {
  /** For a kind that it writes: the sync wave of Argo CD, which applies objects in that order. */
  readonly wave?: string;
  /** False for a kind that it writes cluster-scoped. */
  readonly isNamespaced?: false;
  /** For a kind of one data plane: it is written and listed in clusters on that plane only. */
  readonly plane?: Plane['kind'];
  /**
   * For a kind that verify lists: in all namespaces, or only in that of the plane. It lists events and
   * EndpointSlices only in the namespaces of Services, which can be any.
   */
  readonly listedIn?: 'cluster' | 'plane';
  /**
   * For a kind that an option of the pool file turns on. It is listed only then: a cluster has
   * EndpointSlices for each Service, and need not have the definition of DNSEndpoints or HTTPRoutes.
   */
  readonly isOn?: (emit: Emit, routes: Cluster['routes']) => boolean;
  /** For a kind that it writes: what the fields of its spec decide, for docs/plan.md. All of them are graded as reach. */
  readonly specDecides?: string;
}

type GroupOf<ApiVersion> = ApiVersion extends `${infer Group}/${string}` ? Group : '';

function row<const ApiVersion extends string, const Own extends Traits>(
  apiVersion: ApiVersion,
  kind: string,
  traits: Own,
) {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return {
    apiVersion,
    group: group as GroupOf<ApiVersion>,
    version,
    kind,
    plural: pluralOf(kind),
    ...traits,
  };
}

/** The name of a kind in paths and in RBAC: its English plural, in lower case. */
function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular.endsWith('s')) return `${singular}es`;
  return /[^aeiou]y$/.test(singular) ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

// Both kinds of routes: after a change of the kind, those of the former one are left over.
const hasRoutes: Traits['isOn'] = (_, routes) => routes !== undefined;
const isOnNginx: Traits['isOn'] = (_, routes) => routes?.controller === nginxGateway;

const listed = { listedIn: 'cluster' } as const;
const ofMetalLB = { ...listed, plane: 'metallb' } as const;
const besideMetalLB = { listedIn: 'plane', plane: 'metallb' } as const;
const readOfCilium = { ...listed, plane: 'cilium' } as const;
const ofCilium = { ...readOfCilium, isNamespaced: false } as const;
const decidesPool = 'the addresses of a pool, and which Services can use them';
const decidesNodes = 'which nodes and interfaces answer';
const decidesRoutes = 'which routes are announced, to which peers';
const admission = {
  ...listed,
  wave: '-4',
  isNamespaced: false,
  specDecides: 'which Services the API server accepts',
} as const;
const route = {
  ...listed,
  wave: '2',
  isOn: hasRoutes,
  specDecides: 'which hostname leads to which Service',
} as const;
const routePolicy = {
  ...listed,
  wave: '2',
  isOn: isOnNginx,
  specDecides: 'which requests to a hostname are answered',
} as const;
const leased = {
  ...listed,
  wave: '0',
  specDecides: 'what the Akash provider serves',
} as const;

/**
 * The kinds that leasehold writes or reads in a live cluster. The schema check, the AppProject, the
 * RBAC and `verify` follow from this table. `imports/schemas.ts` has a schema for each that it writes.
 */
export const liveKinds = {
  namespace: row('v1', 'Namespace', { wave: '-5', isNamespaced: false, listedIn: 'cluster' }),
  service: row('v1', 'Service', { wave: '1', listedIn: 'cluster' }),
  event: row('v1', 'Event', ofMetalLB),
  node: row('v1', 'Node', listed),
  deployment: row('apps/v1', 'Deployment', listed),
  addressPool: row('metallb.io/v1beta1', 'IPAddressPool', {
    ...ofMetalLB,
    wave: '-2',
    specDecides: decidesPool,
  }),
  l2Advertisement: row('metallb.io/v1beta1', 'L2Advertisement', {
    ...ofMetalLB,
    wave: '-1',
    specDecides: decidesNodes,
  }),
  bgpAdvertisement: row('metallb.io/v1beta1', 'BGPAdvertisement', {
    ...ofMetalLB,
    wave: '-1',
    specDecides: decidesRoutes,
  }),
  ciliumPool: row('cilium.io/v2', 'CiliumLoadBalancerIPPool', {
    ...ofCilium,
    wave: '-2',
    specDecides: decidesPool,
  }),
  ciliumL2Policy: row('cilium.io/v2alpha1', 'CiliumL2AnnouncementPolicy', {
    ...ofCilium,
    wave: '-1',
    specDecides: decidesNodes,
  }),
  ciliumBGPAdvertisement: row('cilium.io/v2', 'CiliumBGPAdvertisement', {
    ...ofCilium,
    wave: '-1',
    specDecides: decidesRoutes,
  }),
  ciliumBGPPeerConfig: row('cilium.io/v2', 'CiliumBGPPeerConfig', readOfCilium),
  ciliumBGPNodeConfig: row('cilium.io/v2', 'CiliumBGPNodeConfig', readOfCilium),
  leasedIP: row('akash.network/v2beta2', 'ProviderLeasedIP', leased),
  providerHost: row('akash.network/v2beta2', 'ProviderHost', leased),
  networkPolicy: row('networking.k8s.io/v1', 'NetworkPolicy', {
    ...listed,
    wave: '1',
    specDecides: 'who can connect to the pods',
  }),
  dnsEndpoint: row('externaldns.k8s.io/v1alpha1', 'DNSEndpoint', {
    wave: '2',
    listedIn: 'cluster',
    isOn: ({ dnsEndpoints }) => dnsEndpoints,
    specDecides: 'the DNS records of addresses and hostnames',
  }),
  gateway: row('gateway.networking.k8s.io/v1', 'Gateway', listed),
  httpRoute: row('gateway.networking.k8s.io/v1', 'HTTPRoute', route),
  grpcRoute: row('gateway.networking.k8s.io/v1', 'GRPCRoute', listed),
  ingress: row('networking.k8s.io/v1', 'Ingress', route),
  clientSettingsPolicy: row('gateway.nginx.org/v1alpha1', 'ClientSettingsPolicy', routePolicy),
  proxySettingsPolicy: row('gateway.nginx.org/v1alpha1', 'ProxySettingsPolicy', routePolicy),
  endpointSlice: row('discovery.k8s.io/v1', 'EndpointSlice', {
    wave: '1',
    listedIn: 'cluster',
    isOn: ({ addressNames }) => addressNames,
  }),
  bgpSessionState: row('frrk8s.metallb.io/v1beta1', 'BGPSessionState', ofMetalLB),
  frrNodeState: row('frrk8s.metallb.io/v1beta1', 'FRRNodeState', ofMetalLB),
  admissionPolicy: row('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', admission),
  admissionPolicyBinding: row(
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicyBinding',
    admission,
  ),
  configMap: row('v1', 'ConfigMap', { wave: '-5', listedIn: 'plane' }),
  pod: row('v1', 'Pod', besideMetalLB),
  daemonSet: row('apps/v1', 'DaemonSet', besideMetalLB),
  configurationState: row('metallb.io/v1beta1', 'ConfigurationState', besideMetalLB),
  serviceL2Status: row('metallb.io/v1beta1', 'ServiceL2Status', besideMetalLB),
  serviceBGPStatus: row('metallb.io/v1beta1', 'ServiceBGPStatus', besideMetalLB),
  bgpPeer: row('metallb.io/v1beta2', 'BGPPeer', besideMetalLB),
  l2Lease: row('coordination.k8s.io/v1', 'Lease', { listedIn: 'plane', plane: 'cilium' }),
  statefulSet: row('apps/v1', 'StatefulSet', {}),
  storageClass: row('storage.k8s.io/v1', 'StorageClass', {}),
  webhook: row('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', {}),
} as const;

/** A kind that leasehold writes, or reads in a live cluster. */
export type LiveKind = keyof typeof liveKinds;

type With<Trait extends keyof Traits> = {
  [Kind in LiveKind]: (typeof liveKinds)[Kind] extends { readonly [Own in Trait]: unknown }
    ? Kind
    : never;
}[LiveKind];

/** A kind that leasehold writes. */
export type EmittedKind = With<'wave'>;

/** A kind that verify lists. */
export type VerifiedKind = With<'listedIn'>;

const allKinds = Object.keys(liveKinds) as LiveKind[];

/** Facts about the objects of a kind. */
export function traitsOf(kind: LiveKind): Traits {
  return liveKinds[kind] as Traits;
}

/** The kinds that leasehold writes, in the order of their waves. */
export const emittedKinds = allKinds
  .filter((kind): kind is EmittedKind => traitsOf(kind).wave !== undefined)
  .sort((left, right) => Number(liveKinds[left].wave) - Number(liveKinds[right].wave));

/** True for a kind that is written and listed in clusters on a plane. */
export function isOfPlane(kind: LiveKind, plane: Plane['kind']): boolean {
  return (traitsOf(kind).plane ?? plane) === plane;
}

/** The kinds that verify lists. */
export const verifiedKinds = allKinds.filter(
  (kind): kind is VerifiedKind => traitsOf(kind).listedIn !== undefined,
);

/**
 * The kind of a manifest's apiVersion and kind; undefined for a kind that leasehold does not read.
 */
export function liveKindOf(apiVersion: string, kind: string): LiveKind | undefined {
  return kindsByName.get(`${apiVersion} ${kind}`);
}

const kindsByName: ReadonlyMap<string, LiveKind> = new Map(
  allKinds.map((name) => [`${liveKinds[name].apiVersion} ${liveKinds[name].kind}`, name]),
);
