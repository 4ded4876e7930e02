import type { LiveKind } from '../../core/model/live.ts';

/** Where verify lists a kind: in all namespaces, or only in that of MetalLB. */
export type ListScope = 'cluster' | 'metallb';

/**
 * Every kind that verify lists, and where: events and EndpointSlices only in the namespaces of
 * Services, which can be any. The role in docs/rbac/verify.yaml follows from this table.
 */
export const verifiedKinds = {
  namespace: 'cluster',
  service: 'cluster',
  event: 'cluster',
  node: 'cluster',
  deployment: 'cluster',
  addressPool: 'cluster',
  l2Advertisement: 'cluster',
  bgpAdvertisement: 'cluster',
  leasedIP: 'cluster',
  providerHost: 'cluster',
  networkPolicy: 'cluster',
  dnsEndpoint: 'cluster',
  gateway: 'cluster',
  httpRoute: 'cluster',
  grpcRoute: 'cluster',
  ingress: 'cluster',
  clientSettingsPolicy: 'cluster',
  proxySettingsPolicy: 'cluster',
  endpointSlice: 'cluster',
  bgpSessionState: 'cluster',
  admissionPolicy: 'cluster',
  admissionPolicyBinding: 'cluster',
  configMap: 'metallb',
  pod: 'metallb',
  daemonSet: 'metallb',
  configurationState: 'metallb',
  serviceL2Status: 'metallb',
  serviceBGPStatus: 'metallb',
  bgpPeer: 'metallb',
} as const satisfies Partial<Record<LiveKind, ListScope>>;

/** A kind that verify lists. */
export type VerifiedKind = keyof typeof verifiedKinds;
