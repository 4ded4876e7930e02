/** Kinds that leasehold reads in a live cluster; `docs/verify.md` ships the RBAC for them. */
export const liveKinds = {
  service: { group: '', version: 'v1', plural: 'services' },
  namespace: { group: '', version: 'v1', plural: 'namespaces' },
  configMap: { group: '', version: 'v1', plural: 'configmaps' },
  event: { group: '', version: 'v1', plural: 'events' },
  pod: { group: '', version: 'v1', plural: 'pods' },
  deployment: { group: 'apps', version: 'v1', plural: 'deployments' },
  daemonSet: { group: 'apps', version: 'v1', plural: 'daemonsets' },
  statefulSet: { group: 'apps', version: 'v1', plural: 'statefulsets' },
  endpointSlice: { group: 'discovery.k8s.io', version: 'v1', plural: 'endpointslices' },
  webhook: {
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    plural: 'validatingwebhookconfigurations',
  },
  admissionPolicy: {
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    plural: 'validatingadmissionpolicies',
  },
  admissionPolicyBinding: {
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    plural: 'validatingadmissionpolicybindings',
  },
  addressPool: { group: 'metallb.io', version: 'v1beta1', plural: 'ipaddresspools' },
  l2Advertisement: { group: 'metallb.io', version: 'v1beta1', plural: 'l2advertisements' },
  bgpAdvertisement: { group: 'metallb.io', version: 'v1beta1', plural: 'bgpadvertisements' },
  configurationState: { group: 'metallb.io', version: 'v1beta1', plural: 'configurationstates' },
  leasedIP: { group: 'akash.network', version: 'v2beta2', plural: 'providerleasedips' },
} as const;

/** A kind that leasehold reads in a live cluster. */
export type LiveKind = keyof typeof liveKinds;

/** An object as the API server gives it. Nothing but its metadata is known to have any shape. */
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
