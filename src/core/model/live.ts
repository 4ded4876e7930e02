/** Kinds that leasehold reads in a live cluster; `docs/verify.md` ships the RBAC for them. */
export const liveKinds = {
  service: { group: '', version: 'v1', kind: 'Service', plural: 'services' },
  namespace: { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces' },
  configMap: { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps' },
  event: { group: '', version: 'v1', kind: 'Event', plural: 'events' },
  node: { group: '', version: 'v1', kind: 'Node', plural: 'nodes' },
  pod: { group: '', version: 'v1', kind: 'Pod', plural: 'pods' },
  deployment: { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments' },
  daemonSet: { group: 'apps', version: 'v1', kind: 'DaemonSet', plural: 'daemonsets' },
  statefulSet: { group: 'apps', version: 'v1', kind: 'StatefulSet', plural: 'statefulsets' },
  endpointSlice: {
    group: 'discovery.k8s.io',
    version: 'v1',
    kind: 'EndpointSlice',
    plural: 'endpointslices',
  },
  networkPolicy: {
    group: 'networking.k8s.io',
    version: 'v1',
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
  },
  storageClass: {
    group: 'storage.k8s.io',
    version: 'v1',
    kind: 'StorageClass',
    plural: 'storageclasses',
  },
  webhook: {
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    kind: 'ValidatingWebhookConfiguration',
    plural: 'validatingwebhookconfigurations',
  },
  admissionPolicy: {
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    kind: 'ValidatingAdmissionPolicy',
    plural: 'validatingadmissionpolicies',
  },
  admissionPolicyBinding: {
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    plural: 'validatingadmissionpolicybindings',
  },
  addressPool: {
    group: 'metallb.io',
    version: 'v1beta1',
    kind: 'IPAddressPool',
    plural: 'ipaddresspools',
  },
  l2Advertisement: {
    group: 'metallb.io',
    version: 'v1beta1',
    kind: 'L2Advertisement',
    plural: 'l2advertisements',
  },
  bgpAdvertisement: {
    group: 'metallb.io',
    version: 'v1beta1',
    kind: 'BGPAdvertisement',
    plural: 'bgpadvertisements',
  },
  serviceL2Status: {
    group: 'metallb.io',
    version: 'v1beta1',
    kind: 'ServiceL2Status',
    plural: 'servicel2statuses',
  },
  serviceBGPStatus: {
    group: 'metallb.io',
    version: 'v1beta1',
    kind: 'ServiceBGPStatus',
    plural: 'servicebgpstatuses',
  },
  bgpPeer: { group: 'metallb.io', version: 'v1beta2', kind: 'BGPPeer', plural: 'bgppeers' },
  bgpSessionState: {
    group: 'frrk8s.metallb.io',
    version: 'v1beta1',
    kind: 'BGPSessionState',
    plural: 'bgpsessionstates',
  },
  configurationState: {
    group: 'metallb.io',
    version: 'v1beta1',
    kind: 'ConfigurationState',
    plural: 'configurationstates',
  },
  leasedIP: {
    group: 'akash.network',
    version: 'v2beta2',
    kind: 'ProviderLeasedIP',
    plural: 'providerleasedips',
  },
  providerHost: {
    group: 'akash.network',
    version: 'v2beta2',
    kind: 'ProviderHost',
    plural: 'providerhosts',
  },
  dnsEndpoint: {
    group: 'externaldns.k8s.io',
    version: 'v1alpha1',
    kind: 'DNSEndpoint',
    plural: 'dnsendpoints',
  },
  gateway: {
    group: 'gateway.networking.k8s.io',
    version: 'v1',
    kind: 'Gateway',
    plural: 'gateways',
  },
  httpRoute: {
    group: 'gateway.networking.k8s.io',
    version: 'v1',
    kind: 'HTTPRoute',
    plural: 'httproutes',
  },
  grpcRoute: {
    group: 'gateway.networking.k8s.io',
    version: 'v1',
    kind: 'GRPCRoute',
    plural: 'grpcroutes',
  },
  ingress: { group: 'networking.k8s.io', version: 'v1', kind: 'Ingress', plural: 'ingresses' },
  clientSettingsPolicy: {
    group: 'gateway.nginx.org',
    version: 'v1alpha1',
    kind: 'ClientSettingsPolicy',
    plural: 'clientsettingspolicies',
  },
  proxySettingsPolicy: {
    group: 'gateway.nginx.org',
    version: 'v1alpha1',
    kind: 'ProxySettingsPolicy',
    plural: 'proxysettingspolicies',
  },
} as const;

/** A kind that leasehold reads in a live cluster. */
export type LiveKind = keyof typeof liveKinds;

/**
 * The group and version of a kind as a manifest writes them, such as `apps/v1`, and `v1` for core
 * kinds.
 */
export function apiVersionOf(kind: LiveKind): string {
  const { group, version } = liveKinds[kind];
  return group === '' ? version : `${group}/${version}`;
}

/**
 * The kind of a manifest's apiVersion and kind; undefined for a kind that leasehold does not read.
 */
export function liveKindOf(apiVersion: string, kind: string): LiveKind | undefined {
  return kindsByName.get(`${apiVersion} ${kind}`);
}

const kindsByName: ReadonlyMap<string, LiveKind> = new Map(
  (Object.keys(liveKinds) as LiveKind[]).map((kind) => [
    `${apiVersionOf(kind)} ${liveKinds[kind].kind}`,
    kind,
  ]),
);

/** The unique name of an object in messages: `Service web/app`, or `Namespace web`. */
export function objectName(
  kind: string,
  { namespace, name }: { readonly namespace?: string | undefined; readonly name: string },
): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/** The {@link objectName} of an object that leasehold reads. */
export function liveObjectName(kind: LiveKind, { metadata }: LiveObject): string {
  return objectName(liveKinds[kind].kind, metadata);
}

/** An object as the API server returns it. Only the shape of its metadata is known. */
export interface LiveObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly [field: string]: unknown;
}

/** An object in `dist/`. */
export interface WantedObject {
  readonly kind: LiveKind;
  /** Its {@link liveObjectName}. */
  readonly name: string;
  readonly object: LiveObject;
}

/** The value at a path of a live object; undefined if there is none. */
export function fieldAt(root: unknown, ...path: readonly (string | number)[]): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) {
      return undefined;
    }
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

/** The text at a path; undefined for any other value. */
export function textAt(root: unknown, ...path: readonly (string | number)[]): string | undefined {
  const value = fieldAt(root, ...path);
  return typeof value === 'string' ? value : undefined;
}

/** The number at a path; undefined for any other value. */
export function numberAt(root: unknown, ...path: readonly (string | number)[]): number | undefined {
  const value = fieldAt(root, ...path);
  return typeof value === 'number' ? value : undefined;
}

/** The list at a path; empty for any other value. */
export function listAt(root: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const value = fieldAt(root, ...path);
  return Array.isArray(value) ? value : [];
}
